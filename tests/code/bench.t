#!/bin/sh
# Of the benchmark: README.md and the charts say what the results say, and the verdicts are right. Measures nothing.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh

LC_ALL=C
export LC_ALL
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bound" "$folder/changed" "$folder/growth" "$folder/bin"
bound=$folder/bound/bench.tsv
changed=$folder/changed/bench.tsv
growth=$folder/growth/growth.tsv
tab=$(printf '\t')

# ---- made-up results, in which everything is just reached

# Experiment, contestant, connections, then medians: rate, p99, processor seconds of a run, memory.
list_medians() {
	cat <<'END'
shorten ours-1-nginx 100 30000 25 0.4 20
shorten ours-4-nginx 10 15000 5 0.5 50
shorten ours-4-nginx 50 30000 10 0.5 50
shorten ours-4-nginx 100 36000 20 0.5 50
shorten fastify-1 10 5000 50 2 100
shorten fastify-1 50 4000 55 2 100
shorten fastify-1 100 5500 60 2 100
shorten fastify-4 10 4000 50 2 400
shorten fastify-4 50 5000 60 2 400
shorten fastify-4 100 6000 70 2 400
hello ours-8-nginx 100 21000 20 0.5 60
hello fastify-8 100 20000 25 1 800
redirect ours-4-nginx 100 40000 20 0.5 50
redirect fastify-1 100 4900 60 2 100
redirect fastify-4 100 5000 70 2 400
END
	printf 'insert pgbench %s 20000 - - -\n' 4 10 50 100
	printf 'select pgbench %s 20000 - - -\n' 10 50 100
}

# The rounds differ, and neither their mean nor one that is always in the same place is the median.
# shellcheck disable=SC2016 # fields of awk
write_bound() {
	printf '# %s\t1\n' date processors kernel postgresql nginx lighttpd node fastify sequelize
	printf '# requests\t10000\n# rounds\t3\n'
	echo experiment contestant connections round requests failed seconds rate p50_ms p99_ms cpu_s postgres_cpu_s \
		memory_mb | tr ' ' '\t'
	list_medians | awk -v OFS='\t' '
		function at(median) { return median == "-" ? "-" : median * factor }
		{
			for (round = 1; round <= 3; round++) {
				factor = (NR + round) % 3 == 0 ? 1 : (NR + round) % 3 == 1 ? 0.5 : 4
				other = $2 == "pgbench" ? "-" : factor
				failed = $2 == "pgbench" ? "-" : 0
				print $1, $2, $3, round, 10000, failed, 1, at($4), other, at($5), at($6), other, at($7)
			}
		}'
}

# Two rounds: each thing varied, in no order, with medians that follow from its line.
# shellcheck disable=SC2016
write_growth() {
	printf '# requests\t10000\n# rounds\t2\n'
	echo experiment contestant connections links url_bytes round requests failed seconds rate p50_ms p99_ms cpu_s \
		postgres_cpu_s memory_mb | tr ' ' '\t'
	printf 'ours-%s\n' '4-nginx 100 1000000 50' '4-nginx 100 20000000 50' '4-nginx 100 10000 50' \
		'8-nginx 100 1000000 50' '1-nginx 100 1000000 50' '2-nginx 100 1000000 50' \
		'4-nginx 1000 1000000 50' '4-nginx 50 1000000 50' '4-nginx 300 1000000 50' '4-nginx 10 1000000 50' \
		'4-nginx 100 1000000 2000' '4-nginx 100 1000000 250' |
		awk -v OFS='\t' '{
			for (round = 1; round <= 2; round++) {
				x = NR * (round - 0.5)
				key = $1 OFS $2 OFS $3 OFS $4 OFS round
				print "shorten", key, 10000, 0, 1, 1000 * x, x, 2 * x, 3 * x, 4 * x, 5 * x
				print "redirect", key, 10000, 0, 1, 2000 * x, x, 3 * x, 3 * x, 4 * x, 5 * x
			}
		}'
}

# change KEY COLUMN AWK-EXPRESSION [ROUND]: of what is there, x. Without a round in all of them.
change() {
	awk -F '\t' -v OFS='\t' -v key="$1" -v name="$2" -v only="${4-}" '
		/^#/ { print; next }
		!column { for (i = 1; i <= NF; i++) if ($i == name) column = i }
		$1 " " $2 " " $3 == key && (only == "" || $4 == only) { x = $column; $column = '"$3"' }
		{ print }' "$bound" >"$changed"
}

