# synth makes the same bits each time; compare and stats say what differs and what is there.
. "$(dirname "$0")/checks.bash"
for kind in brightfield fluorescence bayer flat dark zstack ramp noise; do
  "$ZEROPLANE" --threads 1 synth $kind a_$kind.tif --width 97 --height 61 --slices 2 || fail "synth $kind"
  "$ZEROPLANE" --threads 7 synth $kind b_$kind.tif --width 97 --height 61 --slices 2
  cmp -s a_$kind.tif b_$kind.tif || fail "$kind depends on the threads"
  "$ZEROPLANE" synth $kind c.tif --width 97 --height 61 --slices 2 --seed 2
  case $kind in flat | ramp) ;; *) cmp -s a_$kind.tif c.tif && fail "$kind does not depend on the seed" ;; esac
done
expect 0 '^identical$' compare a_noise.tif b_noise.tif
expect 1 'different' compare a_noise.tif a_dark.tif
expect 1 'different: u?.*97x61' compare a_noise.tif a_brightfield.tif
"$ZEROPLANE" synth ramp ramp.tif --width 97 --height 61 --format u8
"$ZEROPLANE" run ramp.tif more.tif add_constant:constant=2
expect 1 'largest 2 at x ' compare ramp.tif more.tif
expect 1 '' compare ramp.tif more.tif --json
# + 2 saturates where the ramp has 254 or 255 only: nearly everywhere the difference is 2, nowhere more.
is "$(json '["largest"]')" 2.0 "largest difference"
is "$(json '["identical"]')" False "identical"
# Flattening the flat itself gives one level: (flat - dark) * mean / (flat - dark).
expect 0 '' run a_flat.tif level.tif flat_field:flat=a_flat.tif,dark=a_dark.tif
expect 0 '' stats level.tif --bins 16
is "$(json '["min_max"]["minimum"]')" "$(json '["min_max"]["maximum"]')" "a flattened flat is flat"
is "$(json '["histogram"]["counts"]' | tr -dc '0-9,' | tr ',' '\n' | sort -n | tail -n 1)" 5917 "all of 97 x 61 pixels in one bin"
# The frame of the same seed is flattened too: its large parts, over which the balls average out, become alike.
"$ZEROPLANE" synth bayer frame.tif --width 2000 --height 1500
"$ZEROPLANE" synth flat flat.tif --width 2000 --height 1500
"$ZEROPLANE" synth dark dark.tif --width 2000 --height 1500
expect 0 '' run frame.tif even.tif flat_field:flat=flat.tif,dark=dark.tif,per=bayer
"$ZEROPLANE" run frame.tif before.tif demosaic rgb_to_grey resize:width=3,height=2,method=area
"$ZEROPLANE" run even.tif after.tif demosaic rgb_to_grey resize:width=3,height=2,method=area
spread() { "$ZEROPLANE" stats "$1" > out.txt; python3 -c "
import json; j = json.load(open('out.txt'))
print(j['deviation']['deviation'][0] / j['mean']['mean'][0])"; }
python3 -c "import sys; sys.exit(not float('$(spread after.tif)') < 0.3 * float('$(spread before.tif)'))" || fail "flat_field did not flatten"
finish
