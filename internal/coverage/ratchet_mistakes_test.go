package coverage_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/coverage"
)

// TestRatchetMistakes: each mistake in the file is one message with file and line.
func TestRatchetMistakes(t *testing.T) {
	const again = `; "diffrun coverage --ratchet FILE --update" writes the file`
	for _, tt := range []struct{ why, text, want string }{
		{"broken YAML", "targets:\n- suite: a\n  target: [\n", "3: not YAML: did not find expected node content"},
		{"a merge that was not finished", "# c\ntargets:\n- suite: a\n<<<<<<< HEAD\n  target: b\n=======\n  target: c\n>>>>>>> other\n",
			`4: a merge conflict begins here ("<<<<<<< HEAD"); keep the right lines, and delete those that begin with <<<<<<<, ` +
				`======= and >>>>>>>`},
		{"half of one", "targets:\n- suite: a\n=======\n- suite: b\n", "3: not YAML: could not find expected ':'"},
		{"not UTF-8", "targets:\n- {suite: \"\xff\", target: b}\n", "2: not YAML: invalid leading UTF-8 octet"},
		{"two documents", "targets: []\n---\ntargets: []\n", "2: a second YAML document begins here; this kind of file has one"},
		{"nothing but null", "~\n", "1: the file contains only null; expected a mapping"},
		{"a list", "- suite: a\n", "1: the file must be a mapping with the keys targets, packages, not a list"},
		{"targets are no list", "targets: all\n", `1: targets must be a list of mappings with the keys suite, target, keywords, ` +
			`fields, values, guards, not the text "all"`},
		{"a target is null", "targets:\n- {suite: a, target: b}\n-\n", "3: targets[1] must be a mapping with the keys suite, " +
			"target, keywords, fields, values, guards, not null"},
		{"a figure is text", "targets:\n- suite: a\n  target: b\n  keywords: {covered: many}\n",
			`4: targets[0].keywords.covered must be an integer, not the text "many"`},
		{"a figure is too large", "targets:\n- suite: a\n  target: b\n  keywords: {covered: 99999999999999999999}\n",
			"4: targets[0].keywords.covered must be an integer, not 99999999999999999999"},
		{"places are a mapping", "targets:\n- suite: a\n  target: b\n  keywords: {places: {a: b}}\n",
			"4: targets[0].keywords.places must be a list, not a mapping"},
		{"a place is a number", "targets:\n- suite: a\n  target: b\n  keywords: {covered: 1, of: 1, places: [1]}\n",
			"4: targets[0].keywords.places[0] must be text, not 1; put it in quotes"},
		{"a place of a different version", "targets:\n- {suite: a, target: b, keywords: {covered: 1, of: 1, places: [spec]}}\n",
			`2: a b: "spec" is not a place in the form of this version of diffrun, which is seven letters; delete the file, ` +
				`then "diffrun coverage --ratchet FILE --update" writes a new one`},
		{"an unknown key", "target: []\n", `1: unknown key "target"; did you mean "targets"? accepted: targets, packages`},
		{"an unknown key of a target", "targets:\n- suite: a\n  target: b\n  sweet: c\n",
			`4: unknown key "sweet"; accepted: suite, target, keywords, fields, values, guards`},
		{"a key twice", "targets: []\ntargets: []\n", `2: key "targets" is set twice; first in line 1`},
		{"a target twice", "targets:\n- {suite: a, target: v1 B}\n- {suite: b, target: v1 B}\n- {suite: a, target: v1 B}\n",
			"4: v1 B of suite a is listed twice; first in line 2"},
		{"a package twice", "packages:\n- {package: p}\n- {package: p}\n", "3: package p is listed twice; first in line 2"},
		{"a target without a name", "targets:\n- suite: a\n", "2: the target has no suite or no target" + again},
		{"a package without a name", "packages:\n- of: 1\n", "2: the package has no name" + again},
		{"more covered than there is", "targets:\n- {suite: a, target: b, fields: {covered: 0, of: -1}}\n",
			"2: fields of a b: covered is 0 of -1, and 0 places are listed" + again},
		{"figures that do not match the list", "targets:\n- {suite: a, target: b, values: {covered: 3, of: 9}}\n",
			"2: values of a b: covered is 3 of 9, and 0 places are listed" + again},
	} {
		file := filepath.Join(t.TempDir(), "coverage.yaml")
		if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := coverage.ReadRatchet(file)
		if err == nil {
			t.Errorf("%s: it is read", tt.why)
			continue
		}
		if got := strings.ReplaceAll(err.Error(), file+":", ""); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.why, got, tt.want)
		}
	}
}