# without_column NAME
without_column() {
	awk -F '\t' -v OFS='\t' -v name="$1" '
		/^#/ { print; next }
		!column { for (i = 1; i <= NF; i++) if ($i == name) column = i }
		{
			line = ""
			for (i = 1; i <= NF; i++)
				if (i != column)
					line = line (line == "" ? "" : OFS) $i
			print line
		}' "$bound" >"$changed"
}

# ---- medians

# median_of ROUNDS VALUE...
median_of() {
	printf '# rounds\t%s\nexperiment\tround\trate\n' "$1" >"$folder/values.tsv"
	shift
	round=0
	for value; do
		round=$((round + 1))
		printf 'a\t%s\t%s\n' "$round" "$value" >>"$folder/values.tsv"
	done
	printf 'END { print median("a", "rate") }\n' >"$folder/median.awk"
	awk -f tests/bench/results.awk -f "$folder/median.awk" table=results "$folder/values.tsv"
}

test_medians() {
	is "$(median_of 3 5 1 3)" 3 'the median of three rounds'
	is "$(median_of 3 100 9 10)" 10 'by number, not by text'
	is "$(median_of 4 10 1 3 4)" 3.5 'the median of four rounds lies between the middle two'
	is "$(median_of 1 7)" 7 'the median of one round'
	is "$(median_of 3 5 1)" '' 'no median when a round is absent'
	is "$(median_of 3 5 - 1)" '' 'no median when a value is absent'
	is "$(median_of 3 5 nan 1)" '' 'no median when a value is no number'
}

# ---- verdicts

# verdicts FOLDER: sets $status, $out, and $short and $missing, the numbers of those lines.
verdicts() {
	status=0
	out=$(tests/bench/verdicts "$folder/$1" 2>&1) || status=$?
	short=$(printf '%s\n' "$out" | sed -n '/   short$/=' | xargs)
	missing=$(printf '%s\n' "$out" | sed -n '/   missing$/=' | xargs)
}

test_bound() {
	verdicts bound
	is "$status" 0 'what is reached exactly is reached'
	is "$(printf '%s\n' "$out" | sed 's/  */ /g;s/.* \([0-9.]* x wanted\)/\1/')" \
		'6.000 x wanted at least 6 x reached
6.000 x wanted at least 6 x reached
3.000 x wanted at least 3 x reached
1.800 x wanted at least 1.8 x reached
8.000 x wanted at least 8 x reached
1.050 x wanted at least 1.05 x reached
0.333 x wanted at most 0.333 x reached
0.125 x wanted at most 0.125 x reached
0.250 x wanted at most 0.250 x reached' 'nine verdicts say what was measured and what is wanted'
	is "$(awk -F '\t' '!/^#/ && (NF != 6 || $5 !~ /^at (least|most)$/)' tests/bench/wanted.tsv)" '' \
		'wanted.tsv has six columns and knows two directions'
}

# is_short LINES KEY COLUMN EXPRESSION
is_short() {
	change "$2" "$3" "$4"
	verdicts changed
	is "$status|$short|$missing" "1|$1|" "short: verdict $1, when $3 of $2 is $4"
}

test_short() {
	is_short 1 'shorten fastify-4 100' rate 'x * 1.001'
	is_short 1 'shorten fastify-1 100' rate 'x * 1.1'
	is_short 2 'shorten fastify-4 50' rate 'x * 1.001'
	is_short 3 'shorten fastify-1 10' rate 'x * 1.001'
	is_short 4 'insert pgbench 4' rate 'x * 1.001'
	is_short 5 'redirect fastify-4 100' rate 'x * 1.001'
	is_short 6 'hello fastify-8 100' rate 'x * 1.001'
	is_short 7 'shorten fastify-1 100' p99_ms 'x * 0.999'
	is_short 7 'shorten fastify-4 100' p99_ms 'x * 0.8'
	is_short 8 'shorten fastify-4 100' memory_mb 'x * 0.999'
	is_short 9 'shorten fastify-4 100' cpu_s 'x * 0.999'
	is_short 9 'shorten ours-4-nginx 100' requests 'x * 0.999'
	is_short '1 4' 'shorten ours-4-nginx 100' rate 'x * 0.999'
}

# is_missing LINES WHAT: of $changed.
is_missing() {
	verdicts changed
	is "$status|$short|$missing" "1||$1" "missing: verdict $1, when there is no $2"
}

