# shellcheck shell=sh
# Limits of responders that run. Sourced behind row.sh.
#
#   limit_responders OPTION...   sets limits of every process in $pool_pids, by options of prlimit(1)

# shellcheck disable=SC2154 # what the libraries set

# Even root may be allowed it only as the user of the process.
limit_responders() {
	for limit_pid in $pool_pids; do
		${stack_as_root:+setpriv --reuid=www-data --regid=www-data --clear-groups} \
			prlimit --pid "$limit_pid" "$@" || fail "prlimit $*"
	done
}
