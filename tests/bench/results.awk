# Reads a table of results, tests/bench/results/*.tsv: facts, then a header, then a line for each run.
# Every program that makes something of the results starts with it:
#
#   awk -f results.awk -f PROGRAM table=contestants contestants.tsv table=results bench.tsv
#
# The columns before `round` say what was measured; their values, with blanks between them, are its key,
# such as "shorten ours-4-nginx 100". What is asked for, and is absent in some round, is "" and not a number.
#
#   facts[NAME]             from the lines `# NAME<TAB>VALUE`; fact_names[1..fact_count] has their order
#   keys[1..key_parts]      the names of the columns that make the key
#   known[1..known_count]   the keys, in the order of the file
#   median(KEY, MEASURE)    over the rounds, also least() and most(); a measure is a column, or cpu_per_1000
#                           or postgres_cpu_per_1000: seconds of processor for 1,000 requests
#   problems[1..problem_count]   sentences about what is wrong with the file; complete at END
#   find_groups(PATTERN)    what keys have for the * of "shorten * 100" or "shorten ours-*-nginx 100", a number:
#                           group[1..group_count], in order; group_column is the name of that column
#   in_words[NAME], colour[NAME], rank[NAME]

BEGIN {
	FS = OFS = "\t"
}

table == "contestants" && !/^#/ {
	in_words[$1] = $2
	colour[$1] = $3
	rank[$1] = ++ranks
}

table == "results" && /^#/ {
	fact_names[++fact_count] = substr($1, 3)
	facts[fact_names[fact_count]] = $2
	next
}

table == "results" && !columns {
	read_header()
	next
}

table == "results" {
	read_run()
}

END {
	check_rounds()
}

function read_header(	i) {
	columns = NF
	for (i = 1; i <= NF; i++) {
		names[i] = $i
		column[$i] = i
	}
	key_parts = column["round"] - 1
	for (i = 1; i <= key_parts; i++)
		keys[i] = $i
}

function read_run(	key, i) {
	key = $1
	for (i = 2; i <= key_parts; i++)
		key = key " " $i
	if (!(key in runs))
		known[++known_count] = key
	if (++run_of[key, value("round")] > 1)
		complain(key ": round " value("round") " is there twice.")
	runs[key]++
	for (i = key_parts + 2; i <= NF; i++)
		remember(key, names[i], $i)
	remember(key, "cpu_per_1000", per_1000("cpu_s"))
	remember(key, "postgres_cpu_per_1000", per_1000("postgres_cpu_s"))
	check_run(key)
}

# The text in such a column of the line at hand.
function value(name) {
	return name in column ? $(column[name]) : ""
}

function is_number(text) {
	return text ~ /^[0-9]+([.][0-9]*)?(e[-+]?[0-9]+)?$/
}

function per_1000(name) {
	if (!is_number(value(name)) || !is_number(value("requests")) || value("requests") + 0 == 0)
		return ""
	return value(name) / value("requests") * 1000
}

function remember(key, measure, text) {
	if (is_number(text))
		values[key, measure, ++count[key, measure]] = text + 0
}

# pgbench ends at the first failure, and has nothing to say about others.
function check_run(key,	failed) {
	failed = value("failed")
	if (NF != columns)
		complain(key ", round " value("round") ": " NF " fields under " columns " names.")
	if (failed == "-" && value("contestant") == "pgbench")
		return
	if (!is_number(failed))
		complain(key ", round " value("round") ": nobody counted the requests that failed.")
	else if (failed + 0 > 0)
		complain(key ", round " value("round") ": " failed " of " value("requests") " requests failed.")
}

# A run that is absent must not pass for one that was measured.
function check_rounds(	i) {
	if (!columns || key_parts < 1)
		complain("There are no results.")
	if (!("rounds" in facts) || !is_number(facts["rounds"]))
		complain("Nothing says how many rounds there were.")
	for (i = 1; i <= known_count; i++)
		if (runs[known[i]] != facts["rounds"])
			complain(known[i] ": " runs[known[i]] " of " facts["rounds"] " rounds.")
}

