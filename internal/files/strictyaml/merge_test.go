package strictyaml_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// TestMergeBounds: the cost of merge keys is bounded by the size of the file, whether or not it is rejected.
func TestMergeBounds(t *testing.T) {
	keys := make([]string, 3000)
	for i := range keys {
		keys[i] = fmt.Sprintf("k%d: 1", i)
	}
	for _, tt := range []struct {
		why, text, mistake string
		most               uint64 // bytes that are allocated
	}{
		{"a mapping that merges itself", "objects:\n  o: &o {a: 1, <<: *o}\n", `f.yaml:2: the mapping merges itself with <<`, 100 << 10},
		{"many times", "objects:\n  o: &o {a: 1, <<: [*o,*o,*o,*o,*o,*o,*o,*o]}\n", `f.yaml:2: the mapping merges itself with <<`,
			100 << 10},
		{"by way of another", "objects:\n  o: &o\n    p: &p {<<: *o}\n    <<: *p\n", `f.yaml:3: the mapping merges itself with <<`,
			2 << 20},
		{"a list of merges in itself", "objects:\n  o: {<<: &l [*l, *l]}\n", `f.yaml:2: only a mapping can be merged with <<, ` +
			`not a list`, 100 << 10},
		{"merges that multiply", "objects:\n  a: &a {x: 1}\n" + multiplied(12), `aliases repeat too much of the document`, 20 << 20},
		{"a large mapping, often",
			"objects:\n  a: &a {" + strings.Join(keys, ", ") + "}\n  b: {<<: [" + strings.TrimSuffix(strings.Repeat("*a,", 3000), ",") +
				"]}\n",
			`aliases repeat too much of the document`, 20 << 20},
		{"many mappings that merge a large one", "objects:\n  a: &a {" + strings.Join(keys, ", ") + "}\n" + merging(3000),
			`aliases repeat too much of the document`, 200 << 20},
		{"many mappings that merge large ones of the same keys",
			"objects:\n  a: &a {" + strings.Join(keys, ", ") + "}\n  b: &b {" + strings.Join(keys, ", ") + "}\n  c: [" +
				strings.Repeat("{<<: [*a, *b]}, ", 500) + "]\n", `aliases repeat too much of the document`, 200 << 20},
		{"a mapping that many merge", "objects:\n  a: &a {x: 1, y: 2, z: 3}\n" + merging(3000), "", 30 << 20},
	} {
		t.Run(tt.why, func(t *testing.T) {
			var out struct {
				Objects map[string]any `yaml:"objects"`
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := strictyaml.Decode("f.yaml", []byte(tt.text), &out)
			runtime.ReadMemStats(&after)
			if (err != nil) != (tt.mistake != "") || err != nil && !strings.Contains(err.Error(), tt.mistake) {
				t.Errorf("error %.300v, want %q", err, tt.mistake)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > tt.most {
				t.Errorf("%d bytes of YAML took %d bytes, want at most %d", len(tt.text), used, tt.most)
			}
		})
	}
}

// multiplied has more and more merges of the previous mapping.
func multiplied(levels int) string {
	var text strings.Builder
	for i := range levels {
		before, this := string(rune('a'+i)), string(rune('b'+i))
		fmt.Fprintf(&text, "  %s: &%s {<<: [%s]}\n", this, this, strings.TrimSuffix(strings.Repeat("*"+before+",", 10), ","))
	}
	return text.String()
}

// merging has many mappings that merge one other.
func merging(mappings int) string {
	var text strings.Builder
	for i := range mappings {
		fmt.Fprintf(&text, "  m%d: {<<: *a, x: 4}\n", i)
	}
	return text.String()
}
