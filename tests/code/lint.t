#!/bin/sh
# make lint finds nothing.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh

output=$(make -s lint 2>&1)
status=$?
[ "$status" -eq 0 ] || diag "$output"
is "$status" 0 'make lint is clean'
done_testing
