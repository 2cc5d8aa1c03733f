-- Fills an empty database with :links links as people have them, the same ones in each run, and notes in the schema
-- bench what can be looked for in them. Read by manage.
--
-- Every URL has 60 to 150 bytes and holds: https://, .example/, one of ten sections, two to five words of 512, a
-- number of its own, and in one of five URLs one of twenty topics, so that each of these is in one of a hundred.

\set ON_ERROR_STOP on
SET timezone = 'UTC';
SELECT setseed(0.25) \g /dev/null

CREATE SCHEMA bench;

-- Three syllables make a word that stands in no other one.
CREATE TABLE bench.words AS
SELECT row_number() OVER () AS i, a || b || c AS word
FROM unnest('{ba,de,fi,go,ku,la,me,ni}'::text[]) a, unnest('{po,ru,sa,te,vi,wo,zu,ha}'::text[]) b,
	unnest('{bel,dor,fan,gil,kum,lor,mas,nev}'::text[]) c;

CREATE TABLE bench.sections AS
SELECT * FROM unnest('{articles,products,events,press,gallery,manuals,support,careers,archive,stories}'::text[])
	WITH ORDINALITY AS s (word, i);

CREATE TABLE bench.topics AS
SELECT * FROM unnest('{winter,summer,autumn,orchid,bicycle,kitchen,jacket,yoghurt,quartz,jubilee,oxygen,whisky,
	hockey,square,pyjamas,wizard,exhibit,jasmine,quicklime,coxswain}'::text[]) WITH ORDINALITY AS t (word, i);

-- The first tag is 200 times as frequent as the last one.
CREATE TABLE bench.tags AS
SELECT i, 'tag ' || i AS tag, sum(1.0 / i) OVER (ORDER BY i) / sum(1.0 / i) OVER () AS up_to
FROM generate_series(1, 200) AS i;

CREATE FUNCTION bench.pick(words text[]) RETURNS text LANGUAGE sql AS
	'SELECT words[1 + floor(random() * cardinality(words))::int]';

-- Links are made evenly over two years. Three of ten are visited, on up to 30 days in a row of the last 30; few on
-- all of them.
CREATE TEMP TABLE made AS
SELECT i, translate(left(encode(sha256(i::text::bytea), 'base64'), 10), '+/', '-_') AS id,
	now() - interval '730 days' * (1 - i::float8 / :links) - interval '1 minute' AS created
FROM generate_series(1, :links) AS i;

CREATE TEMP TABLE days AS
SELECT m.i, m.id, d.day, 1 + floor(exp(4 * random()) * s.weight)::bigint AS visits, floor(3 * random())::bigint AS robots,
	LEAST(GREATEST(m.created, d.day + interval '1 day' * random()), now()) AS last
FROM made m,
	LATERAL (SELECT 1 + floor(30 * power(random(), 3))::int AS count, random() AS place, exp(5 * random()) AS weight
		WHERE random() < 0.3 AND m.i > 0 OFFSET 0) s,
	LATERAL (SELECT (current_date - floor(s.place * (31 - s.count))::int) - n AS day
		FROM generate_series(0, s.count - 1) AS n) d
WHERE d.day >= m.created::date;

CREATE TEMP TABLE visited AS
SELECT i, sum(visits)::bigint AS visits, max(last) AS last FROM days GROUP BY i;
ANALYZE made, days, visited;

CREATE TEMP TABLE tagged AS
SELECT m.i, array_agg(DISTINCT t.tag) AS tags
FROM made m, LATERAL (SELECT random() AS at FROM generate_series(1, 1 + floor(3 * random())::int)
		WHERE m.i > 0) p,
	LATERAL (SELECT tag FROM bench.tags WHERE up_to >= p.at ORDER BY up_to LIMIT 1) t
WHERE m.i % 10 = 0
GROUP BY m.i;
ANALYZE tagged;

-- Indexes that are made at the end are made many times faster; sql/migrate makes those that are dropped here.
DROP INDEX shortenedurls_created, shortenedurls_tags;
ALTER TABLE shortenedurls DROP CONSTRAINT shortenedurls_pkey;

INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, visits, title, tags)
SELECT m.id,
	'https://' || bench.pick('{www.,shop.,news.,blog.}') || bench.pick(w.words) || bench.pick('{bank,net,haus,land}')
		|| '.example/' || bench.pick(s.words) || '/' || bench.pick(w.words) || '-' || bench.pick(w.words)
		|| CASE WHEN random() < 0.7 THEN '-' || bench.pick(w.words) ELSE '' END
		|| CASE WHEN random() < 0.4 THEN '-' || bench.pick(w.words) ELSE '' END
		|| CASE WHEN random() < 0.2 THEN '-' || bench.pick(t.words) ELSE '' END
		|| '-' || (10000000 + m.i * 61 % 89999999)
		|| CASE WHEN random() < 0.5 THEN '?utm_source=newsletter&utm_medium=mail' ELSE '' END,
	m.created, COALESCE(v.last, m.created), COALESCE(v.visits, 0),
	CASE WHEN m.i % 2 = 0 THEN initcap(bench.pick(w.words)) || ' ' || bench.pick(w.words) || ', ' || bench.pick(w.words) END,
	COALESCE(g.tags, '{}')
FROM made m LEFT JOIN visited v USING (i) LEFT JOIN tagged g USING (i),
	(SELECT array_agg(word ORDER BY i) AS words FROM bench.words) w,
	(SELECT array_agg(word ORDER BY i) AS words FROM bench.sections) s,
	(SELECT array_agg(word ORDER BY i) AS words FROM bench.topics) t
ORDER BY m.i;

-- A month's rows come in day after day, so that those of a link lie far apart.
INSERT INTO visits_by_day (id, day, visits, robots) SELECT id, day, visits, robots FROM days ORDER BY day, random();

INSERT INTO link_activity (id, visits, lastaccessed)
SELECT id, visits, lastaccessed FROM shortenedurls WHERE visits > 0 ORDER BY lastaccessed;

ALTER TABLE shortenedurls ADD CONSTRAINT shortenedurls_pkey PRIMARY KEY (id);
