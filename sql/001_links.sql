-- Links, and what keeps their count of visits exact.

CREATE TABLE shortenedurls (
	-- Under COLLATE "C" the index compares bytes, and Aa and aa are two ids under every locale.
	id text COLLATE "C" PRIMARY KEY,
	srcurl text NOT NULL,
	created timestamptz NOT NULL,
	lastaccessed timestamptz NOT NULL,
	visits bigint NOT NULL DEFAULT 0,
	-- Two conditions, for {1,64} in the pattern makes it ten times slower (3.7 instead of 0.35 µs a row).
	CONSTRAINT shortenedurls_id CHECK (id ~ '^[A-Za-z0-9_-]+$' AND octet_length(id) <= 64),
	CONSTRAINT shortenedurls_srcurl CHECK (octet_length(srcurl) BETWEEN 1 AND 8192),
	CONSTRAINT shortenedurls_visits CHECK (visits >= 0)
)
-- Room on each page, so that counting a visit rewrites the row in place (HOT) and leaves the index alone.
WITH (fillfactor = 80);

COMMENT ON TABLE shortenedurls IS 'Links: a row for each short URL';
COMMENT ON COLUMN shortenedurls.id IS 'The last part of the short URL: 1 to 64 of A-Z a-z 0-9 _ -';
COMMENT ON COLUMN shortenedurls.srcurl IS 'Where the short URL leads, byte for byte as it was given, but trimmed';
COMMENT ON COLUMN shortenedurls.created IS 'When the link was made';
COMMENT ON COLUMN shortenedurls.lastaccessed IS 'When the last counted visit was; at first, when the link was made';
COMMENT ON COLUMN shortenedurls.visits IS 'How often the short URL has redirected; behind by about a second';

CREATE TABLE visit_writers (
	writer text COLLATE "C" PRIMARY KEY,
	batch bigint NOT NULL,
	written timestamptz NOT NULL
)
-- A few rows, each rewritten about once a second.
WITH (fillfactor = 20);

COMMENT ON TABLE visit_writers IS
	'How far each responder has written its visits: a batch that is repeated after a lost connection counts once';
COMMENT ON COLUMN visit_writers.writer IS 'The random name of a responder process, new at each start';
COMMENT ON COLUMN visit_writers.batch IS 'The number of its last batch that is in; only a higher one is applied';
COMMENT ON COLUMN visit_writers.written IS 'When that was; rows that are long silent are deleted';
