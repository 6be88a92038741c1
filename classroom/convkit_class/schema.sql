-- SPDX-License-Identifier: MIT
-- The book of a class (docs/gradebook.md). Times are UTC, ISO 8601 with a Z. An older book gets the
-- parts that it lacks: each begins with a line `-- Version N: ...`.

-- Version 1: students, what they hand in, gradings, and what people add.

-- Who is in the class. `login` is the roster's, or what the name of a submission says.
CREATE TABLE student (
  login     TEXT PRIMARY KEY,
  name      TEXT NOT NULL DEFAULT '',
  email     TEXT NOT NULL DEFAULT '',
  lms_id    TEXT NOT NULL DEFAULT '',   -- the number of the person where grades go
  github    TEXT NOT NULL DEFAULT '',
  team      TEXT NOT NULL DEFAULT '',   -- members of a team share what one of them hands in
  nickname  TEXT NOT NULL DEFAULT '',   -- on the leaderboard; '' is not on it
  listed    INTEGER NOT NULL DEFAULT 0  -- 1: a roster names them
);

-- What was handed in. One content of one student is one attempt, however often it is found.
CREATE TABLE submission (
  id         INTEGER PRIMARY KEY,
  login      TEXT REFERENCES student (login) ON UPDATE CASCADE ON DELETE CASCADE,  -- NULL: unmatched
  claimed    TEXT NOT NULL,             -- whose it is as its name says
  source     TEXT NOT NULL,             -- the name of what was handed in
  sha256     TEXT NOT NULL,             -- of an archive's bytes, or of a folder's paths and contents
  handed_in  TEXT NOT NULL,
  UNIQUE (claimed, sha256)
);

-- Each run of `convkit grade` on a submission.
CREATE TABLE grading (
  id          INTEGER PRIMARY KEY,
  submission  INTEGER NOT NULL REFERENCES submission (id) ON DELETE CASCADE,
  state       TEXT NOT NULL CHECK (state IN ('running', 'untimed', 'done', 'failed')),
  device      TEXT NOT NULL,            -- "cpu" or "gpu"
  stages      TEXT NOT NULL,            -- those that were asked for, '' for all
  depends     TEXT NOT NULL DEFAULT '', -- JSON: what verdicts depend on besides the submission
  started     TEXT NOT NULL,
  ended       TEXT NOT NULL DEFAULT '',
  seconds     REAL NOT NULL DEFAULT 0,  -- of cases, then
  timing_s    REAL NOT NULL DEFAULT 0,  -- of timing alone on the machine
  exit_code   INTEGER,                  -- NULL: it has outlived the batch that started it
  document    TEXT NOT NULL DEFAULT '', -- the result (docs/result.schema.json)
  error       TEXT NOT NULL DEFAULT ''  -- why there is no document
);
CREATE INDEX grading_of_submission ON grading (submission);

-- The points of a document, stage by stage.
CREATE TABLE stage_result (
  grading         INTEGER NOT NULL REFERENCES grading (id) ON DELETE CASCADE,
  stage           TEXT NOT NULL,
  status          TEXT NOT NULL,
  points          REAL NOT NULL,
  max_points      REAL NOT NULL,
  pending_points  REAL NOT NULL,
  PRIMARY KEY (grading, stage)
);

-- Points that a person adds or takes away. They survive every regrading.
CREATE TABLE manual (
  id       INTEGER PRIMARY KEY,
  login    TEXT NOT NULL REFERENCES student (login) ON UPDATE CASCADE ON DELETE CASCADE,
  stage    TEXT NOT NULL,
  points   REAL NOT NULL,
  reason   TEXT NOT NULL,
  author   TEXT NOT NULL,
  at       TEXT NOT NULL
);

-- A later deadline for one student or one team.
CREATE TABLE extension (
  who     TEXT NOT NULL,                -- a login or a team
  stage   TEXT NOT NULL,
  until   TEXT NOT NULL,
  reason  TEXT NOT NULL,
  PRIMARY KEY (who, stage)
);

-- Version 2: gradings that were repeated, pseudonyms, files that name students, a number of Moodle.

-- Beside `lms_id`, for a class that hands in at Moodle and has its grades elsewhere.
ALTER TABLE student ADD COLUMN moodle_id TEXT NOT NULL DEFAULT '';

-- A grading that `class audit` (a sample) or `class appeal` (one) has repeated. No grade follows.
CREATE TABLE repeat (
  id           INTEGER PRIMARY KEY,
  grading      INTEGER NOT NULL REFERENCES grading (id) ON DELETE CASCADE,  -- that was repeated
  kind         TEXT NOT NULL CHECK (kind IN ('audit', 'appeal')),
  sample       TEXT NOT NULL,           -- the seed that drew it; '' where somebody named it
  reason       TEXT NOT NULL,
  author       TEXT NOT NULL,
  machine      TEXT NOT NULL,           -- where it was repeated
  at           TEXT NOT NULL,
  outcome      TEXT NOT NULL CHECK (outcome IN ('same', 'differs', 'failed')),
  differences  TEXT NOT NULL,           -- JSON: stage, what, before, after, meaning of each
  document     TEXT NOT NULL DEFAULT '',  -- the new result
  error        TEXT NOT NULL DEFAULT ''   -- why there is none
);
CREATE INDEX repeat_of_grading ON repeat (grading);

-- Secrets of this book. "pseudonyms" is the key of the names in `class export --anonymous`,
-- "cluster" of the names in a cluster's shared folder.
CREATE TABLE secret (
  name   TEXT PRIMARY KEY,
  value  TEXT NOT NULL
);

-- Files that commands have written and that name students, so that `class forget` finds them.
CREATE TABLE written (
  file   TEXT PRIMARY KEY,              -- absolute
  kind   TEXT NOT NULL,                 -- 'page', 'class page', 'similarity', 'export'
  login  TEXT NOT NULL DEFAULT ''       -- of a page: whose it is
);
