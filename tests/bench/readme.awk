# Prints what the README says of the results; exit status 1 when they lack something or something is wrong
# with them, which goes to standard error. After results.awk. Set: results, the folder for the links.

table == "readme" && !/^#/ {
	rows[++row_count] = $0
}

END {
	print "| | shorten.fcgi | Fastify | ratio |\n|---|---:|---:|---:|"
	for (r = 1; r <= row_count; r++) {
		split(rows[r], part, FS)
		print_row(part[1], median(part[3], part[2]), best(part[4], part[2], part[5] == "more"))
	}
	print_circumstances()
	print "\n![POST /shorten: requests a second](" results "/shorten-rate.svg)"
	for (p = 1; p <= problem_count; p++)
		print problems[p] >"/dev/stderr"
	exit problem_count > 0 || row_count == 0
}

function print_row(what, ours, theirs) {
	if (ours == "" || theirs == "" || theirs <= 0) {
		complain("Missing: " what)
		return
	}
	printf "| %s | %s | %s | %.2f |\n", what, readable(ours), readable(theirs), ours / theirs
}

function print_circumstances() {
	print "\nMedians of " fact("rounds") " rounds of at least " fact("requests") " requests, " fact("date") "," \
		" on a machine with " processors() " for the client, the contestants and PostgreSQL alike." \
		" The client is wrk with one thread, in a closed loop." \
		" shorten.fcgi: four responders, for `/hello` eight, behind nginx " fact("nginx") ";" \
		" up to 128 connections the first of them does all the work." \
		" Fastify " fact("fastify") " with Sequelize " fact("sequelize") " on Node.js " fact("node") \
		" in production mode, a pool of 10 connections for each process, no web server in front:" \
		" one process, its plain form, or a cluster of four, whichever is better;" \
		" for `/hello` a cluster of eight, and for memory and processor time that of four." \
		" Both on PostgreSQL " fact("postgresql") " and " fact("kernel") "." \
		" Memory (PSS at the end of a run) and processor time are those of all processes," \
		" nginx included and PostgreSQL not." \
		" All of it, with lighttpd, `pgbench` and more charts: [" results "/bench.md](" results "/bench.md)."
}

function fact(name) {
	if (facts[name] == "")
		complain("Missing: # " name)
	return facts[name] ~ /^[0-9]+$/ ? with_commas(facts[name]) : facts[name]
}

function processors() {
	return fact("processors") (facts["processors"] ~ /^[0-9]+$/ ? " processors" : "")
}
