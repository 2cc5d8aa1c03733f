\set i random(1, 10000)
SELECT srcurl FROM shortenedurls WHERE id = lpad(to_hex(:i::bigint * 662840267 & 1099511627775), 10, '0');
