package strictyaml_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// scalars are unquoted where the row has no quotes.
var scalars = []struct{ why, texts string }{
	{"words that are booleans only in YAML 1.1", "y, Y, yes, Yes, YES, n, N, no, No, NO, on, On, ON, off, Off, OFF"},
	{"words that always are, in every case that YAML has", "true, True, TRUE, false, False, FALSE"},
	{"words that are neither", "yEs, oN, tRUE, nope, ye, NULl"},
	{"quotes and tags make text", `'yes', "on", '010', "1.0", !!str yes, !!str 5`},
	{"tags determine the type", `!!bool "yes", !!bool off, !!int 5, !!float 5, !!binary aGk=`},
	{"integers in all forms", "0, -0, +1, 010, 0o10, 08, 0x1f, 0X1F, 0b11, 1_000, 1__0, -0x1, +0x1, -010, 0777"},
	{"numbers with a point or an exponent", "1.0, 1., .5, -.5, +.5, 1e3, 1E3, 1e+3, 1.5e-3, 1_0.5, 6.02e23, 1e21, " +
		"100000000000000000000, 1e-7, 0.1"},
	{"texts that look like numbers", "0o, 0x, _1, 1.2.3, 1:30, 190:20:30, ., .., 2020-01-01, 2020-01-01T00:00:00Z"},
}

// Values and keys of objects have the types that kubectl sends.
func TestScalarsAreKubectls(t *testing.T) {
	for _, row := range scalars {
		for text := range strings.SplitSeq(row.texts, ", ") {
			for _, form := range []string{"value: %s\n", "%s: value\n", "[{a: [%s]}]\n"} {
				document := fmt.Sprintf(form, text)
				var want, got any
				if err := yaml.Unmarshal([]byte(document), &want); err != nil {
					t.Fatal(err)
				}
				if err := strictyaml.Decode("f.yaml", []byte(document), &got); err != nil {
					t.Errorf("%q (%s): %v", document, row.why, err)
				} else if diff := cmp.Diff(want, throughJSON(t, got)); diff != "" {
					t.Errorf("%q (%s): -kubectl +got:\n%s", document, row.why, diff)
				}
			}
		}
	}
}

// throughJSON returns a value as encoding/json decodes it.
func throughJSON(t *testing.T, value any) (read any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestKeysThatMeanTheSame(t *testing.T) {
	for _, test := range []struct{ why, in, want string }{
		{"a word and its meaning", "a:\n  yes: 1\n  'true': 2\n", `f.yaml:3: key "true" occurs twice, in two forms`},
		{"a number in two forms", "a:\n  8: 1\n  010: 2\n", `f.yaml:3: key "8" occurs twice, in two forms`},
		{"null has no name", "a:\n  ~: 1\n", `f.yaml:2: a key must be text, not null; put it in quotes`},
	} {
		if err := strictyaml.Decode("f.yaml", []byte(test.in), new(any)); err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.why, err, test.want)
		}
	}
}
