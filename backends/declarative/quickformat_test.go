package declarative_test

import (
	"math/rand/v2"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
)

// TestQuickFormats slightly changes strings of a format, and compares the answers, most of which quick checks
// give, with the libraries that define the formats.
func TestQuickFormats(t *testing.T) {
	const tries = 40_000
	inStrfmt := func(format string) func(string) bool {
		return func(text string) bool { return strfmt.Default.Validates(format, text) }
	}
	for _, tt := range []struct {
		format string
		valid  func(string) bool
		texts  []string
		bytes  string // that are put in
	}{
		{"date-time", inStrfmt("datetime"), []string{
			"2006-01-02T15:04:05Z", "2000-02-29t23:59:59z", "1900-02-28T00:00:00.123456789+01:00", "2023-02-29T00:00:00Z",
			"0000-12-31T23:59:59-23:59", "2023-04-30T24:00:00Z", "2023-11-30T23:59:60.5Z", "9999-10-10T10:10:10+99:99",
			"2024-02-29T00:00:00Z",
		}, "0123456789-+:.TtZz /"},
		{"byte", inStrfmt("byte"), []string{"YWJj", "YWI=", "YQ==", "", "ab+/AB9="}, "aZ9+/=-_\n"},
	} {
		validator, err := declarative.Compile(new(spec.Schema).Typed("string", tt.format), declarative.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src, seen := rand.New(rand.NewPCG(*seed, 77)), map[bool]int{}
		for i := range tries {
			text := []byte(tt.texts[i%len(tt.texts)])
			for range src.IntN(3) {
				text = changed(src, text, tt.bytes)
			}
			errs := validator.Validate(t.Context(), value.NewValueInterface(string(text)), nil)
			want := tt.valid(string(text))
			if want != (len(errs) == 0) {
				t.Errorf("-seed %d: %s %q: valid is %t, and the errors are %v", *seed, tt.format, text, want, errs)
			}
			seen[want]++
		}
		if min(seen[true], seen[false]) < tries/20 {
			t.Errorf("%s: %d valid and %d other texts show little", tt.format, seen[true], seen[false])
		}
	}
}

// changed changes, adds or removes one byte of a string.
func changed(src *rand.Rand, text []byte, from string) []byte {
	b, at := from[src.IntN(len(from))], src.IntN(len(text)+1)
	switch {
	case at == len(text):
		return append(text, b)
	case src.IntN(4) > 0:
		text[at] = b
		return text
	case src.IntN(2) == 0:
		return append(text[:at], text[at+1:]...)
	}
	return append(text[:at], append([]byte{b}, text[at:]...)...)
}
