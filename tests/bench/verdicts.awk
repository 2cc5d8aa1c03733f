# A line for each line of wanted.tsv: what, measured, wanted, and whether that is reached; then what is wrong
# with the results. Exit status 1 unless everything is reached and nothing is wrong. After results.awk.

table == "wanted" && !/^#/ {
	wanted[++wanted_count] = $0
}

END {
	status = problem_count > 0 || wanted_count == 0
	for (w = 1; w <= wanted_count; w++) {
		split(wanted[w], part, FS)
		judge(part[1], part[2], part[3], part[4], part[5] == "at least", part[6])
	}
	for (p = 1; p <= problem_count; p++)
		print problems[p]
	exit status
}

function judge(what, measure, ours, others, higher, limit,	one, other, verdict, ratio) {
	one = median(ours, measure)
	other = best(others, measure, higher)
	verdict = compare(one, other, higher, limit)
	if (verdict != "reached")
		status = 1
	ratio = verdict == "missing" ? "-" : sprintf("%.3f", one / other)
	limit = limit ~ "/" ? sprintf("%.3f", fraction(limit)) : limit
	printf "%-60s %8s x   wanted at %s %5s x   %s\n", what, ratio, higher ? "least" : "most ", limit, verdict
}

# Nothing takes no time or memory: a zero was not measured. The margin is for sums such as 1.05 * 20000, which
# binary fractions miss by a hair.
function compare(one, other, higher, limit,	goal) {
	if (one == "" || other == "" || one <= 0 || other <= 0)
		return "missing"
	goal = fraction(limit) * other
	if (higher)
		return one >= goal * (1 - 1e-9) ? "reached" : "short"
	return one <= goal * (1 + 1e-9) ? "reached" : "short"
}

function fraction(text,	part) {
	return split(text, part, "/") == 2 ? part[1] / part[2] : text + 0
}
