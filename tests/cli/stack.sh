# Stacks: pages and files become one image, each after the steps before.
. "$(dirname "$0")/checks.bash"
"$ZEROPLANE" synth zstack stack.tif --width 48 --height 32 --slices 3 || fail "synth"
for page in 0 1 2; do expect 0 '' run --page $page stack.tif slice$page.tif; done
expect 0 '' run slice0.tif two.tif maximum:with=slice1.tif
expect 0 '' run two.tif wanted.tif maximum:with=slice2.tif
expect 0 '' run stack.tif pages.tif project:kind=max
expect 0 '^identical$' compare pages.tif wanted.tif
expect 0 '' run slice0.tif slice1.tif slice2.tif files.tif project:kind=max
expect 0 '^identical$' compare files.tif wanted.tif
expect 0 '' run slice0.tif stack.tif mixed.tif project:kind=max
expect 0 '^identical$' compare mixed.tif wanted.tif
# Steps before the stack see every page, steps behind it the result: the largest of the inverted is the smallest, inverted.
expect 0 '' run stack.tif inverted.tif invert project:kind=max invert
expect 0 '' run stack.tif smallest.tif project:kind=min
expect 0 '^identical$' compare inverted.tif smallest.tif
expect 0 '"channels": 1' stats stack.tif project:kind=max
hash=$(sed -n 's/.*"hash": "\(.*\)".*/\1/p' out.txt)
expect 0 "^$hash " run --hash stack.tif again.tif project:kind=max
expect 2 'one stack' run --page 1 stack.tif x.tif project
expect 2 'would overwrite its slice' run slice0.tif slice1.tif ./slice1.tif project
absent x.tif
"$ZEROPLANE" synth zstack other.tif --width 40 --height 32 --slices 1 || fail "synth"
expect 1 'project' run stack.tif other.tif x.tif project
absent x.tif
finish
