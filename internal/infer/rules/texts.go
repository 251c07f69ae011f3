package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	table "github.com/diffrun/diffrun/internal/openapi/formats"
)

// textFormat is a form of texts that Kubernetes' libraries or everybody's patterns know.
type textFormat struct {
	// good is a CEL expression about self.
	good string
	// pattern is the regular expression, if it is one. format is the OpenAPI format that says the same, if there is one.
	pattern, format string
	weight          int
}

// Of returns the expression that a text has the form.
func (f textFormat) Of(text celexpr.Expr) celexpr.Expr {
	if f.pattern != "" {
		return celexpr.Method(text, "matches", celexpr.Literal(f.pattern))
	}
	return celexpr.Rename(celexpr.Parse(f.good), "self", text)
}

// goDuration matches what time.ParseDuration accepts, without its limits.
const goDuration = `^[-+]?(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`

// TextFormats are the forms that are tried, the usual ones first.
func TextFormats() []textFormat {
	var all []textFormat
	for _, name := range []string{
		"dns1123Label",
		"dns1123Subdomain",
		"dns1035Label",
		"qualifiedName",
		"labelValue",
		"uri",
		"uuid",
		"byte",
		"date",
		"datetime",
	} {
		one := textFormat{good: "!format." + name + "().validate(self).hasValue()", weight: 5}
		if same := table.OfCEL(name); same.Since == "" && !same.Proposed { // every API server validates it
			one.format = same.Name
		}
		all = append(all, one)
	}
	for _, function := range []string{"isIP", "isCIDR", "isURL", "isQuantity", "isSemver"} {
		all = append(all, textFormat{good: function + "(self)", weight: 5})
	}
	all = append(all, textFormat{good: "isURL(self) && url(self).getScheme() in ['http', 'https']", weight: 7},
		textFormat{good: "isURL(self) && url(self).getScheme() == 'https'", weight: 7})
	for _, pattern := range []string{
		`^[a-z]+$`, `^[A-Z]+$`, `^[0-9]+$`, `^[a-zA-Z]+$`, `^[a-z0-9]+$`, `^[a-zA-Z0-9]+$`, `^[a-z0-9-]+$`, `^[a-zA-Z0-9_]+$`,
		`^[a-zA-Z0-9_-]+$`,
		`^[a-zA-Z0-9._-]+$`, `^[a-zA-Z_][a-zA-Z0-9_]*$`, `^[-._a-zA-Z0-9]+$`, `^/`, `^https?://`, `^https://`, `^\S+$`, `\S`,
		`^[^/]+$`, `^[^,]+$`, `^[^:]+$`, `^[^.]*$`, `[a-z]`, `[a-zA-Z]`, `[0-9]`, `^[a-zA-Z]`, `^[^-](.*[^-])?$`,
		`^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$`, goDuration, `^([0-9]{1,5}(h|m|s|ms)){1,4}$`, `^[0-9]+%$`, `^(100|[1-9]?[0-9])%$`,
		`^[a-z]([-a-z0-9]*[a-z0-9])?$`, `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`,
		`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
		`^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`, `^v?[0-9]+\.[0-9]+\.[0-9]+$`,
		`^[A-Za-z0-9+/]+={0,2}$`, `^[0-9a-f]+$`,
	} {
		all = append(all, textFormat{pattern: pattern, weight: 6})
	}
	return all
}

// texts are values that tell formats from each other.
func texts() []string {
	return []string{
		"", " ", "a", "A", "z9", "9z", "0", "1", "-1", "+1", "1.5", "10%", "100%", "101%", "abc", "ABC", "aBc", "a-b",
		"a--b", "a_b", "a.b", "a..b", "-a", "a-", ".a", "a.", "_a", "a_",
		"a b", " a", "a ", "a/b", "/", "/a", "a/", "/a/b", "//a", "a:b", "a,b", "a=b", "a@b.c", "é", "日本", "a\n", "a\tb",
		"*", "*.a.b", "a.*.b", "example.com", "Example.com", "example.com.", "example.com/a",
		"example.com/A_b.c", "1.example.com", "10.0.0.1", "010.0.0.1", "10.0.0.256", "10.0.0.0/8", "010.0.0.0/8",
		"10.0.0.0/08", "::ffff:10.0.0.0/104", "::ffff:192.0.2.0/120", "10.0.0.1/8", "10.0.0.1/33", "::1", "::/0",
		"::ffff:10.0.0.1", "fe80::1%eth0", "http://a", "https://a", "https://a/b?c=d#e",
		"ftp://a", "http:///", "mailto:a", "urn:a:b", "http://a b", "1h", "90m", "1h30m", "1d", "1.5h", "0s", "-1h", "+1h",
		"100ms", "5us", "P1D", "PT1H", "1Gi", "100m", "1e3", "1E", "-1Gi", "0Gi", ".5", "5.", "1 Gi",
		"2026-01-31", "2026-13-01", "2026-01-31T10:00:00Z", "2026-01-31T10:00:00+02:00", "2026-01-31T10:00:00", "10:00",
		"YQ==", "YQ=", "YQ", "YWI=", "a+b/", "1.2.3", "v1.2.3", "1.2", "1.2.3-rc.1", "v1",
		"123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000", "123e4567e89b12d3a456426614174000",
		"ff", "0xff", "true", "null", "a&b", "a'b", "a\"b", "a\\b", "{a}", "[a]", "$(a)", "#a", "a;b", "~",
		strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 253), strings.Repeat("a", 254),
		strings.Repeat("a.", 31) + "a", "a." + strings.Repeat("b", 63), "a." + strings.Repeat("b", 64), strings.Repeat("a", 317),
		"a/" + strings.Repeat("b", 64),
	}
}

// formats returns the conditions that a text does not have a form.
func formats(s *Facts, p evidence.Place) []Condition {
	r := s.RefOf(p)
	forms := TextFormats()
	for _, pattern := range patternsInText(s) {
		forms = append(forms, textFormat{pattern: pattern, weight: 1})
	}
	tries := textTries(s, p)
	var all []Condition
	for _, form := range forms {
		good := form.Of(r.Access)
		var keywords map[string]any
		if form.pattern != "" {
			keywords = map[string]any{"pattern": form.pattern}
		}
		if form.format != "" && s.SchemaAt(p).Format == "" {
			keywords = map[string]any{"format": form.format}
		}
		all = append(all, r.condition(form.weight, celexpr.Not(good), good, tries).withLeaf(leafOf(s, r, good, keywords)))
	}
	for _, word := range s.Quoted {
		if len(word) > 20 || word == "" {
			continue
		}
		for _, function := range []string{"startsWith", "endsWith", "contains"} {
			is := celexpr.Method(r.Access, function, celexpr.Literal(word))
			pattern := map[string]string{"startsWith": "^" + regexp.QuoteMeta(word), "endsWith": regexp.QuoteMeta(word) + "$"}[function]
			var keywords map[string]any
			if pattern != "" {
				keywords = map[string]any{"pattern": pattern}
			}
			more := append(slices.Clip(tries), Try{{Field: p, To: word + "a"}}, Try{{Field: p, To: "a" + word}},
				Try{{Field: p, To: "a" + word + "b"}}, Try{{Field: p, To: word}})
			all = append(all,
				r.condition(3, celexpr.Not(is), is, more).withLeaf(leafOf(s, r, is, keywords)),
				r.condition(3, is, celexpr.Not(is), more).withLeaf(leafOf(s, r, celexpr.Not(is), nil)))
		}
	}
	return append(all, enums(s, p, tries)...)
}

// patternsInText returns the regular expressions that the text of the error names.
func patternsInText(s *Facts) []string {
	var all []string
	if found := anchoredPattern.FindString(s.Site.First.Detail); found != "" {
		if _, err := regexp.Compile(found); err == nil {
			return []string{found}
		}
	}
	for _, found := range s.Quoted {
		if strings.ContainsAny(found, "[(^$\\+*") {
			if _, err := regexp.Compile(found); err == nil {
				if !strings.HasPrefix(found, "^") {
					found = "^(" + found + ")$" // Kubernetes' texts name patterns without their anchors
				}
				all = append(all, found)
			}
		}
	}
	return all
}

// anchoredPattern matches a regular expression in a text.
var anchoredPattern = regexp.MustCompile(`\^\S.*\$`)

// textTries returns changes of a field to texts of many forms.
func textTries(s *Facts, p evidence.Place) []Try {
	var all []Try
	for _, text := range slices.Concat(texts(), s.Quoted) {
		all = append(all, Try{{Field: p, To: text}})
	}
	return all
}

// mostEnum bounds the values of an enum that the text lists, and mostGuessedEnum those of one that only objects suggest.
const mostEnum, mostGuessedEnum = 30, 8

// enums returns the condition that a text is none of those that the error lists, or that accepted
// objects have.
func enums(s *Facts, p evidence.Place, tries []Try) []Condition {
	r := s.RefOf(p)
	var all []Condition
	for i, values := range [][]string{s.Quoted, AcceptedTexts(s, p)} {
		if len(values) == 0 || len(values) > mostEnum || i == 1 &&
			(len(values) > mostGuessedEnum || slices.ContainsFunc(values, IsNoWord) || isFolded(values)) {
			continue // so many texts, and those that are no words, have a form; or they are compared without case
		}
		values = slices.Clone(values)
		slices.Sort(values)
		values = slices.Compact(values)
		var written []celexpr.Expr
		for _, value := range values {
			written = append(written, celexpr.Literal(value))
		}
		good := celexpr.Call(operators.In, r.Access, celexpr.List(written...))
		more := slices.Clip(tries)
		for _, value := range values {
			more = append(more, Try{{Field: p, To: value}}, Try{{Field: p, To: strings.ToLower(value)}}, Try{{Field: p, To: value + "x"}})
		}
		keywords := map[string]any{"enum": stringsAsValues(values)}
		all = append(all,
			r.condition(2+4*i, celexpr.Not(good), good, more).withLeaf(leafOf(s, r, good, keywords)),
			r.condition(4+4*i, good, celexpr.Not(good), more).withLeaf(leafOf(s, r, celexpr.Not(good), nil)))
	}
	return all
}

// enumWord matches the texts that an enum may have: names and the empty text, but no address, number or path.
var enumWord = regexp.MustCompile(`^([A-Za-z][-A-Za-z0-9_]*)?$`)

// isFolded reports whether three of some texts differ in their case alone.
func isFolded(values []string) bool {
	return slices.ContainsFunc(values, func(one string) bool {
		alike := 0
		for _, other := range values {
			if strings.EqualFold(one, other) {
				alike++
			}
		}
		return alike > 2
	})
}

func IsNoWord(text string) bool { return !enumWord.MatchString(text) }

// AcceptedTexts returns the texts of a field in accepted objects.
func AcceptedTexts(s *Facts, p evidence.Place) []string {
	var all []string
	for _, value := range s.Evidence.AcceptedAt(slices.Concat(s.Scope, p), mostAcceptedTexts, func(value any) string {
		text, isText := value.(string)
		return map[bool]string{true: "t" + text}[isText]
	}) {
		all = append(all, value.(string))
	}
	return all
}

// mostAcceptedTexts bounds the texts of a field in accepted objects. Of more than 30, none is an enum.
const mostAcceptedTexts = 32
