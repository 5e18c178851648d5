"""The file of an event: one SQLite database."""

from palabre.core.database import DatabaseFormat

VERSION_1 = """
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE bots (
    name TEXT NOT NULL, digest TEXT NOT NULL, spec TEXT NOT NULL, authors TEXT NOT NULL, options TEXT NOT NULL,
    clock TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('admitted', 'rejected', 'superseded')),
    note TEXT NOT NULL, PRIMARY KEY (name, digest)
) STRICT;
CREATE UNIQUE INDEX current_bots ON bots (name) WHERE state != 'superseded';
CREATE TABLE openings (
    number INTEGER PRIMARY KEY, start TEXT, moves TEXT NOT NULL, value REAL, source TEXT NOT NULL
) STRICT;
CREATE TABLE games (
    id INTEGER PRIMARY KEY, round INTEGER NOT NULL, meeting TEXT NOT NULL, repeat INTEGER NOT NULL,
    rotation INTEGER NOT NULL, attempt INTEGER NOT NULL, bots TEXT NOT NULL, digests TEXT NOT NULL,
    shares TEXT NOT NULL, scores TEXT NOT NULL, margin INTEGER, plies INTEGER NOT NULL, opening INTEGER NOT NULL,
    start TEXT, moves TEXT NOT NULL, movers TEXT NOT NULL, seconds TEXT NOT NULL, depths TEXT NOT NULL,
    nodes TEXT NOT NULL, ending TEXT NOT NULL, timed TEXT NOT NULL, forfeit INTEGER, details TEXT,
    machine_late INTEGER NOT NULL, superseded TEXT, started TEXT NOT NULL, duration REAL NOT NULL,
    UNIQUE (round, meeting, repeat, rotation, attempt)
) STRICT;
CREATE UNIQUE INDEX counting_games ON games (round, meeting, repeat, rotation) WHERE superseded IS NULL;
"""
VERSION_2 = "ALTER TABLE bots ADD COLUMN role TEXT NOT NULL DEFAULT 'competitor'"
# Why a game ended and why a bot was rejected, as a message with its parameters; the English text is beside it.
VERSION_3 = "ALTER TABLE games ADD COLUMN message TEXT; ALTER TABLE bots ADD COLUMN message TEXT"
EVENT = DatabaseFormat("event", 0x50414C42, (VERSION_1, VERSION_2, VERSION_3))  # "PALB"
