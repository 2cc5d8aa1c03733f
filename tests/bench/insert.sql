\set number random(0, 4611686018427387903)
INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES (left(translate(encode(int8send(:number::bigint), 'base64'), '+/', '-_'), 10), 'https://example.com/a/' || lpad(to_hex(:number::bigint), 28, '0'), now(), now());
