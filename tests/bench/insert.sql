\set a random(0, 2147483647)
\set b random(0, 2147483647)
INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES (lpad(to_hex(:a::bigint), 8, '0') || right(to_hex(:b::bigint), 2), 'https://example.com/articles/' || to_hex(:a::bigint) || to_hex(:b::bigint), now(), now()) ON CONFLICT (id) DO NOTHING;
