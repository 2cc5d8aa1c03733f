# What every panel has. Set: panel, title, axis, highest. The key stands once, below the last panel.
set title title offset 0,-0.3 font ",14" textcolor rgb "#252525"
set ylabel axis offset -0.5,0 textcolor rgb "#252525"
set yrange [0:highest * 1.12]
if (panel < panels) { set key off } else { set key on }
