# shellcheck shell=sh
# What a benchmark runs on: a private PostgreSQL with all its durability, a pool of 4 behind nginx.
# Sourced by the benchmarks, from the top of the checkout.
#
#   start_bench    sets $nginx_port, $pool_pids, $database, $postgres_folder; all is stopped at the end

conf/install-packages test
make -s all
for name in $(env | sed -n 's/^\(\(SHORTEN\|PG\)[A-Z_]*\)=.*/\1/p'); do
	unset "$name"
done
PATH=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1):$PATH:/usr/sbin:/sbin

TESTS_FOLDER=/tmp
TESTS_POSTGRES=
TESTS_TEMPLATE=
export PATH TESTS_FOLDER TESTS_POSTGRES TESTS_TEMPLATE

. tests/lib/tap.sh
. tests/lib/stack.sh

start_bench() {
	start_postgres fsync=on
	start_pool 4
	start_nginx
}
