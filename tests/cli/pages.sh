# Pages: a stack stays a stack, one page, or a file each.
. "$(dirname "$0")/checks.bash"
"$ZEROPLANE" synth zstack stack.tif --width 48 --height 32 --slices 3 || fail "synth"
expect 0 '' run stack.tif all.tif invert
expect 0 '' run --page 2 all.tif third.tif invert
expect 0 '' run --page 2 stack.tif wanted.tif
expect 0 '^identical$' compare third.tif wanted.tif
expect 0 '' run --page 0 stack.tif first.tif
expect 1 '' compare first.tif third.tif
expect 0 'only the first of 3 pages' run stack.tif one.png invert
expect 0 '' run stack.tif 'page_{page}.png' invert
[ -s page_0000.png ] && [ -s page_0002.png ] && [ ! -e page_0003.png ] || fail "a file for each page"
expect 0 '^identical$' compare one.png page_0000.png
expect 0 '"file":"stack.tif page 1"' run stack.tif all.tif mean
is "$(wc -l < out.txt)" 3 "values of each page"
expect 2 'needs .page. in its name' run --pages stack.tif x.png invert
expect 1 'no page 3' run --page 3 stack.tif x.tif invert
absent x.tif
expect 2 'excludes' run --page 1 --pages stack.tif x.tif invert
finish
