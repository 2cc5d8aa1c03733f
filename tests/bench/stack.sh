# shellcheck shell=sh
# What a benchmark runs on: the packages, our program, a private PostgreSQL with all its durability.
# Sourced by the benchmarks, from the top of the checkout.
#
#   start_bench    sets $database, $postgres_folder; all is stopped at the end

tests/bench/install
make -s all
# A build with sanitizers is not what is to be measured, another README.md not what is to be written.
unset RESPONDER README
for name in $(env | sed -n 's/^\(\(SHORTEN\|PG\)[A-Z_]*\)=.*/\1/p'); do
	unset "$name"
done
PATH=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1):$PATH:/usr/sbin:/sbin

# Not in memory, as /dev/shm would be: commits have to reach a disk.
TESTS_FOLDER=/var/tmp
TESTS_POSTGRES=
TESTS_TEMPLATE=
export PATH TESTS_FOLDER TESTS_POSTGRES TESTS_TEMPLATE

. tests/lib/tap.sh
. tests/lib/stack.sh

start_bench() {
	start_postgres fsync=on max_connections=200
	[ "$(sql 'SHOW fsync')$(sql 'SHOW synchronous_commit')" = onon ] || bail_out 'PostgreSQL is not durable'
}
