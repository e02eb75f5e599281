# The demo's chain on a small frame: every device gives the same bits, unified and coherent stage nothing.
. "$(dirname "$0")/checks.bash"
for kind in bayer flat dark; do "$ZEROPLANE" synth $kind $kind.tif --width 322 --height 241 || fail "synth $kind"; done
steps=(flat_field:flat=flat.tif,dark=dark.tif,per=bayer demosaic white_balance add_hsv:hue=10 clahe:on=value resize:scale=0.25)
expect 0 '' run --hash bayer.tif cpu.png "${steps[@]}"
hash=$(cut -c1-16 out.txt)
for model in unified discrete coherent; do
  expect 0 "$hash" --device simulated:$model --executor simulated run --hash --explain bayer.tif sim.png "${steps[@]}"
  expect 0 '^identical$' compare cpu.png sim.png
  expect 0 "$hash" --device simulated:$model --executor simulated run --hash --explain bayer.tif sim.png "${steps[@]}"
  [ $model = discrete ] || is "$(grep -c 'staged 0 B in, 0 B out' err.txt)" 6 "steps without staging on $model"
done
finish
