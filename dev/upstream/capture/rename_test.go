package capture

import (
	"slices"
	"strings"
	"testing"
)

// TestRename checks that originals get other names and everything else keeps its own.
func TestRename(t *testing.T) {
	const source = `package p

// F calls itself, and G.
func F(n int) int { return G(F(n - 1)) }

func G(n int) int { return n }

type T struct{}

func (t *T) F() {}

func (t T) G() {}
`
	for _, tt := range []struct {
		why, recorder string
		recorded      []string
		changed       map[string]string // in the source
		mistake       string
	}{
		{
			why: "a function; its calls, and methods of its name, stay", recorder: `package p; func F(n int) int { return unrecordedF(n) }`,
			recorded: []string{"p.F"}, changed: map[string]string{"func F(n": "func unrecordedF(n"},
		},
		{
			why: "a method with a pointer", recorder: `package p; func (t *T) F() { t.unrecordedF() }`,
			recorded: []string{"p.T.F"}, changed: map[string]string{") F()": ") unrecordedF()"},
		},
		{
			why: "several in one file", recorder: "package p; func G(n int) int { return unrecordedG(n) }\nfunc (t T) G() { " +
				"t.unrecordedG() }",
			recorded: []string{"p.G", "p.T.G"}, changed: map[string]string{"func G(": "func unrecordedG(", ") G()": ") unrecordedG()"},
		},
		{why: "an original that is gone", recorder: `package p; func H() { unrecordedH() }`, mistake: "no longer has a function H"},
		{why: "a method of a different type is not an original", recorder: `package p; func (t *U) F() { t.unrecordedF() }`,
			mistake: "no longer has a function U.F"},
		{why: "a recorder of nothing", recorder: `package p; func F(n int) int { return n }`, mistake: "no recorder calls an original"},
	} {
		made, err := rename("m/p", map[string][]byte{"p.go": []byte(source)}, []byte(tt.recorder))
		if (err == nil) != (tt.mistake == "") || err != nil && !strings.Contains(err.Error(), tt.mistake) {
			t.Errorf("%s: the error is %v", tt.why, err)
		}
		if tt.mistake != "" {
			continue
		}
		want := source
		for from, to := range tt.changed {
			want = strings.Replace(want, from, to, 1)
		}
		if got := string(made.sources["p.go"]); got != want {
			t.Errorf("%s: the source became\n%s", tt.why, got)
		}
		if !slices.Equal(made.functions, tt.recorded) {
			t.Errorf("%s: recorded are %q", tt.why, made.functions)
		}
	}
}
