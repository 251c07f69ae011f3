package capture_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/diffrun/diffrun/internal/upstream/capture"
)

// TestInstrument: originals get their other names, everything else keeps its own.
func TestInstrument(t *testing.T) {
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
			why: "several in one file", recorder: "package p; func G(n int) int { return unrecordedG(n) }\nfunc (t T) G() { t.unrecordedG() }",
			recorded: []string{"p.G", "p.T.G"}, changed: map[string]string{"func G(": "func unrecordedG(", ") G()": ") unrecordedG()"},
		},
		{why: "an original that is gone", recorder: `package p; func H() { unrecordedH() }`, mistake: "has no function H any more"},
		{why: "a method of another type is no original", recorder: `package p; func (t *U) F() { t.unrecordedF() }`, mistake: "has no function U.F any more"},
		{why: "a recorder of nothing", recorder: `package p; func F(n int) int { return n }`, mistake: "no recorder calls an original"},
	} {
		module := t.TempDir()
		file := filepath.Join(module, "p", "p.go")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		// Tests keep calling the recorder.
		for path, text := range map[string]string{file: source, strings.TrimSuffix(file, ".go") + "_test.go": source} {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		recorded, err := capture.Instrument(module, fstest.MapFS{"p/zz_recorded.go": {Data: []byte(tt.recorder)}, "q/other.go": {Data: []byte("package q")}})
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
		if got := read(t, file); got != want {
			t.Errorf("%s: the source became\n%s", tt.why, got)
		}
		if got := read(t, strings.TrimSuffix(file, ".go")+"_test.go"); got != source {
			t.Errorf("%s: the tests were changed:\n%s", tt.why, got)
		}
		if read(t, filepath.Join(module, "p", "zz_recorded.go")) != tt.recorder || read(t, filepath.Join(module, "q", "other.go")) != "package q" {
			t.Errorf("%s: what is put there differs", tt.why)
		}
		if !slices.Equal(recorded, tt.recorded) {
			t.Errorf("%s: recorded are %q", tt.why, recorded)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestRead: flags that are numbers keep all their digits, and JSON that is broken is an
// error.
func TestRead(t *testing.T) {
	calls, err := capture.Read(strings.NewReader(`{"function":"F","flags":{"budget":9223372036854775807,"root":true},"object":{"a":1.0}}` + "\n" + `{"function":"G"}`))
	if err != nil || len(calls) != 2 {
		t.Fatalf("%d calls, %v", len(calls), err)
	}
	if budget, there := calls[0].Number("budget"); budget != 9223372036854775807 || !there {
		t.Errorf("the budget is %d", budget)
	}
	if !calls[0].Flag("root") || calls[1].Flag("root") || string(calls[0].Object) != `{"a":1.0}` {
		t.Errorf("the first call is %+v", calls[0])
	}
	if _, there := calls[1].Number("budget"); there {
		t.Error("a flag that is not there was found")
	}
	if _, err := capture.Read(strings.NewReader(`{"function":`)); err == nil {
		t.Error("half a call was read")
	}
}
