package strictyaml_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

type suite struct {
	strictyaml.Position `yaml:"-"`

	Name    string             `yaml:"name"`
	Hits    int                `yaml:"hits"`
	Strict  *bool              `yaml:"strict"`
	Entries []entry            `yaml:"entries"`
	Objects map[string]any     `yaml:"objects"`
	Level   level              `yaml:"level"`
	Nested  map[string][]entry `yaml:"nested"`
	Shared  `yaml:",inline"`
}

type Shared struct {
	Why string `yaml:"why"`
}

type entry struct {
	At strictyaml.Position `yaml:"-"`
	ID string              `yaml:"id"`
}

type level string

func (l *level) UnmarshalText(text []byte) error {
	if string(text) != "high" && string(text) != "low" {
		return errors.New(`level must be "high" or "low"`)
	}
	*l = level(text)
	return nil
}

func TestDecode(t *testing.T) {
	yes := true
	for _, tc := range []struct {
		why, in string
		want    suite
	}{
		{
			why: "every kind of field, with positions if requested",
			in: `name: pods
hits: 3
strict: true
level: low
why: inline keys belong to the parent
entries:
- id: first
- id: second
nested:
  a: [{id: third}]
`,
			want: suite{
				Name: "pods", Hits: 3, Strict: &yes, Level: "low", Shared: Shared{Why: "inline keys belong to the parent"},
				Entries: []entry{{ID: "first", At: at(7, 3)}, {ID: "second", At: at(8, 3)}},
				Nested:  map[string][]entry{"a": {{ID: "third", At: at(10, 7)}}},
			},
		},
		{
			why: "free-form values have JSON types, and dates stay strings",
			in: "objects: {int: 1, float: 1.5, big: 18446744073709551615, text: '1', date: 2027-06-30, none: null, list: " +
				"[true, {a: b}]}\n",
			want: suite{Objects: map[string]any{
				"int": int64(1), "float": 1.5, "big": 18446744073709551615.0, "text": "1", "date": "2027-06-30", "none": nil,
				"list": []any{true, map[string]any{"a": "b"}},
			}},
		},
		{
			why: "an alias repeats its anchor; the mapping's own keys after a merge key take precedence",
			in:  "objects: {base: &base {a: 1, b: 1}, same: *base, other: {<<: *base, b: 2}}\n",
			want: suite{Objects: map[string]any{
				"base": map[string]any{"a": int64(1), "b": int64(1)}, "same": map[string]any{"a": int64(1), "b": int64(1)},
				"other": map[string]any{"a": int64(1), "b": int64(2)},
			}},
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			var got suite
			if err := strictyaml.Decode("f.yaml", []byte(tc.in), &got); err != nil {
				t.Fatal(err)
			}
			tc.want.Position = at(1, 1)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func at(line, column int) strictyaml.Position {
	return strictyaml.Position{File: "f.yaml", Line: line, Column: column}
}

func TestDecodeMistakes(t *testing.T) {
	const keys = "name, hits, strict, entries, objects, level, nested, why"
	for _, tc := range []struct{ why, in, want string }{
		{"nothing to read", "# only a comment\n", "f.yaml: the file is empty"},
		{"a null is no mapping without keys", "\n~\n", "f.yaml:2: the file contains only null; expected a mapping"},
		{"an anchor turns an empty file into a null", "&a\n", "f.yaml:1: the file contains only null; expected a mapping"},
		{"not YAML", "a: [", "f.yaml:1: not YAML: did not find expected node content"},
		{"invalid YAML in the first of several lines", "a: {b: [}\nc: d\n", "f.yaml:1: not YAML: did not find expected node content"},
		{"a key in the value of the first line", "a: b: c\nd: e\n", "f.yaml:1: not YAML: mapping values are not allowed in this context"},
		{"not YAML in the middle", "a: b\nc: [}\nd: e\n", "f.yaml:2: not YAML: did not find expected node content"},
		{"a list that does not end", "a:\n- b: [\n", "f.yaml:2: not YAML: did not find expected node content"},
		{"a line that belongs to no entry", "a: b\nc:\n- d: e\n f: g\n", "f.yaml:4: not YAML: did not find expected key"},
		{"two documents", "name: a\n---\nname: b\n", "f.yaml:2: a second YAML document begins here; this kind of file has one"},
		{"a list where a mapping belongs", "- a\n", "f.yaml:1: the file must be a mapping with the keys " + keys + ", not a list"},
		{
			"all mistakes at once, in the order of the file",
			"nmae: a\nhits: many\nentries:\n- id: a\n- it: b\nname: 3\nname: x\nlevel: top\n",
			`f.yaml:1: unknown key "nmae"; did you mean "name"? accepted: ` + keys + `
f.yaml:2: hits must be an integer, not the text "many"
f.yaml:5: unknown key "it"; accepted: id
f.yaml:6: name must be text, not 3; put it in quotes
f.yaml:7: key "name" is set twice; first in line 6
f.yaml:8: level must be "high" or "low"`,
		},
		{"a fraction is not cut off", "hits: 1.5\n", "f.yaml:1: hits must be an integer, not 1.5"},
		{"an integer has no exponent", "hits: 1e3\n", "f.yaml:1: hits must be an integer, not 1e3"},
		{"a mapping where text belongs", "name: {a: b}\n", "f.yaml:1: name must be text, not a mapping"},
		{"text where a list belongs", "entries: a\n", `f.yaml:1: entries must be a list of mappings with the keys id, not the text "a"`},
		{"null where a mapping belongs", "entries:\n- id: a\n- null\n",
			"f.yaml:3: entries[1] must be a mapping with the keys id, not null"},
		{"an empty entry", "entries:\n-\n", "f.yaml:2: entries[0] must be a mapping with the keys id, not null"},
		{"invalid UTF-8", "name: a\nwhy: \xff\n", "f.yaml:2: not YAML: invalid leading UTF-8 octet"},
		{"control characters", "name: a\n\nwhy: \x01\n", "f.yaml:3: not YAML: control characters are not allowed"},
		{"not a JSON number", "objects: {a: .nan}\n", "f.yaml:1: .nan is not a JSON number"},
		{"a duplicate deep inside a free-form value", "objects:\n  a:\n    b: 1\n    b: 2\n",
			`f.yaml:4: key "b" is set twice; first in line 3`},
		{"merging a value that is not a mapping", "objects: {<<: 3}\n", "f.yaml:1: only a mapping can be merged with <<, not 3"},
		{"nesting without end", "objects: {a: " + strings.Repeat("[", 1200) + strings.Repeat("]", 1200) + "}\n",
			"f.yaml:1: nested deeper than 1000 levels"},
		{"aliases that multiply", aliasBomb(), "f.yaml:2: aliases repeat too much of the document"},
		{"an anchor inside itself", "objects: {a: &a [*a]}\n", "f.yaml:1: nested deeper than 1000 levels"},
	} {
		t.Run(tc.why, func(t *testing.T) {
			err := strictyaml.Decode("f.yaml", []byte(tc.in), &suite{})
			if err == nil {
				t.Fatal("no mistake was found")
			}
			if diff := cmp.Diff(tc.want, err.Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// aliasBomb is the "billion laughs": each line expands to ten times the line before.
func aliasBomb() string {
	var doc strings.Builder
	doc.WriteString("objects:\n  l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		name, before := string(rune('0'+i)), string(rune('0'+i-1))
		doc.WriteString("  l" + name + ": &l" + name + " [" + strings.Repeat("*l"+before+", ", 9) + "*l" + before + "]\n")
	}
	return doc.String()
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("name: a\nobjects: {a: &a [1, *a]}"))
	f.Add([]byte("objects: {<<: *b}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_ = strictyaml.Decode("f.yaml", data, &suite{}) // must neither panic nor hang
	})
}
