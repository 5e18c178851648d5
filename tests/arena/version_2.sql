BEGIN TRANSACTION;
CREATE TABLE bots (
    name TEXT NOT NULL, digest TEXT NOT NULL, spec TEXT NOT NULL, authors TEXT NOT NULL, options TEXT NOT NULL,
    clock TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('admitted', 'rejected', 'superseded')),
    note TEXT NOT NULL, role TEXT NOT NULL DEFAULT 'competitor', PRIMARY KEY (name, digest)
) STRICT;
INSERT INTO "bots" VALUES('Anna','d1','Anna.py','Anna A.','{}','{"per_move": null, "remaining": null, "increment": 0.0, "depth": null, "nodes": null}','admitted','','competitor');
INSERT INTO "bots" VALUES('idiot','d2','idiot','','{}','{"per_move": null, "remaining": null, "increment": 0.0, "depth": null, "nodes": null}','admitted','','competitor');
INSERT INTO "bots" VALUES('two','d3','two.py','','{}','{"per_move": null, "remaining": null, "increment": 0.0, "depth": null, "nodes": null}','rejected','two.py contains 2 competitors, X and Y; submit one, or give only one of the classes a name
more for its author','competitor');
CREATE TABLE games (
    id INTEGER PRIMARY KEY, round INTEGER NOT NULL, meeting TEXT NOT NULL, repeat INTEGER NOT NULL,
    rotation INTEGER NOT NULL, attempt INTEGER NOT NULL, bots TEXT NOT NULL, digests TEXT NOT NULL,
    shares TEXT NOT NULL, scores TEXT NOT NULL, margin INTEGER, plies INTEGER NOT NULL, opening INTEGER NOT NULL,
    start TEXT, moves TEXT NOT NULL, movers TEXT NOT NULL, seconds TEXT NOT NULL, depths TEXT NOT NULL,
    nodes TEXT NOT NULL, ending TEXT NOT NULL, timed TEXT NOT NULL, forfeit INTEGER, details TEXT,
    machine_late INTEGER NOT NULL, superseded TEXT, started TEXT NOT NULL, duration REAL NOT NULL,
    UNIQUE (round, meeting, repeat, rotation, attempt)
) STRICT;
INSERT INTO "games" VALUES(1,0,'["Anna", "idiot"]',0,0,1,'["Anna", "idiot"]','["d1", "d2"]','[0.0, 1.0]','[0, 0]',NULL,2,2,NULL,'F c','[0, 1]','[null, null]','[null, null]','[null, null]','player 1 loses: illegal move: ''nonsense'' is not a legal move in ''5,5,4,4,4,0/5,5,0,6,5,5 0,0 1 2'': a move is one letter, A to F','[]',0,NULL,0,NULL,'2026-11-19T19:40:08.196+00:00',0.045663);
INSERT INTO "games" VALUES(2,0,'["Anna", "idiot"]',0,1,1,'["idiot", "Anna"]','["d2", "d1"]','[1.0, 0.0]','[0, 0]',NULL,3,2,NULL,'F c B','[0, 1, 0]','[null, null, 1.9e-05]','[null, null, null]','[null, null, null]','player 2 loses: illegal move: ''nonsense'' is not a legal move in ''5,0,5,5,5,1/6,5,0,6,5,5 0,0 2 3'': a move is one letter, A to F','[]',1,NULL,0,NULL,'2026-11-19T19:40:08.243+00:00',0.00042);
CREATE TABLE openings (
    number INTEGER PRIMARY KEY, start TEXT, moves TEXT NOT NULL, value REAL, source TEXT NOT NULL
) STRICT;
INSERT INTO "openings" VALUES(0,NULL,'F c',NULL,'2 random plies');
INSERT INTO "openings" VALUES(1,NULL,'E c',NULL,'2 random plies');
INSERT INTO "openings" VALUES(2,NULL,'B f',NULL,'2 random plies');
INSERT INTO "openings" VALUES(3,NULL,'E c',NULL,'2 random plies');
INSERT INTO "openings" VALUES(4,NULL,'A e',NULL,'2 random plies');
INSERT INTO "openings" VALUES(5,NULL,'C d',NULL,'2 random plies');
INSERT INTO "openings" VALUES(6,NULL,'A c',NULL,'2 random plies');
INSERT INTO "openings" VALUES(7,NULL,'D b',NULL,'2 random plies');
INSERT INTO "openings" VALUES(8,NULL,'F f',NULL,'2 random plies');
INSERT INTO "openings" VALUES(9,NULL,'B c',NULL,'2 random plies');
INSERT INTO "openings" VALUES(10,NULL,'A a',NULL,'2 random plies');
INSERT INTO "openings" VALUES(11,NULL,'A d',NULL,'2 random plies');
INSERT INTO "openings" VALUES(12,NULL,'E e',NULL,'2 random plies');
INSERT INTO "openings" VALUES(13,NULL,'C d',NULL,'2 random plies');
INSERT INTO "openings" VALUES(14,NULL,'C b',NULL,'2 random plies');
INSERT INTO "openings" VALUES(15,NULL,'B f',NULL,'2 random plies');
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
INSERT INTO "settings" VALUES('game','"awele"');
INSERT INTO "settings" VALUES('format','"match"');
INSERT INTO "settings" VALUES('seed','3');
INSERT INTO "settings" VALUES('openings','{"kind": "random", "plies": 2}');
INSERT INTO "settings" VALUES('grace','0.0');
INSERT INTO "settings" VALUES('strikes','0');
INSERT INTO "settings" VALUES('data','"none"');
INSERT INTO "settings" VALUES('learning','60.0');
INSERT INTO "settings" VALUES('forbids_engine','false');
INSERT INTO "settings" VALUES('palabre','"0.1.0"');
INSERT INTO "settings" VALUES('python','"3.11.7"');
INSERT INTO "settings" VALUES('platform','"Linux"');
INSERT INTO "settings" VALUES('processor','"some processor"');
INSERT INTO "settings" VALUES('cores','2');
INSERT INTO "settings" VALUES('usable_cores','2');
CREATE UNIQUE INDEX current_bots ON bots (name) WHERE state != 'superseded';
CREATE UNIQUE INDEX counting_games ON games (round, meeting, repeat, rotation) WHERE superseded IS NULL;
COMMIT;
