# Prints the gnuplot program of a chart of report.tsv: its data, and for each panel what bars.gp or lines.gp needs.
# After results.awk. Set: results, the name of the file in report.tsv, and chart.
#
# A bar or a point is a line "place value least most end label"; from value to end goes what is stacked on a bar.
# The groups of a panel are those of its first series.

table == "report" && $1 == "results" {
	here = $2 == results
}

table == "report" && $1 ~ /^(experiment|chart)$/ {
	drawn = here && $1 == "chart" && $2 == chart
	if (drawn)
		shape = $3 == "" ? "bars" : $3
}

table == "report" && drawn && $1 == "panel" {
	panels++
	spec[panels, "scale"] = 1
	spec[panels, "stacked"] = spec[panels, "stacked", "name"] = ""
	spec[panels, "line"] = spec[panels, "line", "name"] = ""
}

table == "report" && drawn && $1 == "series" {
	series[panels, ++series_count[panels]] = $2
	series_name[panels, series_count[panels]] = $3
	next
}

table == "report" && drawn {
	spec[panels, $1] = $2
	spec[panels, $1, "name"] = $3
}

END {
	print "panels = " panels "\nentries = " key_entries(panels) "\nload \"tests/bench/canvas.gp\""
	for (p = 1; p <= panels; p++)
		print_panel(p)
	print "unset multiplot"
	exit !panels || is_empty
}

# The key stands below the last panel.
function key_entries(p) {
	return series_count[p] + (spec[p, "stacked"] != "") + (spec[p, "line"] != "")
}

function print_panel(p,	i) {
	find_groups(series[p, 1])
	scale = spec[p, "scale"]
	highest = 0
	print "$bars << END"
	for (i = 1; i <= series_count[p]; i++)
		print_series(p, i)
	is_empty = is_empty || highest == 0
	print "END"
	print "panel = " p "\nseries = " series_count[p] "\ngroups = " group_count
	print "title = \"" spec[p, "panel"] "\"\naxis = \"" spec[p, "axis"] "\""
	print "stacked = " (spec[p, "stacked"] != "") "\nstacked_name = \"" spec[p, "stacked", "name"] "\""
	print_names(p)
	print_line(p)
	print "highest = " highest "\nload \"tests/bench/" shape ".gp\""
}

# gnuplot takes two empty lines for the end of a series, and NaN for a bar that is not there.
function print_series(p, i,	g, place) {
	for (g = 1; g <= group_count; g++) {
		place = g + (i - (series_count[p] + 1) / 2) / (series_count[p] + 1)
		print_bar(place, key_of(series[p, i], group[g]), spec[p, "measure"], spec[p, "stacked"])
	}
	print "\n"
}

function print_bar(place, key, measure, stacked,	middle, end) {
	middle = median(key, measure)
	end = stacked == "" ? middle : median(key, stacked)
	if (middle == "" || end == "") {
		print place, "NaN", "NaN", "NaN", "NaN", "\"\""
		return
	}
	end = stacked == "" ? middle : middle + end
	note_height(stacked == "" ? most(key, measure) : end)
	print place, middle / scale, least(key, measure) / scale, most(key, measure) / scale, end / scale,
		"\"" readable(end / scale) "\""
}

function note_height(height) {
	if (height / scale > highest)
		highest = height / scale
}

# The panels of lines have titles that say what is varied.
function print_names(p,	i, name, labels, colours, unit, tics) {
	unit = shape == "bars" ? " " group_column : ""
	for (i = 1; i <= series_count[p]; i++) {
		name = subject_of(series[p, i])
		labels = labels (i > 1 ? ", " : "") "\"" name_of(series[p, i], series_name[p, i]) "\""
		colours = colours (i > 1 ? ", " : "") "\"" (name in colour ? colour[name] : "#636363") "\""
	}
	for (i = 1; i <= group_count; i++)
		tics = tics (i > 1 ? ", " : "") "\"" with_commas(group[i]) unit "\" " i
	print "array names[" series_count[p] "] = [" labels "]\narray colours[" series_count[p] "] = [" colours "]"
	print "set xtics (" tics ")"
}

# Bars compare contestants, lines experiments.
function subject_of(key,	part) {
	split(key, part, " ")
	return part[shape == "lines" ? 1 : 2]
}

function name_of(key, name) {
	return name == "" ? words_for(subject_of(key)) : name
}

function print_line(p,	height) {
	height = spec[p, "line"] == "" ? "" : median(spec[p, "line"], spec[p, "measure"])
	if (height != "")
		note_height(height)
	print "across = " (height == "" ? "NaN" : height / scale)
	print "across_name = \"" name_of(spec[p, "line"], spec[p, "line", "name"]) "\""
}
