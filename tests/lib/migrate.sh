# shellcheck shell=sh disable=SC2034,SC2154 # the tests use what is set here, stack.sh sets the rest
# Databases for sql/migrate. Sourced behind stack.sh.
#
#   make_database NAME [OPTION]...   an empty one
#   make_first_version NAME COUNT    one of the first version, with links
#   speak_first_version ID           the statements of the program of then
#   migrate FOLDER [CONNINFO]        runs FOLDER/migrate
#   list_files, list_applied, list_made, list_indexes, last_version

# Usage: make_database NAME [OPTION]...: an empty one that belongs to shorten, made with options of
# createdb; sets $database, $conninfo.
make_database() {
	[ -z "$database" ] || dropdb --if-exists --force -h "$postgres_folder/socket" -U postgres "$database"
	database=migrate_$1_$$
	shift
	createdb -h "$postgres_folder/socket" -U postgres -O shorten "$@" "$database"
	conninfo="host=$postgres_folder/socket user=shorten dbname=$database"
}

# Usage: migrate FOLDER [CONNINFO]: sets $status, $out, $err
migrate() {
	status=0
	folder=$1
	shift
	"$folder/migrate" "$@" >"$stack_folder/out" 2>"$stack_folder/err" </dev/null || status=$?
	out=$(cat "$stack_folder/out")
	err=$(cat "$stack_folder/err")
}

list_files() {
	(cd sql && printf '%s\n' [0-9][0-9][0-9]_*.sql)
}

# What sql/migrate says of the files and of the indexes that every database gets.
list_applied() {
	list_files | sed 's/^/Applied /; s/$/./'
}

list_made() {
	printf 'Made the index %s.\n' shortenedurls_created shortenedurls_tags
}

# Those that are not valid have a ! behind their names.
list_indexes() {
	sql "SELECT relname || CASE WHEN indisvalid THEN '' ELSE '!' END FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
		WHERE indrelid = 'shortenedurls'::regclass ORDER BY 1" | xargs
}

last_version() {
	list_files | tail -n 1 | sed 's/^0*\([0-9]*\)_.*/\1/'
}

# The database as the first version left it, with COUNT links; the first two of each ten are visited.
# Usage: make_first_version NAME COUNT
make_first_version() {
	make_database "$1"
	psql -Xq -v ON_ERROR_STOP=1 -d "$conninfo" -f sql/001_links.sql || fail 'the first file'
	psql -Xq -v ON_ERROR_STOP=1 -d "$conninfo" -v count="$2" <<'END' || fail 'data of the first version'
CREATE TABLE schema_version (version int PRIMARY KEY, name text NOT NULL, applied timestamptz NOT NULL);
INSERT INTO schema_version VALUES (1, '001_links.sql', now());
INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, visits)
SELECT 'old' || n, 'http://e.example/' || n, '2025-01-01', '2025-01-01'::timestamptz + n * interval '1 s',
	CASE WHEN n % 10 < 2 THEN n ELSE 0 END FROM generate_series(1, :count) n;
END
}

# What the program of the first version says, and what of it has an effect.
# shellcheck disable=SC2016 # parameters
speak_first_version() {
	psql -XqAt -v ON_ERROR_STOP=1 -d "$conninfo" -v id="$1" <<'END'
SET lock_timeout = '5s';
PREPARE insert_link AS INSERT INTO shortenedurls (id, srcurl, created, lastaccessed)
	SELECT id, srcurl, created, created FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS l (id, srcurl, created);
PREPARE find_link AS SELECT id, srcurl FROM shortenedurls WHERE id = ANY($1::text[]) ORDER BY id;
PREPARE find_same_link AS SELECT id FROM shortenedurls WHERE id = $1 AND srcurl = $2 AND created = $3;
PREPARE add_visits AS WITH mark AS (
	INSERT INTO visit_writers AS w (writer, batch, written) VALUES ($1, $2::bigint, $3::timestamptz)
	ON CONFLICT (writer) DO UPDATE SET batch = EXCLUDED.batch, written = EXCLUDED.written
	WHERE w.batch < EXCLUDED.batch RETURNING set_config('synchronous_commit', 'off', true)
) UPDATE shortenedurls l SET visits = l.visits + s.visits, lastaccessed = GREATEST(l.lastaccessed, s.last)
	FROM (SELECT * FROM unnest($4::text[], $5::bigint[], $6::timestamptz[]) AS a (id, visits, last)
	ORDER BY id COLLATE "C") s CROSS JOIN mark WHERE l.id = s.id;
EXECUTE insert_link (ARRAY[:'id'], ARRAY['http://e.example/new'], ARRAY['2025-02-01'::timestamptz]);
EXECUTE find_link (ARRAY[:'id']);
EXECUTE find_same_link (:'id', 'http://e.example/new', '2025-02-01');
EXECUTE add_visits (:'id', 1, '2025-02-02', ARRAY[:'id'], ARRAY[3], ARRAY['2025-02-02'::timestamptz]);
SELECT visits FROM shortenedurls WHERE id = :'id';
DELETE FROM visit_writers WHERE written < '2025-02-03';
END
}
