package plaintext_test

import (
	"bytes"
	"testing"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

func TestAnnotation(t *testing.T) {
	for _, row := range []struct {
		why  string
		of   plaintext.Annotation
		want string
	}{
		{"a place", plaintext.Annotation{Level: plaintext.ErrorLevel, File: "a.yaml", Line: 3, Title: "x", Lines: []string{"b", "c"}},
			"::error file=a.yaml,line=3,title=x::b%0Ac"},
		{"a file as a whole", plaintext.Annotation{Level: plaintext.WarningLevel, File: "a.yaml", Lines: []string{"b"}},
			"::warning file=a.yaml::b"},
		{"nowhere", plaintext.Annotation{Level: plaintext.NoticeLevel, Title: "x", Lines: []string{"b"}}, "::notice title=x::b"},
		{"separators of parts", plaintext.Annotation{
			Level: plaintext.ErrorLevel,
			File:  "a,line=9::b%2C",
			Title: "x:y",
			Lines: []string{"::error::50%0A, 1:2"},
		},
			"::error file=a%2Cline=9%3A%3Ab%252C,title=x%3Ay::::error::50%250A, 1:2"},
		{"terminal control sequences", plaintext.Annotation{
			Level: plaintext.ErrorLevel,
			File:  "a\nb",
			Lines: []string{"c\r\n::set-env::\x1b[2J ##[group]"},
		},
			`::error file=a\nb::c\r\n::set-env::\x1b[2J \x23#[group]`},
	} {
		got := row.of.String()
		if got != row.want {
			t.Errorf("%s: %q, want %q", row.why, got, row.want)
		}
		var out bytes.Buffer
		w := plaintext.NewAnnotationWriter(&out)
		for _, b := range []byte(got + "\n") {
			if _, err := w.Write([]byte{b}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil || out.String() != got+"\n" {
			t.Errorf("%s: the writer makes %q of it (%v)", row.why, out.String(), err)
		}
	}
}

// A writer of annotations lets only these commands pass.
func TestAnnotationWriter(t *testing.T) {
	for text, want := range map[string]string{
		"::error title=x::a\n":            "::error title=x::a\n",
		"::set-output name=x::a\n":        `\x3a:set-output name=x::a` + "\n",
		"::errors title=x::a\n":           `\x3a:errors title=x::a` + "\n",
		"::stop-commands::x\n::notice ::": `\x3a:stop-commands::x` + "\n::notice ::",
		"::":                              `\x3a:`,
		"::warn":                          `\x3a:warn`,
	} {
		var out bytes.Buffer
		w := plaintext.NewAnnotationWriter(&out)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil || out.String() != want {
			t.Errorf("%q becomes %q, want %q (%v)", text, out.String(), want, err)
		}
	}
}
