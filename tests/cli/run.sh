# run: one file, values, steps of a file, further inputs, many files, unsafe outputs.
. "$(dirname "$0")/checks.bash"
for n in 1 2; do "$ZEROPLANE" synth noise "n$n.tif" --width 60 --height 40 --seed $n; done
"$ZEROPLANE" synth ramp ramp.tif --width 5 --height 1 --format u8
expect 0 '' run ramp.tif out.tif invert
expect 0 '' stats out.tif
is "$(json '["min_max"]["minimum"][0]')/$(json '["min_max"]["maximum"][0]')" 0.0/255.0 "range of an inverted ramp"
expect 0 '' run ramp.tif out.png add_constant:constant=10 mean
# The ramp of five u8 pixels is 0 64 128 191 255 (63.75, 127.5, 191.25 to even); + 10 saturates to 10 74 138 201 255.
is "$(json '["mean"]["mean"][0]')" 135.6 "mean after + 10"
expect 0 '' run ramp.tif out.tif mean mean
is "$(json '["mean #2"]["mean"][0]')" "$(json '["mean"]["mean"][0]')" "the same step twice"
printf '# two steps\n invert   add_constant:constant=0\ninvert # back\n' > steps.txt
expect 0 '' run -p steps.txt ramp.tif back.tif
expect 0 '^identical$' compare ramp.tif back.tif
expect 0 '' run n1.tif sum.tif blend:with=n2.tif,alpha=1,beta=0
expect 0 '^identical$' compare n1.tif sum.tif
cp n2.tif 'odd, name: 2.tif'
expect 0 '' run n1.tif sum2.tif 'blend:with=odd\, name\: 2.tif,alpha=0,beta=1'
expect 0 '^identical$' compare n2.tif sum2.tif
expect 0 '' run n1.tif n2.tif many/ invert
expect 0 '' run n1.tif n2.tif 'many/{name}_back.tif' invert
expect 0 '' run many/n2.tif back.tif invert
expect 0 '^identical$' compare n2.tif back.tif
[ -s many/n1.tif ] && [ -s many/n1_back.tif ] && [ -s many/n2_back.tif ] || fail "results of many files"
expect 1 '1 of 2 files failed' run missing.tif n2.tif again/ invert
[ -s again/n2.tif ] || fail "one bad file stopped the others"
expect 0 '"file":"n2.tif"' run n1.tif n2.tif again/ mean
expect 2 'folder as output' run n1.tif n2.tif out.tif invert
mkdir other && cp n1.tif other/
expect 2 'two inputs would be written' run n1.tif other/n1.tif again/ invert
expect 2 'would overwrite the input' run n1.tif n2.tif other/n1.tif other/ invert
expect 2 'which a step reads' run n1.tif n2.tif add:with=n2.tif
cp n1.tif self.tif
expect 0 '' run self.tif self.tif invert invert
expect 0 '^identical$' compare n1.tif self.tif
expect 0 '' --device simulated:unified --executor simulated run --explain --hash n1.tif sim.tif add_constant:constant=3 flip
grep -q '^memory model unified: ' err.txt || fail "no model in what --explain says"
is "$(grep -c 'simulated (asked for).*staged 0 B in, 0 B out' err.txt)" 2 "steps explained as not staged"
hash=$(cut -c1-16 out.txt)
expect 0 "$hash" run --hash n1.tif cpu.tif add_constant:constant=3 flip
expect 0 '^identical$' compare sim.tif cpu.tif
expect 0 '' --device simulated:discrete --executor simulated run --explain --hash n1.tif sim.tif add_constant:constant=3 flip
is "$(cut -c1-16 out.txt)" "$hash" "hash on simulated:discrete"
finish
