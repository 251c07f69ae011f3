package explore

import (
	"iter"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// spellings are texts of the notations that validators parse, right and almost right.
var spellings = []string{
	"a", "A", "a b", "-a", "a-", "a.b", "a..b", "a_b", "a/b", "a/b/c", "/", "/a", "/a/../b", "..", "é", "a\nb", "*", "*.example.com",
	"0", "1", "-1", "01", "1.5", ".5", "1e3", "50%", "0%", "101%", "-1%", "8080", "65536", "http",
	"1Gi", "100m", "-0", "0.0001", "1Ei1", "1h", "1m30s", "-1h", "90m", "1 h",
	"10.0.0.1", "010.0.0.1", "10.0.0.256", "::1", "fd00::1", "::ffff:10.0.0.1", "10.0.0.0/8", "10.0.0.1/8", "fd00::/64",
	"example.com", "example.com.", "kubernetes.io/a", "example.com/a", "https://example.com/a?b#c", "http://a", "ftp://a", "a@example.com",
	"true", "null", "None", "YQ==", "YQ", "2026-01-31T10:00:00Z", "2026-01-31", "0 0 * * *", "a=b", "a in (b)", "$(A)",
	"11111111-1111-4111-8111-111111111111",
}

// numbers are integers at which types and common limits end.
var numbers = []int64{
	0,
	1,
	2,
	10,
	99,
	100,
	101,
	255,
	256,
	3600,
	32767,
	65535,
	65536,
	86401,
	math.MaxInt32,
	math.MaxInt32 + 1,
	math.MinInt32 - 1,
	math.MaxInt64,
}

// keySpellings are keys of maps: names, labels, and other texts.
func keySpellings() []string {
	return []string{
		"", "a", "A", "a b", "-a", "a.b", "a/b", "a/b/c", "example.com/a", "kubernetes.io/a", "EXAMPLE.com/a", "é", "a_b", "..", "cpu", "1",
		strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 254),
	}
}

// variants returns a text and those that a comparison of names, paths or images may mistake for it: a
// prefix and a suffix of it, below it, in another case, and with a port, tag or digest.
func variants(text string) []string {
	all := []string{text}
	for _, near := range []string{
		text + "a", "a" + text, text + "/a", text + "/", strings.TrimSuffix(text, "/"), strings.ToLower(text), strings.ToUpper(text),
		text + ":1", text + "@sha256:" + strings.Repeat("0", 64),
	} {
		if near != "" && !slices.Contains(all, near) {
			all = append(all, near)
		}
	}
	return all
}

// neighbors returns texts that differ in one character from a text, by the kind of difference.
func neighbors(text string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		if text == "" {
			return
		}
		_, size := utf8.DecodeRuneInString(text)
		_, last := utf8.DecodeLastRuneInString(text)
		for _, near := range [][2]string{
			{"one character more", text + "a"}, {"one character less", text[:len(text)-last]}, {"upper case", strings.ToUpper(text)},
			{"a hyphen in front", "-" + text}, {"a hyphen at the end", text + "-"}, {"a dot at the end", text + "."},
			{"a slash at the end", text + "/"},
			{"a space in front", " " + text}, {"a line break at the end", text + "\n"}, {"a letter of two bytes", "é" + text[size:]},
			{"a digit in front", "1" + text}, {"twice", text + text},
		} {
			if !yield(near[0], near[1]) {
				return
			}
		}
	}
}

// sized returns a text of some length in characters: one that matches the pattern of the schema if repeating
// a character of a matching text yields one.
func sized(s *props, length int) string {
	seed, _ := generate.Value(generate.Seeded(0), s, generate.ObjectOptions{Values: 1}).(string)
	plain := *s
	plain.MinLength, plain.MaxLength = nil, nil
	for _, short := range []string{"a", seed} {
		for at, r := range short {
			missing := length - utf8.RuneCountInString(short)
			if missing < 0 {
				break
			}
			if text := short[:at] + strings.Repeat(string(r), missing) + short[at:]; generate.Fits(&plain, text) {
				return text
			}
		}
	}
	return strings.Repeat("a", length)
}

// lengthened returns longer texts of some length that probably have the notation of a text: with more letters
// at its end, and with more labels, as domain names have.
func lengthened(text string, length int) []string {
	missing := length - utf8.RuneCountInString(text)
	at := strings.LastIndexFunc(text, func(r rune) bool { return r >= 'a' && r <= 'z' })
	if missing < 1 || at < 0 {
		return nil
	}
	const longestLabel = 60
	labels := strings.Repeat("."+strings.Repeat("a", longestLabel), missing/(longestLabel+1))
	if rest := missing - len(labels); rest == 1 {
		labels = "a" + labels
	} else if rest > 1 {
		labels += "." + strings.Repeat("a", rest-1)
	}
	return []string{text[:at+1] + strings.Repeat("a", missing) + text[at+1:], text[:at+1] + labels + text[at+1:]}
}
