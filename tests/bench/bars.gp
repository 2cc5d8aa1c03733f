# One panel of bars in groups. Set: $bars, panel, series, groups, names, colours, title, axis, stacked,
# stacked_name, across, across_name, highest. The number on a bar is where it ends; its whiskers are the least
# and the most of the rounds.
load "tests/bench/panel.gp"
set xrange [0.45:groups + 0.55]
set boxwidth 0.92 / (series + 1)
plot \
	for [i = 1:stacked] NaN with boxes lc rgb "#bdbdbd" title stacked_name, \
	for [i = 1:stacked * series] $bars index i - 1 using 1:5 with boxes lc rgb "#bdbdbd" notitle, \
	for [i = 1:series] $bars index i - 1 using 1:2 with boxes lc rgb colours[i] title names[i], \
	for [i = 1:series * !stacked] $bars index i - 1 using 1:3:(0):($4 - $3) \
		with vectors heads size screen 0.005,90 lc rgb "#252525" notitle, \
	for [i = 1:series] $bars index i - 1 using 1:(stacked ? $5 : $4):6 \
		with labels offset 0,0.6 font ",10" notitle, \
	for [i = 1:across == across] across with lines lw 1.5 dt 2 lc rgb "#525252" title across_name
