"""The file in which a server keeps its games and the browsers that it knows: one SQLite database."""

from palabre.core.database import DatabaseFormat

VERSION_1 = """
CREATE TABLE rooms (
    room TEXT PRIMARY KEY, game TEXT NOT NULL, start TEXT, seed INTEGER NOT NULL, seats TEXT NOT NULL, clock TEXT,
    allowed TEXT NOT NULL, opener TEXT NOT NULL, created REAL NOT NULL, changed REAL NOT NULL, left TEXT NOT NULL,
    ending TEXT, next_room TEXT
) STRICT;
CREATE INDEX rooms_by_change ON rooms (changed);
CREATE TABLE moves (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, ply INTEGER NOT NULL, move TEXT NOT NULL, seconds REAL,
    PRIMARY KEY (room, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE people (
    browser TEXT NOT NULL, room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, PRIMARY KEY (browser, room)
) STRICT, WITHOUT ROWID;
CREATE INDEX people_by_room ON people (room);
CREATE TABLE browsers (
    browser TEXT PRIMARY KEY, secret BLOB NOT NULL UNIQUE, role TEXT NOT NULL, name TEXT NOT NULL,
    created REAL NOT NULL, seen REAL NOT NULL
) STRICT;
CREATE TABLE invitations (
    secret BLOB PRIMARY KEY, room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, seat INTEGER NOT NULL,
    taken_by TEXT, created REAL NOT NULL
) STRICT;
CREATE INDEX invitations_by_room ON invitations (room)
"""
GAMES = DatabaseFormat("games", 0x50414C47, (VERSION_1,))  # "PALG"
