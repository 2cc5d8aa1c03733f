#!/bin/sh
# Keys of the API, against a real PostgreSQL: runs the C program of tests/sql/keys.c.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/stack.sh
. "$(dirname "$0")/../lib/stack.sh"
# shellcheck source=tests/lib/program.sh
. "$(dirname "$0")/../lib/program.sh"

start_database
run_c_program keys
done_testing
