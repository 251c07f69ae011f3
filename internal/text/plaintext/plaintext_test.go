package plaintext_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	yamlv3 "go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

func TestLine(t *testing.T) {
	for _, tc := range []struct{ why, in, want string }{
		{"text stays as it is", `größer als "3" \ 日本語`, `größer als "3" \ 日本語`},
		{"sequences that steer a terminal", "\x1b[2J\x07\x9b", `\x1b[2J\a\x9b`},
		{"characters that begin a line", "a\nb\r\nc\td", `a\nb\r\nc\td`},
		{"DEL and C1", "\x7f\u0085\u009b31m", `\x7f\u0085\u009b31m`},
		{"text that runs the other way", "\u202egpj.exe\u2066\u200f", `\u202egpj.exe\u2066\u200f`},
		{"characters without a width", "a\u200bb\u200d\ufeff\u00ad", `a\u200bb\u200d\ufeff\u00ad`},
		{"separators of lines and paragraphs", "a\u2028b\u2029", `a\u2028b\u2029`},
		{"fillers and selectors, in which text can hide", "a\ufe0f\u3164\U000e0101\U000e0041", `a\ufe0f\u3164\ue0101\U000e0041`},
		{"invalid UTF-8, and the replacement character", "a\xff\ufffd\xe2\x80", `a\xff�\xe2\x80`},
		{"commands for those who read logs", "a ##[error]b ##vso[task.setvariable]##teamcity[a",
			`a \x23#[error]b \x23#vso[task.setvariable]\x23#teamcity[a`},
		{"not a command", "## a [b] # ::a ##a-b[ ##abcdefghijklmnopqrstuvwxyz[", "## a [b] # ::a ##a-b[ ##abcdefghijklmnopqrstuvwxyz["},
		{"escaping twice changes nothing", `\x1b \u202e \x23#[a]`, `\x1b \u202e \x23#[a]`},
	} {
		if got := plaintext.Line(tc.in); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.why, got, tc.want)
		}
	}
}

