# Makes a report of the samples of soak.pl: a table, what was answered, and how flat it is.
#
# Usage: awk -f soak.awk -v limit_kb=256 -v resident_limit_kb=6144 -v from=25 SAMPLES
#
# Exit status 1 when after the first `from` of a hundred requests the heap of a responder grew by more than limit_kb, or
# what it has in memory by more than resident_limit_kb; or when a sample is missing.

function thousands(number, text) {
	text = sprintf("%d", number)
	while (match(text, /[0-9][0-9][0-9][0-9]($|,)/))
		text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
	return text
}

function signed(number) {
	return (number < 0 ? "-" : "+") thousands(number < 0 ? -number : number)
}

# The line of a responder: what it was after each part, most of all, and how much it grew. Sets growth.
function print_line(name, what, limit, i, line) {
	for (i = 1; i <= 5; i++) {
		if (!((name, what, marks[i]) in value))
			missing = missing " " name " " marks[i] " %"
		line = line " | " thousands(value[name, what, marks[i]])
	}
	growth = value[name, what, 100] - value[name, what, from]
	printf "| %s | %s%s | %s | %s |\n", name, what, line, thousands(highest[name, what]), signed(growth)
	if (limit != "" && growth > limit)
		too_much = too_much "\n" name " grew by " thousands(growth) " of " what ", the limit is " thousands(limit) "."
}

function note(name, what, when, number) {
	if (when != "load")
		value[name, what, when] = number
	if (number > highest[name, what])
		highest[name, what] = number
}

BEGIN {
	FS = "\t"
	split("5 25 50 75 100", marks, " ")
}

$1 == "sample" {
	if (!($3 in known)) {
		known[$3]
		names[++names_count] = $3
	}
	note($3, "resident, KB", $2, $6)
	note($3, "private, KB", $2, $7)
	if ($9 != "-")
		note($3, "heap in use, bytes", $2, $9)
	note($3, "descriptors", $2, $8)
}
$1 == "status" { statuses = statuses (statuses == "" ? "" : ", ") $2 ": " thousands($3) }
$1 == "end" { requests = $2; seconds = $3; wrong = $4; cut = $5 }

END {
	printf "%s requests in %s s; %s of them were cut off. Answers: %s; with another status than expected: %s.\n\n",
		thousands(requests), thousands(seconds), thousands(cut), statuses, thousands(wrong)
	printf "| responder | what | 5 %% | 25 %% | 50 %% | 75 %% | 100 %% | highest | growth after %d %% |\n", from
	print "|---|---|---:|---:|---:|---:|---:|---:|---:|"
	for (n = 1; n <= names_count; n++) {
		print_line(names[n], "resident, KB", resident_limit_kb)
		print_line(names[n], "private, KB")
		print_line(names[n], "heap in use, bytes", limit_kb * 1024)
		if (n == 1 || growth > most) {
			most = growth
			most_name = names[n]
		}
		print_line(names[n], "descriptors")
	}
	if (missing != "" || names_count == 0 || requests == 0) {
		print "\nSamples are missing:" missing "."
		exit 1
	}
	printf "\nWhat a heap holds grew by %s bytes at most (%s), in the last %s requests to all of them.\n",
		thousands(most), most_name, thousands(requests * (100 - from) / 100)
	print too_much == "" ? "No responder grew by more than the limits." : substr(too_much, 2)
	exit too_much != ""
}
