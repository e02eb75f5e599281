# Wrong usage ends with 2, and near misses get the right name.
. "$(dirname "$0")/checks.bash"
expect 2 'subcommand'
expect 2 'did you mean run\?' rnu a.tif b.tif invert
expect 2 'did you mean --device\?' --devise none info
expect 2 'did you mean --explain\?' run --explian a.tif b.tif invert
expect 2 'unknown word' --device simulatd:unified info
expect 2 'unknown word' --executor gpu info
expect 2 'threads' --threads -3 info
expect 0 'zeroplane [0-9]' --version
expect 0 'synth' --help
expect 0 'OUT' run --help
"$ZEROPLANE" synth ramp in.tif --width 20 --height 10 || fail "synth"
expect 2 "no operation 'invrt'|did you mean invert\?" run in.tif out.png invrt
expect 2 'did you mean invert\?' run in.tif out.png clamp:low=1 invrt
expect 2 "no operation 'qqqqqqqq'" run in.tif out.png qqqqqqqq:a=1
expect 2 'did you mean limit\?' run in.tif out.png threshold:limt=3
expect 2 "has no parameter 'zzz'" run in.tif out.png threshold:zzz=3
expect 2 'allowed' run in.tif out.png resize:scale=-1
expect 2 'not a number' run in.tif out.png gamma:gamma=abc
expect 2 'did you mean binary\?' run in.tif out.png threshold:limit=3,kind=binry
expect 2 'key=value' run in.tif out.png gamma:3
expect 2 'one colon' run in.tif out.png gamma:gamma=3:4
expect 2 'flat=FILE' run in.tif out.png flat_field
expect 2 'needs an input' run in.tif
expect 2 'needs an input' run in.tif invert
expect 2 'must end in' run in.tif out.xyz invert
expect 2 'did you mean ramp\?' synth rmap out.tif
expect 2 'format' synth ramp out.tif --format u7
expect 2 'cannot read steps' run -p missing.txt in.tif out.png
expect 2 'begins with' verify no_such_operation
expect 2 'did you mean resize\?' ops reszie
expect 2 'one input' stats in.tif in.tif invert
expect 2 'required' compare in.tif
absent out.png
absent out.tif
finish
