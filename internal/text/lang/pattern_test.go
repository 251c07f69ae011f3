package lang_test

import (
	"regexp"
	"testing"

	"github.com/diffrun/diffrun/internal/text/lang"
)

// expressions are typical of schemas, or need special care.
func expressions() []string {
	return []string{
		``, `a`, `^a`, `a$`, `^a$`, `^$`, `$^`, `^`, `$`, `a|b`, `^a|b$`, `(^|,)a(,|$)`, `a*`, `^a*$`, `(a$|b)*c`, `.`,
		`^.$`, `(?s)^.$`, `(?i)^AbC$`, `[^a]`, `^[^a]*$`, `\bword\b`, `(?m)^a$`,
		`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
		`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$`,
		`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
		`^([0-9]{1,5}(h|m|s|ms)){1,4}$`, `^[0-9]{1,3}%?$`, `^[A-Za-z]{1,1000}$`, `(a|b)*abb`, `a{2,3}b?`, `^\p{L}+$`,
		`(a$)(^b)?`, `(?:$)(?:^)`, `x*$`, `\Aa\z`, `a\zb`, `^(?:a|ab)(?:c|bcd)(?:d*)$`,
	}
}

func texts() []string {
	return []string{
		"", "a", "b", "ab", "aa", "abb", "babb", "abc", "ABC", "a\n", "\n", "a,b", "b,a", "word", "a word here", "é", "aé", "abcd",
		"a.b-c", "-a", "a-", "a..b", "example.com", "example.com/name", "/name", "1Gi", "100m", "1e3", ".5", "1.", "+1",
		"1h30m", "10s20ms", "100%", "1000%", "A", "x",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "\xff", "a\x00b",
	}
}

// FuzzMatch compares the package with package regexp.
func FuzzMatch(f *testing.F) {
	for _, source := range expressions() {
		for _, text := range texts() {
			f.Add(source, text)
		}
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		p, err := lang.Compile(source)
		if err != nil {
			return
		}
		if got, want := p.Match(text), regexp.MustCompile(source).MatchString(text); got != want {
			t.Errorf("%q on %q: got %t, package regexp says %t", source, text, got, want)
		}
	})
}
