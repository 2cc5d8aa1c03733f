# The picture that the panels of a chart share, one above the other, or in two columns when there are more than two.
# Set: panels, entries (of the key).
# The background is white, for a page may be dark; the font is whatever the reader has.
set terminal svg size 800,(panels > 1 ? 640 : 450) fixed background rgb "white" font "sans-serif,13"
columns = panels > 2 ? 2 : 1
key_rows = (entries + 1) / 2
set multiplot layout (panels + columns - 1) / columns,columns \
	margins char 11,3,2.8 + 1.35 * key_rows,2.5 spacing char 11,char 6
set border 3 lc rgb "#525252"
set tics nomirror out textcolor rgb "#252525"
set xtics scale 0
set grid ytics lc rgb "#d9d9d9" lt 1 lw 0.5
set style fill solid noborder
set key center at screen 0.5, char 0.7 + 0.7 * key_rows maxrows key_rows Left reverse samplen 1.5 spacing 1.2 font ",12"
