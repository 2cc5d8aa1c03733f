# One panel of lines, with a point for each group. Set: $bars, panel, series, groups, names, colours, title, axis,
# highest. The whiskers of a point are the least and the most of the rounds; they stand side by side.
load "tests/bench/panel.gp"
set xrange [0.6:groups + 0.4]
plot for [i = 1:series] $bars index i - 1 using ($0 + 1 + 0.08 * (i - (series + 1) / 2.0)):2:3:4 \
	with yerrorlines lc rgb colours[i] lw 1.5 pt 3 + 2 * i ps 0.6 title names[i]
