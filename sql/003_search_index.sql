-- Until now an index of this name was made for searches where pg_trgm is there; sql/migrate makes another instead,
-- of one expression. Left behind, it would cost each new link time and serve nobody. Who waits for the lock holds up
-- all others: rather try again later.
SET LOCAL lock_timeout = '2s';
DROP INDEX IF EXISTS shortenedurls_search;