function complain(sentence) {
	problems[++problem_count] = sentence
}

function is_complete(key, measure) {
	return count[key, measure] > 0 && count[key, measure] == facts["rounds"]
}

# Fills sorted[1..n] and returns n.
function sort_values(key, measure, sorted,	n, i, j, next_value) {
	n = count[key, measure]
	for (i = 1; i <= n; i++) {
		next_value = values[key, measure, i]
		for (j = i - 1; j >= 1 && sorted[j] > next_value; j--)
			sorted[j + 1] = sorted[j]
		sorted[j + 1] = next_value
	}
	return n
}

function median(key, measure,	sorted, n) {
	if (!is_complete(key, measure))
		return ""
	n = sort_values(key, measure, sorted)
	return (sorted[int((n + 1) / 2)] + sorted[int(n / 2) + 1]) / 2
}

function least(key, measure,	sorted) {
	return is_complete(key, measure) && sort_values(key, measure, sorted) ? sorted[1] : ""
}

function most(key, measure,	sorted) {
	return is_complete(key, measure) ? sorted[sort_values(key, measure, sorted)] : ""
}

# The best median of several, as in best("shorten fastify-1|fastify-4 100", "rate", 1), where higher is better;
# "" when one of them is absent, for it may be the best.
function best(pattern, measure, higher,	each, n, i, one, found) {
	n = expand(pattern, each)
	for (i = 1; i <= n; i++) {
		one = median(each[i], measure)
		if (one == "")
			return ""
		if (i == 1 || (higher ? one > found : one < found))
			found = one
	}
	return found
}

# Fills each[1..n] with the keys that a pattern with alternatives stands for, and returns n.
function expand(pattern, each,	n, i, before, after) {
	if (!match(pattern, /[^ ]*[|][^ ]*/)) {
		each[1] = pattern
		return 1
	}
	before = substr(pattern, 1, RSTART - 1)
	after = substr(pattern, RSTART + RLENGTH)
	n = split(substr(pattern, RSTART, RLENGTH), each, "|")
	for (i = 1; i <= n; i++)
		each[i] = before each[i] after
	return n
}

function find_groups(pattern,	i, j, found) {
	group_count = 0
	for (i = 1; i <= known_count; i++) {
		found = matched(pattern, known[i])
		if (found == "")
			continue
		for (j = group_count++; j >= 1 && group[j] + 0 > found + 0; j--)
			group[j + 1] = group[j]
		group[j + 1] = found
	}
}

# What KEY has for the * of PATTERN; "" when they differ elsewhere.
function matched(pattern, key,	before, after, found) {
	before = substr(pattern, 1, index(pattern, "*") - 1)
	after = substr(pattern, index(pattern, "*") + 1)
	found = substr(key, length(before) + 1, length(key) - length(before after))
	if (before found after != key || found ~ / /)
		return ""
	group_column = keys[gsub(/ /, " ", before) + 1]
	return found
}

# The key that such a pattern stands for.
function key_of(pattern, found) {
	sub(/[*]/, found, pattern)
	return pattern
}

# 1234567 becomes 1,234,567.
function with_commas(number,	text, rest) {
	text = sprintf("%.0f", number)
	for (rest = ""; length(text) > 3; text = substr(text, 1, length(text) - 3))
		rest = "," substr(text, length(text) - 2) rest
	return text rest
}

# Three digits that count at the most, but all before the point.
function readable(number) {
	if (number >= 100 || number == 0)
		return with_commas(number)
	if (number >= 10)
		return sprintf("%.1f", number)
	return sprintf(number >= 0.1 ? "%.2f" : "%.3f", number)
}

# What one is called: "shorten.fcgi, 4 responders, nginx"; by its name when contestants.tsv lacks it.
function words_for(name) {
	return name in in_words ? in_words[name] : name
}
