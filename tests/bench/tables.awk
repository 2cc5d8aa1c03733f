# Prints a file of results as Markdown: facts, then for each experiment of report.tsv its tables and charts.
# After results.awk. Set: results, the name of the file in report.tsv.

# What comes before the first file is said of each.
BEGIN {
	here = 1
	name = "each file"
}

table == "report" && $1 == "results" {
	here = $2 == results
	name = ""
}

table == "report" && here && $1 == "experiment" {
	name = experiments[++experiment_count] = $2
}

# What comes before the first experiment is of the whole file.
table == "report" && here && ($1 == "title" || $1 == "how" || $1 == "chart") {
	said[name, $1] = said[name, $1] (said[name, $1] == "" ? "" : " ") $2
}

table == "report" && here && $1 == "table" {
	varied[name, ++table_count[name]] = $2
	pattern[name, table_count[name]] = $3
}

END {
	print "<!-- Written by tests/bench/report from " results ".tsv. -->\n\n# " said["", "title"] "\n"
	print_facts()
	print said["", "how"] "\n\n" said["each file", "how"]
	print_problems()
	print_charts("")
	sort_keys()
	for (e = 1; e <= experiment_count; e++)
		print_experiment(experiments[e])
}

function print_facts(	i, fact) {
	print "| | |\n|---|---|"
	for (i = 1; i <= fact_count; i++) {
		fact = facts[fact_names[i]]
		if (fact != "")
			print "| " fact_names[i] " | " (fact ~ /^[0-9]+$/ ? with_commas(fact) : fact) " |"
	}
	print ""
}

function print_problems(	i) {
	print ""
	if (!problem_count)
		print "No request failed."
	for (i = 1; i <= problem_count; i++)
		print "- " problems[i]
}

# Contestants in the order of contestants.tsv, all else by its numbers.
function sort_keys(	i, j, key) {
	for (i = 2; i <= known_count; i++) {
		key = known[i]
		for (j = i - 1; j >= 1 && comes_before(key, known[j]); j--)
			known[j + 1] = known[j]
		known[j + 1] = key
	}
}

function comes_before(key, other,	one, two, i, a, b) {
	split(key, one, " ")
	split(other, two, " ")
	for (i = 1; i <= key_parts; i++) {
		a = keys[i] == "contestant" ? place_of(one[i]) : one[i] + 0
		b = keys[i] == "contestant" ? place_of(two[i]) : two[i] + 0
		if (a != b)
			return a < b
	}
	return 0
}

function place_of(contestant) {
	return contestant in rank ? rank[contestant] : ranks + 1
}

# Without a table in report.tsv all of it is one table.
function print_experiment(experiment,	t) {
	print "\n## " said[experiment, "title"] "\n\n" said[experiment, "how"]
	for (t = 1; t <= table_count[experiment]; t++)
		print_varied(varied[experiment, t], pattern[experiment, t])
	if (!table_count[experiment])
		print_all(experiment)
	print_charts(experiment)
}

function print_varied(what, pattern,	g) {
	print_head("| " what " |", "|---:|")
	find_groups(pattern)
	for (g = 1; g <= group_count; g++)
		print_row("| " with_commas(group[g]) " |", key_of(pattern, group[g]))
}

function print_all(experiment,	i, head, rule) {
	head = rule = "|"
	for (i = 2; i <= key_parts; i++) {
		head = head " " keys[i] " |"
		rule = rule (keys[i] == "contestant" ? "---|" : "---:|")
	}
	print_head(head, rule)
	for (i = 1; i <= known_count; i++)
		if (index(known[i], experiment " ") == 1)
			print_row(first_cells(known[i]), known[i])
}

function first_cells(key,	part, i, cells) {
	split(key, part, " ")
	cells = "|"
	for (i = 2; i <= key_parts; i++)
		cells = cells " " (keys[i] == "contestant" ? words_for(part[i]) : with_commas(part[i])) " |"
	return cells
}

function print_head(head, rule) {
	print "\n" head " requests a second | p50, ms | p99, ms | processor s per 1,000 | PostgreSQL's | memory, MB |"
	print rule "---:|---:|---:|---:|---:|---:|"
}

function print_row(cells, key) {
	printf "%s %s |", cells, with_range(key)
	printf " %s | %s |", cell(key, "p50_ms"), cell(key, "p99_ms")
	printf " %s | %s |", cell(key, "cpu_per_1000"), cell(key, "postgres_cpu_per_1000")
	print " " cell(key, "memory_mb") " |"
}

function print_charts(name,	i, n, each) {
	n = split(said[name, "chart"], each, " ")
	for (i = 1; i <= n; i++)
		print "\n![" said[name, "title"] ": " each[i] "](" each[i] ".svg)"
}

function with_range(key) {
	if (median(key, "rate") == "")
		return "–"
	return with_commas(median(key, "rate")) \
		" (" with_commas(least(key, "rate")) " to " with_commas(most(key, "rate")) ")"
}

function cell(key, measure) {
	return median(key, measure) == "" ? "–" : readable(median(key, measure))
}
