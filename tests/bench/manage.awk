# Makes the report of tests/bench/manage from what it measured, and writes a line for each thing that was to be reached
# into the file `verdicts`.
#
#   awk -f manage.awk -v limit_ms=50 -v limit_ratio=0.9 -v connections=50 -v verdicts=FILE \
#       table=facts FACTS table=calls CALLS table=redirects REDIRECTS
#
# CALLS is what manage.pl prints; a line of REDIRECTS: VARIANT ANSWERED SECONDS P50 P99, and of the lists that were read
# meanwhile COUNT FAILED SECONDS MEDIAN.

BEGIN {
	FS = OFS = "\t"
}

table == "facts" {
	facts = facts "| " substr($1, 3) " | " $2 " |\n"
}

table == "calls" && $1 == "walked" {
	walked = $2
}

table == "calls" && $1 != "walked" {
	is_short = $(NF - 3) >= limit_ms
	kinds++
	slow += is_short
	wrong += $(NF - 6)
	rows[$1] = rows[$1] row_of_call(is_short ? "no" : "yes")
	if ($1 != last_group)
		groups[++group_count] = last_group = $1
}

table == "redirects" {
	split($0, value, " ")
	v = value[1]
	n = ++rounds[v]
	rate[v, n] = value[2] / value[3]
	p50[v, n] = value[4]
	p99[v, n] = value[5]
	lists[v, n] = value[6] / value[8]
	wrong += value[7]
	list_ms[v, n] = value[9]
}

END {
	print "<!-- Written by tests/bench/manage. -->\n\n# Managing links, and following them meanwhile\n\n| | |\n|---|---|\n" facts
	print method()
	for (g = 1; g <= group_count; g++)
		print (groups[g] == "links" ? "## One link, or a hundred\n" : "## " capital(groups[g]) "\n") "\n" table_of(groups[g])
	print "## Redirects while lists are read\n\n" redirects()
	verdict("calls under " limit_ms " ms at the median", (kinds - slow) " of " kinds, kinds > 0 && slow == 0)
	verdict("right answers", wrong + 0 " wrong", wrong == 0)
	verdict("redirects while lists are read without pause", ratio_text("unpaced"), ratio("unpaced") >= limit_ratio)
	verdict("redirects while 10 lists a second are read", ratio_text("paced"), ratio("paced") >= limit_ratio)
}

function capital(text) {
	return toupper(substr(text, 1, 1)) substr(text, 2)
}

# Failed calls, links, processor time, median, p95, p99 and max are the last ones.
function row_of_call(is_quick,	f, text) {
	text = "| " $2 " |"
	for (f = 3; f <= NF; f++)
		if (!is_left_out(f))
			text = text " " $f " |"
	return text " " is_quick " |\n"
}

# Failed calls have a sentence of their own, and calls of single links no number of links.
function is_left_out(f) {
	return f == NF - 6 || $1 == "links" && f == NF - 5
}

function table_of(group) {
	if (group == "links")
		return "| call | calls | PostgreSQL, ms | median, ms | p95 | p99 | max | < " limit_ms " ms |\n|---|---:|---:|---:|---:|---:|---:|---|\n" \
			rows[group]
	return "| filter | limit | page | calls | links on it | PostgreSQL, ms | median, ms | p95 | p99 | max | < " limit_ms " ms |\n" \
		"|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---|\n" rows[group]
}

function method() {
	return "One client asks over one kept connection, through nginx, and sends the next call when the last one is " \
		"answered; each call has other ids, words, tags or pages. A kind of call that takes more than 10 s in all has fewer " \
		"calls. Times are those of the client, from the first byte sent to the last one received. PostgreSQL: what a call takes " \
		"of its processor time on average, which hardly depends on what else the machine does. Lists are read by a " \
		"pool of 2 responders of their own. All pages of each order together have shown each of the " walked " links once.\n\n" \
		"Pages: `first`; `further`, 50 pages that follow each other from any place of the list on; `last`, from near its " \
		"end to the end. Links on it: at the median.\n\n" \
		(slow ? slow " of " kinds " kinds of calls take " limit_ms " ms or more at the median." : \
		"All " kinds " kinds of calls take less than " limit_ms " ms at the median.") " " \
		(wrong ? wrong " answers were wrong." : "No answer was wrong.") "\n"
}

# ---- redirects

function median(values, v,	i, j, n, sorted, x) {
	n = rounds[v]
	for (i = 1; i <= n; i++) {
		x = values[v, i]
		for (j = i - 1; j > 0 && sorted[j] > x; j--)
			sorted[j + 1] = sorted[j]
		sorted[j + 1] = x
	}
	return n == 0 ? 0 : (sorted[int((n + 1) / 2)] + sorted[int(n / 2) + 1]) / 2
}

function range(values, v,	i, least, most) {
	least = most = values[v, 1]
	for (i = 2; i <= rounds[v]; i++) {
		least = values[v, i] < least ? values[v, i] : least
		most = values[v, i] > most ? values[v, i] : most
	}
	return sprintf("%d to %d", least, most)
}

function ratio(v) {
	return median(rate, "none") > 0 ? median(rate, v) / median(rate, "none") : 0
}

function ratio_text(v) {
	return sprintf("%.3f", ratio(v))
}

function row_of_redirects(v, what) {
	return sprintf("| %s | %d (%s) | %s | %.2f | %.2f | %s | %s | %s |\n", what, median(rate, v), range(rate, v),
		v == "none" ? "1" : ratio_text(v), median(p50, v), median(p99, v),
		v == "none" ? "" : sprintf("%.1f", median(lists, v)), v == "none" ? "" : sprintf("%.1f", median(list_ms, v)),
		v == "none" ? "" : ratio(v) >= limit_ratio ? "yes" : "no")
}

function redirects() {
	return "wrk with one thread and " connections " connections follows 100,000 of the links at random through the pool of 4 " \
		"responders, " rounds["none"] " rounds of each kind by turns, without autovacuum. Meanwhile one client reads first pages of lists of all " \
		"kinds, with limits of 50 and 500, through the other pool: none, or without pause, or 10 a second where they are quick " \
		"enough. Client, web server, responders and PostgreSQL share the processors, so that whatever a list takes of them is " \
		"missing for redirects.\n\n" \
		"| lists | redirects a second | of those without | p50, ms | p99, ms | lists a second | median of a list, ms | >= " \
		limit_ratio " |\n|---|---:|---:|---:|---:|---:|---:|---|\n" \
		row_of_redirects("none", "none") row_of_redirects("unpaced", "without pause") row_of_redirects("paced", "10 a second")
}

function verdict(what, text, is_reached) {
	printf "%-50s %12s   %s\n", what, text, is_reached ? "reached" : "short" >verdicts
}
