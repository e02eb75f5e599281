# measure makes tables of objects: of labels, of masks, with intensities; what is no label image is refused in words.
. "$(dirname "$0")/checks.bash"
# A picture from digits, one row a line: make NAME FORMAT ROW...; dots are 0.
make() {
  python3 - "$@" <<'PY'
import struct, sys
name, kind, rows = sys.argv[1], sys.argv[2], sys.argv[3:]
bits, sample_format, code = {'u8': (8, 1, 'B'), 'u16': (16, 1, 'H'), 'u32': (32, 1, 'I'), 'f32': (32, 3, 'f')}[kind]
samples = [0 if c == '.' else int(c) for row in rows for c in row]
data = struct.pack(f'<{len(samples)}{code}', *samples)
entries = [(256, 4, len(rows[0])), (257, 4, len(rows)), (258, 3, bits), (259, 3, 1), (262, 3, 1),
           (273, 4, 8), (277, 3, 1), (278, 4, len(rows)), (279, 4, len(data)), (339, 3, sample_format)]
directory = struct.pack('<H', len(entries)) + b''.join(struct.pack('<HHII', t, k, 1, v) for t, k, v in entries)
open(name, 'wb').write(struct.pack('<2sHI', b'II', 42, 8 + len(data)) + data + directory + struct.pack('<I', 0))
PY
}
make labels.tif u16 '.33..' '.33.9' '.....' '33...'
make mask.tif u8 '.33..' '.33.3' '.....' '33...'
make levels.tif u8 '01234' '56789' '01234' '56789'
make real.tif f32 '.12..'
make none.tif u16 '.....' '.....' '.....' '.....'

expect 0 '' measure labels.tif
is "$(head -n 1 out.txt)" label,area,x,y,width,height,centroid_x,centroid_y,perimeter,major_axis,minor_axis,orientation,eccentricity,equivalent_diameter "header"
is "$(wc -l < out.txt)" 3 "lines for 2 labels"
is "$(sed -n 2p out.txt | cut -d , -f 1-7)" 3,6,0,0,3,4,1.1666666666666667 "the row of label 3, in two parts"
is "$(sed -n 3p out.txt)" 9,1,4,1,1,1,4,1,0,0,0,0,0,1.1283791670955126 "the row of label 9"

expect 0 '' measure labels.tif levels.tif
is "$(sed -n 1p out.txt | cut -d , -f 15-)" mean,minimum,maximum,sum,deviation,nan_count "header of intensities"
# Label 3: levels 1, 2, 6, 7, 5, 6.
is "$(sed -n 2p out.txt | cut -d , -f 15-18)" 4.5,1,7,27 "intensities of label 3"
is "$(sed -n 3p out.txt | cut -d , -f 15-)" 9,9,9,9,0,0 "intensities of label 9"

expect 0 '' measure labels.tif levels.tif --json
is "$(json '[0]["area"]') $(json '[1]["mean"]')" "6 9.0" "JSON"

# One value beside 0: objects are numbered; two of them touch at no corner.
expect 0 '' measure mask.tif
is "$(cut -d , -f 1,2 out.txt | tail -n +2 | tr '\n' ' ')" "1,4 2,1 3,2 " "objects of a mask"
expect 0 '' measure --no-label mask.tif
is "$(cut -d , -f 1,2 out.txt | tail -n +2 | tr '\n' ' ')" "3,7 " "the mask's value as a label"
expect 0 '' measure --label labels.tif
is "$(cut -d , -f 1,2 out.txt | tail -n +2 | tr '\n' ' ')" "1,4 2,1 3,2 " "objects of labels"
make corner.tif u8 '1.' '.1'
expect 0 '' measure corner.tif
is "$(wc -l < out.txt)" 2 "one object across the corner"
expect 0 '' measure corner.tif --connectivity 4
is "$(wc -l < out.txt)" 3 "two objects with 4 neighbours"
expect 0 '' measure none.tif levels.tif
is "$(wc -l < out.txt)" 1 "nothing but the header"

expect 0 '' measure labels.tif -o table.csv
"$ZEROPLANE" measure labels.tif | cmp -s - table.csv || fail "-o writes something else"
is "$(wc -c < out.txt)" 0 "bytes on standard output with -o"
expect 1 'nowhere' measure labels.tif -o nowhere/table.csv
expect 2 'overwrite the input labels.tif' measure labels.tif -o ./labels.tif
expect 1 'missing.tif' measure missing.tif
expect 1 'missing.tif' measure labels.tif missing.tif
expect 1 'real.tif: f32 with several values' measure real.tif
expect 0 '' measure real.tif --label
is "$(wc -l < out.txt)" 2 "objects of real.tif"
"$ZEROPLANE" synth noise wide.tif --width 9 --height 4 || fail synth
expect 1 'regions: the intensities are u16 9x4, the labels u16 5x4' measure labels.tif wide.tif
"$ZEROPLANE" run wide.tif color.tif demosaic || fail demosaic
expect 1 'color.tif: is u16 9x4x3' measure color.tif
expect 2 'labels' measure
expect 2 'json' measure labels.tif --jsn
expect 2 'connectivity' measure labels.tif --connectivity 5
expect 2 'measure' mesure labels.tif
finish