func TestBounds(t *testing.T) {
	long := strings.Repeat("x", 15<<20)
	if got, want := plaintext.Line(long), strings.Repeat("x", plaintext.MaxText)+"… 15726640 more bytes"; got != want {
		t.Errorf("got %d bytes that end in %s", len(got), got[len(got)-40:])
	}
	if got := plaintext.Line("file.yaml:3: " + plaintext.Line(long)); strings.Count(got, "more bytes") != 1 ||
		!strings.HasSuffix(got, "15726640 more bytes") {
		t.Errorf("what was cut is cut again: …%s", got[len(got)-60:])
	}
	if got := plaintext.Line(long[:plaintext.MaxText+100]); len(got) != plaintext.MaxText+100 {
		t.Error("a text that is hardly too long is cut")
	}
	if got := plaintext.Cut(strings.Repeat("\u202e", 10), 20); got != `\u202e\u202e\u202e… 21 more bytes` {
		t.Errorf("escapes count, and are not cut: %s", got)
	}
	lines := plaintext.Lines(strings.Repeat("a\n", 5000) + "b")
	if len(lines) != plaintext.MaxLines+1 || lines[plaintext.MaxLines] != "… 9961 more bytes" {
		t.Errorf("got %d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	if diff := cmp.Diff([]string{"a", "", `\x1bb`}, plaintext.Lines("a\r\n\n\x1bb\n\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := plaintext.List(strings.Split(strings.Repeat("a ", 79), " ")); got != strings.Repeat("a, ",
		plaintext.MaxNames)+"… and 30 more" {
		t.Errorf("got %s", got)
	}
	if shown, more := plaintext.First(make([]int, 20_000)); len(shown) != plaintext.MaxItems || more != 20_000-plaintext.MaxItems {
		t.Errorf("got %d and %d more", len(shown), more)
	}
	if shown, more := plaintext.First(make([]int, plaintext.MaxItems+1)); len(shown) != plaintext.MaxItems+1 || more != 0 {
		t.Errorf("one of %d is left out", plaintext.MaxItems+1)
	}
}

func TestSprintf(t *testing.T) {
	type name string
	got := plaintext.Sprintf("%s|%q|%v|%v|%d|%-4s|%s|%v", "a\nb", "c\x1b\u3164", errors.New("d\ne"), []string{"f\r"}, 3,
		name("\a"), plaintext.Text("g\nh"), true)
	if want := `a\nb|"c\x1b\u3164"|d; e|[f\r]|3|\a   |` + "g\nh|true"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := plaintext.Sprintf("%s", strings.Repeat("x", 1<<20)); len(got) > 2*plaintext.MaxText {
		t.Errorf("an argument is %d bytes long", len(got))
	}
}

// The mistake in a value is not hidden by the length of the value.
func TestError(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	got := plaintext.Error(field.Invalid(field.NewPath("spec", "a\x1b"), long, "must be short\r"))
	if want := `spec.a\x1b: Invalid value: "` + strings.Repeat("x", 184) + `… 1048393 more bytes: must be short`; got != want {
		t.Errorf("got  %.400s\nwant %s", got, want)
	}
	if got := plaintext.Sprintf("%v", field.Required(field.NewPath("a"), "")); got != "a: Required value" {
		t.Errorf("got %s", got)
	}
}

// recorder records each call.
type recorder struct{ calls []string }

func (r *recorder) Write(text []byte) (int, error) {
	r.calls = append(r.calls, string(text))
	return len(text), nil
}

func TestWriter(t *testing.T) {
	for _, tc := range []struct {
		why    string
		styles []plaintext.Style
		writes []string
		want   string
	}{
		{"lines and tabs pass", nil, []string{"a\tb\n", "c"}, "a\tb\nc"},
		{"all else does not", nil, []string{"a\rb\x1b[1mc\u202e\xff"}, `a\rb\x1b[1mc\u202e\xff`},
		{"styles of the program are kept if there are any", plaintext.Styles(), []string{plaintext.Red.On("a")}, "\x1b[31ma\x1b[0m"},
		{"others never do", plaintext.Styles(), []string{"\x1b[8m\x1b[2J\x1b]0;a\x07"}, `\x1b[8m\x1b[2J\x1b]0;a\a`},
		{"a character in two parts", nil, []string{"\xe2", "\x82\xac"}, "€"},
		{"a style in three", plaintext.Styles(), []string{"\x1b", "[3", "1ma\x1b[0", "m"}, "\x1b[31ma\x1b[0m"},
		{"a prefix of one", plaintext.Styles(), []string{"\x1b[3", "9ma"}, `\x1b[39ma`},
		{"a command that a text makes with the one before", nil, []string{"a #", "#vs", "o[x]", " ###[", "a ##", "\n", "a #"},
			`a \x23#vso[x] #\x23#[a ##` + "\na #"},
		{"a command at the beginning of a line", plaintext.Styles(), []string{
			"::a\n",
			" \t",
			plaintext.Red.On(":"),
			":b\n:",
			":c\na ::d\n",
			":e",
		}, `\x3a:a` + "\n \t\x1b[31m:\x1b[0m:b\n" + `\x3a:c` + "\na ::d\n:e"},
		{"an incomplete one at the end", nil, []string{"a\xe2\x82"}, `a\xe2\x82`},
	} {
		t.Run(tc.why, func(t *testing.T) {
			var out recorder
			w := plaintext.NewWriter(&out, tc.styles...)
			for _, text := range tc.writes {
				if n, err := w.Write([]byte(text)); n != len(text) || err != nil {
					t.Fatalf("%d of %d bytes: %v", n, len(text), err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(out.calls, ""); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// Whatever is written, in whatever pieces, the output is printable, and printable text is unchanged.
func TestWriterOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var out recorder
		w := plaintext.NewWriter(&out)
		parts := rapid.SliceOf(rapid.SliceOf(rapid.Byte())).Draw(t, "parts")
		for _, part := range parts {
			if _, err := w.Write(part); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, whole := strings.Join(out.calls, ""), string(bytes.Join(parts, nil))
		for _, r := range got {
			if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
				t.Fatalf("%q passed in %q", r, got)
			}
		}
		escaped := strings.NewReplacer("\n", "", "\t", "").Replace(whole)
		if plaintext.Cut(escaped, 1<<20) == escaped && got != whole {
			t.Fatalf("%q became %q", whole, got)
		}
	})
}

// Reading back returns what was written, and everything in between is printable.
func TestEncodings(t *testing.T) {
	hostile := rapid.StringOf(
		rapid.RuneFrom(
			[]rune("ab\\x01LN ##[:::\"'\n\t\x01\x02\x1b\a\x7f\u0085\u009b\u00a0\u200b\u2028\u2029\u202e\ufe0f\ufeff\ufffd\U000e0101€😀"),
			unicode.Cf))
	rapid.Check(t, func(t *rapid.T) {
		value := map[string]any{"list": []any{hostile.Draw(t, "item"), "plain"}, hostile.Draw(t, "key"): hostile.Draw(t, "value")}
		encoded, err := plaintext.JSON(value)
		if err != nil {
			t.Fatal(err)
		}
		checkPrintable(t, string(encoded), "")
		var decoded any
		if err := json.Unmarshal(encoded, &decoded); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(any(value), decoded); diff != "" {
			t.Fatalf("JSON: -written +read:\n%s\n%s", diff, encoded)
		}
		written, err := plaintext.YAML(value)
		if err != nil {
			t.Fatal(err)
		}
		checkPrintable(t, string(written), "\n\t")
		var read any
		if err := yaml.Unmarshal(written, &read); err != nil {
			t.Fatalf("%v\n%q", err, written)
		}
		if diff := cmp.Diff(any(value), read); diff != "" {
			t.Fatalf("YAML: -written +read:\n%s\n%q", diff, written)
		}
		// An encoder that marks texts one by one.
		text := hostile.Draw(t, "text")
		if plaintext.MarkYAML(text) == text {
			return // it belongs to the encoder
		}
		written, err = yamlv3.Marshal([]string{plaintext.MarkYAML(text)})
		if err != nil {
			t.Fatal(err)
		}
		written = plaintext.EscapeYAML(written)
		checkPrintable(t, string(written), "\n\t")
		var texts []string
		if err := yamlv3.Unmarshal(written, &texts); err != nil || texts[0] != text {
			t.Fatalf("%q was read as %q: %v\n%q", text, texts, err, written)
		}
	})
	// An encoder breaks a long line at a space, and a command must not begin the next line.
	written, err := plaintext.YAML(map[string]any{"a": "\x01" + strings.Repeat("\u00ad", 40) + " ::error::"})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(written)) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			t.Errorf("a line is a command: %q", written)
		}
	}
	if got, err := plaintext.JSON(map[string]any{"a\u202e": "<&>\u009b\U000e0101"}); err != nil ||
		string(got) != `{"a\u202e":"<&>\u009b\udb40\udd01"}` {
		t.Errorf("got %s, %v", got, err)
	}
}

func checkPrintable(t *rapid.T, text, passes string) {
	if !utf8.ValidString(text) {
		t.Fatalf("not UTF-8: %q", text)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			t.Fatalf("a line is a command: %q", text)
		}
	}
	if passes != "" {
		text = strings.NewReplacer("\n", " ", "\t", " ").Replace(text)
	}
	if plaintext.Cut(text, 1<<20) != text {
		t.Fatalf("not printable: %q", text)
	}
}

// A pattern of a text matches that text only.
func TestRegexp(t *testing.T) {
	const text = "a.b\x1b\n\u202e€\U000e0041 [x]"
	pattern := plaintext.Regexp(text)
	if want := `a\.b\x{1b}\x{a}\x{202e}€\x{e0041} \[x\]`; pattern != want {
		t.Errorf("got %s, want %s", pattern, want)
	}
	if whole := regexp.MustCompile(`^(?:` + pattern + `)$`); !whole.MatchString(text) || whole.MatchString("a.b") {
		t.Errorf("%s does not match what it was made of", pattern)
	}
}