test_missing() {
	for each in '1 7:shorten fastify-1 100' '1 7 8 9:shorten fastify-4 100' '1 4 7 8 9:shorten ours-4-nginx 100' \
		'3:shorten fastify-4 10' '4:insert pgbench 4' '5:redirect fastify-1 100' '6:hello ours-8-nginx 100'; do
		grep -v "^$(printf '%s' "${each#*:}" | tr ' ' '\t')$tab" "$bound" >"$changed"
		is_missing "${each%%:*}" "row ${each#*:}"
	done
	grep -v "^hello${tab}fastify-8${tab}100${tab}2$tab" "$bound" >"$changed"
	is_missing 6 'second round of hello fastify-8'
	like "$out" '*hello fastify-8 100: 2 of 3 rounds.*' 'a round that is absent is named'
	for each in 7:p99_ms 8:memory_mb 9:cpu_s '1 2 3 4 5 6:rate' 9:requests; do
		without_column "${each#*:}"
		is_missing "${each%%:*}" "column ${each#*:}"
	done
	change 'shorten ours-4-nginx 100' memory_mb '"-"' 2
	is_missing 8 'memory in one round'
	change 'shorten ours-4-nginx 100' memory_mb 0
	is_missing 8 'memory but 0'
	grep -v '^# rounds' "$bound" >"$changed"
	is_missing '1 2 3 4 5 6 7 8 9' 'number of rounds'
	: >"$changed"
	is_missing '1 2 3 4 5 6 7 8 9' 'result at all'
}

# is_named SENTENCE NAME: all is reached, but something is wrong with $changed.
is_named() {
	verdicts changed
	is "$status|$short|$missing" '1||' "$2: exit status 1"
	like "$out" "*
$1*" "$2: named"
}

test_problems() {
	change 'shorten ours-4-lighttpd 10' failed 1
	verdicts changed
	is "$status" 0 'a change of nothing changes nothing'
	change 'shorten ours-4-nginx 100' failed 3 2
	is_named 'shorten ours-4-nginx 100, round 2: 3 of 10000 requests failed.' 'requests that failed'
	change 'shorten ours-1-nginx 100' failed 1 3
	is_named 'shorten ours-1-nginx 100, round 3: 1 of 10000 requests failed.' \
		'one that failed where no verdict looks'
	change 'shorten fastify-4 100' failed '"-"' 1
	is_named 'shorten fastify-4 100, round 1: nobody counted' 'requests that nobody counted'
	without_column failed
	is_named 'shorten ours-1-nginx 100, round 1: nobody counted' 'a column that is absent'
	change 'shorten fastify-1 10' round 2 3
	is_named 'shorten fastify-1 10: round 2 is there twice.' 'a round that is there twice'
	change 'shorten fastify-1 10' memory_mb 'x OFS x' 3
	is_named 'shorten fastify-1 10, round 3: 14 fields under 13 names.' 'a field too many'
}

# ---- tables and charts

# gnuplot is not needed to run this: this one draws nothing, or fails if there is the file `fail`.
write_gnuplot() {
	cat >"$folder/bin/gnuplot" <<END
#!/bin/sh
[ ! -e "$folder/fail" ] || exit 1
printf '%s\n' '<svg>' '<title>Gnuplot</title>' '<desc>Produced by GNUPLOT</desc>' '</svg>'
END
	chmod 0755 "$folder/bin/gnuplot"
	PATH=$folder/bin:$PATH
}

# report ARGUMENT...: sets $status, $out
report() {
	status=0
	out=$(tests/bench/report "$@" 2>&1) || status=$?
}

test_tables() {
	cp "$bound" "$changed"
	: >"$folder/fail"
	report "$folder/changed"
	isnt "$status" 0 'report: fails when gnuplot fails'
	row='4 responders, nginx | 100 | 36,000 (18,000 to 144,000) | 1.00 | 20.0 | 0.050 | 0.10 | 50.0 |'
	like "$(cat "$folder/changed/bench.md")" "*| shorten.fcgi, $row*" \
		'report: a row has medians and the range of the rate, without gnuplot'
	like "$(cat "$folder/changed/bench.md")" '*No request failed.*' 'report: says that no request failed'
	rm "$folder/fail"
	change 'shorten fastify-1 10' failed 3 2
	report "$folder/changed"
	like "$(cat "$folder/changed/bench.md")" '*
- shorten fastify-1 10, round 2: 3 of 10000 requests failed.*' 'report: says which requests failed'
	is "$(grep -c '^| Fastify, cluster of 4 |' "$folder/changed/bench.md")" 4 \
		'report: a row for each that was measured'
}

test_charts() {
	cp "$bound" "$changed"
	report "$folder/changed"
	is "$status|$out" '0|' 'report: draws'
	is "$(cd "$folder/changed" && echo *.svg)" \
		'cpu.svg hello-rate.svg latency.svg memory.svg redirect-rate.svg shorten-rate.svg' 'report: six charts'
	report --check "$folder/changed"
	is "$status|$out" '0|' 'report --check: all is from these results'
	change 'redirect fastify-4 100' rate 'x + 1'
	report --check "$folder/changed"
	is "$status" 1 'report --check: finds other results'
	like "$out" '*not from these results: bench.md redirect-rate.svg. *' \
		'report --check: names what is older than they'
	cp "$bound" "$changed"
	sed -i 's/36,000/36,001/' "$folder/changed/bench.md"
	report --check "$folder/changed"
	like "$status $out" '1 *+| shorten.fcgi, 4 responders, nginx | 100 | 36,000*' \
		'report --check: shows a changed figure'
	report --check "$folder/bin"
	like "$status $out" '1 *no results*' 'report: says that there are no results'
}

# ---- growth

# count_unshown FOLDER: what growth.tsv has and no table of growth.md shows. What all is varied from is in four.
count_unshown() {
	awk -F '\t' '
		FNR == NR { rows += /^[|] [0-9]/; next }
		!/^#/ && header++ && !seen[$1, $2, $3, $4, $5]++ { keys++ }
		END { print keys + 2 * 3 - rows }' "$1/growth.md" "$1/growth.tsv"
}

test_growth() {
	report "$folder/growth"
	is "$status|$out" '0|' 'growth: draws without bench.tsv'
	is "$(cd "$folder/growth" && echo *)" 'growth-p99.svg growth-rate.svg growth.md growth.tsv' 'growth: two charts'
	values='10,000 1,000,000 20,000,000 1 2 4 8 10 50 100 300 1,000 50 250 2,000'
	is "$(sed -n 's/^| \([0-9,]*\) |.*/\1/p' "$folder/growth/growth.md" | xargs)" "$values $values" \
		'growth: four tables of each experiment, by number'
	is "$(grep -c '^| \(1,000,000\|4\|100\|50\) | 1,000 (500 to 1,500) | 1.00 | 2.00 | 0.30 | 0.40 | 5.00 |$' \
		"$folder/growth/growth.md")" 4 'growth: what all is varied from is in each table'
	like "$(cat "$folder/growth/growth.md")" '*
| 300 | 18,000 (9,000 to 27,000) | 9.00 | 27.0 | 2.70 | 3.60 | 45.0 |
*' 'growth: a row has medians and the range of the rate'
	is "$(count_unshown "$folder/growth")" 0 'growth: all that was measured is shown'
	report --check "$folder/growth"
	is "$status|$out" '0|' 'growth, --check: all is from these results'
}

# change_growth AWK-PROGRAM: growth.tsv of the folder changed, with tables and charts from before.
change_growth() {
	cp "$folder"/growth/growth* "$folder/changed/"
	awk -F '\t' -v OFS='\t' "$1" "$growth" >"$folder/changed/growth.tsv"
}

# shellcheck disable=SC2016 # fields of awk
test_growth_problems() {
	rm -f "$folder"/changed/*
	change_growth '$1 == "redirect" && $3 == 300 { $12++ } { print }'
	report --check "$folder/changed"
	like "$status $out" '1 *not from these results: growth.md growth-p99.svg. *' \
		'growth, --check: names what is older than the results'
	change_growth '$1 == "shorten" && $5 == 250 { $14++ } { print }'
	report --check "$folder/changed"
	like "$status $out" '1 *not from these results: growth.md. *' 'growth, --check: finds another figure of a table'
	change_growth '{ print } $3 == 300 { $4 = 10000; print }'
	report "$folder/changed"
	is "$(count_unshown "$folder/changed")" 2 'count_unshown: finds what no table shows'
	change_growth '!/^redirect/ || $5 == 50'
	report "$folder/changed"
	like "$(cat "$folder/changed/growth.md")" '*
| 250 | 12,000 (6,000 to 18,000) *' 'growth: what is absent does not take others along'
	cp "$bound" "$changed"
	change_growth 1
	report "$folder/changed"
	report --check "$folder/changed"
	is "$status|$out" '0|' 'report --check: both files of results'
	change 'redirect fastify-4 100' rate 'x + 1'
	sed -i 's/27,000/27,001/' "$folder/changed/growth.md"
	report --check "$folder/changed"
	like "$status $out" '1 *not from these results: bench.md redirect-rate.svg growth.md. *' \
		'report --check: names what is wrong with both'
}

# ---- the README

# readme ARGUMENT...: sets $status, $out
readme() {
	status=0
	out=$(README=$folder/README.md tests/bench/readme "$@" 2>&1) || status=$?
}

write_readme() {
	printf '%s\n' '# Above' '' '<!-- bench: from tests/bench/results/bench.tsv -->' \
		'old' '<!-- /bench -->' '' '## Below' \
		>"$folder/README.md"
}

# shellcheck disable=SC2016 # back-ticks of the README
test_readme() {
	write_readme
	readme "$folder/bound"
	like "$status $out" '1 *-old*+| `POST /shorten`, 100 connections, requests/s | 36,000 | 6,000 | 6.00 |*' \
		'readme: shows what differs'
	readme --write "$folder/bound"
	is "$status|$out" '0|' 'readme --write: writes'
	cp "$folder/README.md" "$folder/written"
	readme "$folder/bound"
	is "$status|$out" '0|README.md says what the results say' 'readme: finds what was written'
	readme --write "$folder/bound"
	ok 'readme --write: writes the same again' cmp -s "$folder/README.md" "$folder/written"
	is "$(sed '/^<!-- bench/,/^<!-- .bench/d' "$folder/README.md" | xargs)" '# Above ## Below' \
		'readme --write: leaves alone what stands around'
	sed -i 's/36,000/36,100/' "$folder/README.md"
	readme "$folder/bound"
	like "$status $out" '1 *-|*36,100*+|*36,000*' 'readme: finds a changed figure'
}

# shellcheck disable=SC2016 # back-ticks of the README
test_readme_problems() {
	write_readme
	cp "$folder/README.md" "$folder/written"
	change 'hello fastify-8 100' rate '"-"'
	readme --write "$folder/changed"
	like "$status $out" '1 *Missing: `GET /hello`, 100 connections*' \
		'readme --write: names a figure that is missing'
	change 'hello fastify-8 100' failed 2 1
	readme --write "$folder/changed"
	like "$status $out" '1 *2 of 10000 requests failed.*' 'readme --write: names requests that failed'
	grep -v '^# node' "$bound" >"$changed"
	readme --write "$folder/changed"
	like "$status $out" '1 *Missing: # node*' 'readme --write: names a fact that is missing'
	ok 'readme --write: then writes nothing' cmp -s "$folder/README.md" "$folder/written"
	for marker in '/bench' 'bench: '; do
		grep -v "^<!-- $marker" "$folder/written" >"$folder/README.md"
		readme "$folder/bound"
		like "$status $out" '1 README.md lacks the lines *' "readme: says that the line $marker is missing"
	done
	sed '1!G;h;$!d' "$folder/written" >"$folder/README.md"
	readme "$folder/bound"
	like "$status $out" '1 README.md lacks the lines *' 'readme: wants the lines in their order'
}

# ---- what is in the repository

# list_strangers FILE: contestants that contestants.tsv does not name.
list_strangers() {
	awk -F '\t' '
		FNR == NR { known[$1]; next }
		/^#/ { next }
		header++ && !($2 in known) && !seen[$2]++ { print $2 }' tests/bench/contestants.tsv "$1"
}

test_results() {
	is "$(tests/bench/readme 2>&1)" 'README.md says what the results say' 'README.md says what the results say'
	report --check
	is "$status|$out" '0|' 'tables and charts are from the results'
	is "$(list_strangers tests/bench/results/bench.tsv 2>&1)" '' 'contestants.tsv names every contestant'
	is "$(list_strangers tests/bench/results/growth.tsv 2>&1)" '' 'contestants.tsv names every contestant of growth'
	is "$(count_unshown tests/bench/results 2>&1)" 0 'growth.md shows all that was measured'
	change 'hello fastify-8 100' contestant '"fastify-9"'
	is "$(list_strangers "$changed")" fastify-9 'list_strangers: names one that contestants.tsv does not'
}

write_bound >"$bound"
write_growth >"$growth"
write_gnuplot
test_medians
test_bound
test_short
test_missing
test_problems
test_tables
test_charts
test_growth
test_growth_problems
test_readme
test_readme_problems
test_results
done_testing
