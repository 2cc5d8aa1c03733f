# shellcheck shell=sh
# Runs shortenctl on the test's database. Sourced behind stack.sh.
#
#   ctl ARGUMENT...       runs it; sets $status, $out, $err and, for imports, $reading, the line on standard error that
#                         says what is read, without which $err is. Standard input is the caller's
#   export_links          prints what `shortenctl export` writes, without the header line
#   empty_database        another migrated database, empty, instead of the one before
#
# Set before: PROGRAM, the program (default build/shortenctl).

# shellcheck disable=SC2154 # stack.sh's
ctl_program=$stack_checkout/${PROGRAM:-build/shortenctl}
case ${PROGRAM-} in /*) ctl_program=$PROGRAM ;; esac
[ -x "$ctl_program" ] || bail_out "there is no program $ctl_program"

SHORTEN_BASE_URL=http://test.short/
export SHORTEN_BASE_URL

# shellcheck disable=SC2034 # for the test
ctl() {
	status=0
	env SHORTEN_DATABASE="$SHORTEN_DATABASE" "$ctl_program" "$@" >"$stack_folder/ctl.out" 2>"$stack_folder/ctl.err" || status=$?
	out=$(cat "$stack_folder/ctl.out")
	reading=$(grep -a '^Reading ' "$stack_folder/ctl.err" || :)
	err=$(grep -av '^Reading ' "$stack_folder/ctl.err" || :)
}

export_links() {
	ctl export
	printf '%s\n' "$out" | sed 1d
}

# The one before is dropped; the last one is dropped by stack.sh.
empty_database() {
	dropdb --if-exists --force -h "$postgres_folder/socket" -U postgres "$database"
	start_database
}
