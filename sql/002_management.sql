-- Links that people manage: options, keys, lists, and counts of visits by day.

CREATE TABLE api_keys (
	id text COLLATE "C" PRIMARY KEY,
	hash bytea NOT NULL UNIQUE,
	label text NOT NULL,
	created timestamptz NOT NULL,
	lastused timestamptz,
	revoked timestamptz,
	CONSTRAINT api_keys_hash CHECK (octet_length(hash) = 32),
	CONSTRAINT api_keys_label CHECK (octet_length(label) BETWEEN 1 AND 400)
);

COMMENT ON TABLE api_keys IS 'Keys of the API: who has one may make and manage links';
COMMENT ON COLUMN api_keys.id IS 'What the key is called in shortenedurls.owner';
COMMENT ON COLUMN api_keys.hash IS 'SHA-256 of the key; the key itself is nowhere';
COMMENT ON COLUMN api_keys.label IS 'What or whom the key is for';
COMMENT ON COLUMN api_keys.created IS 'When the key was made';
COMMENT ON COLUMN api_keys.lastused IS 'When the key was last used, to the minute';
COMMENT ON COLUMN api_keys.revoked IS 'Since when the key does not work any more';

CREATE TABLE reusable_links (
	hash bytea PRIMARY KEY,
	id text COLLATE "C" NOT NULL
);

COMMENT ON TABLE reusable_links IS
	'Links that "reuse" gives out again. The key makes one link of many requests that come at the same time';
COMMENT ON COLUMN reusable_links.hash IS 'SHA-256 of owner, URL and options';
COMMENT ON COLUMN reusable_links.id IS 'The link; when it has ended or was edited, the next request puts another here';

CREATE TABLE used_visits (
	id text COLLATE "C",
	mark text COLLATE "C",
	used timestamptz NOT NULL,
	PRIMARY KEY (id, mark)
);
CREATE INDEX used_visits_used ON used_visits (id, used);

COMMENT ON TABLE used_visits IS
	'Visits of the last hour that counted against a maxvisits: one that is repeated after a lost connection counts once';
COMMENT ON COLUMN used_visits.id IS 'The link';
COMMENT ON COLUMN used_visits.mark IS 'A random mark of the visit';
COMMENT ON COLUMN used_visits.used IS 'When it was; each visit deletes old ones of its link';

CREATE TABLE link_activity (
	id text COLLATE "C" PRIMARY KEY,
	visits bigint NOT NULL,
	lastaccessed timestamptz NOT NULL
)
WITH (fillfactor = 90);

COMMENT ON TABLE link_activity IS
	'Visited links in the order in which lists show them; some seconds behind. Apart from the links, where an index on what changes with each visit would make each visit several times as dear';
COMMENT ON COLUMN link_activity.id IS 'The link; one that was never visited is not here';
COMMENT ON COLUMN link_activity.visits IS 'As shortenedurls.visits was';
COMMENT ON COLUMN link_activity.lastaccessed IS 'As shortenedurls.lastaccessed was';

INSERT INTO link_activity (id, visits, lastaccessed)
SELECT id, visits, lastaccessed FROM shortenedurls WHERE visits > 0;

CREATE INDEX link_activity_visits ON link_activity (visits, id);
CREATE INDEX link_activity_lastaccessed ON link_activity (lastaccessed, id);

CREATE TABLE visits_by_day (
	id text COLLATE "C",
	day date,
	visits bigint NOT NULL,
	robots bigint NOT NULL,
	PRIMARY KEY (id, day)
)
WITH (fillfactor = 80);

COMMENT ON TABLE visits_by_day IS 'How often each link was visited on each day; some seconds behind';
COMMENT ON COLUMN visits_by_day.id IS 'The link';
COMMENT ON COLUMN visits_by_day.day IS 'The day, in UTC';
COMMENT ON COLUMN visits_by_day.visits IS 'Redirects, without those of robots';
COMMENT ON COLUMN visits_by_day.robots IS 'Redirects of robots and of browsers that fetch ahead';

-- Last, for from here to the end of the transaction nobody else can use the links. Who waits for the lock holds up all
-- others: rather try again later.
SET LOCAL lock_timeout = '2s';
-- Columns that are NULL or have a constant default take no time, however many links there are.
ALTER TABLE shortenedurls
	ADD COLUMN title text,
	ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
	ADD COLUMN validfrom timestamptz,
	ADD COLUMN expires timestamptz,
	ADD COLUMN maxvisits bigint,
	ADD COLUMN redirectstatus smallint,
	ADD COLUMN forwardquery boolean NOT NULL DEFAULT false,
	ADD COLUMN enabled boolean NOT NULL DEFAULT true,
	ADD COLUMN deleted timestamptz,
	ADD COLUMN owner text COLLATE "C" NOT NULL DEFAULT '',
	ADD COLUMN mark text COLLATE "C",
	-- One condition, for PostgreSQL reads each anew for every statement. NOT VALID spares it to look at the
	-- links that are there, which have none of this yet; for new rows it makes no difference.
	ADD CONSTRAINT shortenedurls_options CHECK (octet_length(title) <= 4096 AND cardinality(tags) <= 50
		AND maxvisits >= 1 AND redirectstatus BETWEEN 301 AND 308) NOT VALID;

COMMENT ON COLUMN shortenedurls.title IS 'What the link is called in lists';
COMMENT ON COLUMN shortenedurls.tags IS 'What the link belongs to, for lists';
COMMENT ON COLUMN shortenedurls.validfrom IS 'Before this time the short URL answers 404';
COMMENT ON COLUMN shortenedurls.expires IS 'From this time on the short URL answers 410';
COMMENT ON COLUMN shortenedurls.maxvisits IS 'After so many visits the short URL answers 410';
COMMENT ON COLUMN shortenedurls.redirectstatus IS 'Status of the redirect: 301, 302, 307 or 308; NULL: as the setting says';
COMMENT ON COLUMN shortenedurls.forwardquery IS 'Whether the query of the visitor is appended to srcurl';
COMMENT ON COLUMN shortenedurls.enabled IS 'Whether the short URL works; if not, it answers 410';
COMMENT ON COLUMN shortenedurls.deleted IS 'When the link was deleted; its row stays, so that the id is never given out again';
COMMENT ON COLUMN shortenedurls.owner IS 'The id of the key that the link was made with; empty: none';
COMMENT ON COLUMN shortenedurls.mark IS
	'A random mark of the request that made the link, so that repeating it after a lost connection finds its own link';
