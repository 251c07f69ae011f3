package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// Measure is a number that a value has, for which there may be a bound.
type Measure string

const (
	OfValue    Measure = "value"
	Characters Measure = "characters"
	ByteCount  Measure = "bytes"
	Items      Measure = "items"
	Entries    Measure = "entries"
)

// MeasuresOf returns the measures of a kind of values.
func MeasuresOf(k Kind) []Measure {
	switch k {
	case Whole, Number:
		return []Measure{OfValue}
	case Text:
		return []Measure{Characters, ByteCount}
	case List:
		return []Measure{Items}
	case Mapping:
		return []Measure{Entries}
	}
	return nil
}

// Of returns the measure of a value.
func (m Measure) Of(value any) (float64, bool) {
	switch v := value.(type) {
	case int64:
		return float64(v), m == OfValue
	case float64:
		return v, m == OfValue
	case string:
		if m == ByteCount {
			return float64(len(v)), true
		}
		return float64(utf8.RuneCountInString(v)), m == Characters
	case []any:
		return float64(len(v)), m == Items
	case map[string]any:
		return float64(len(v)), m == Entries
	}
	return 0, false
}

// expr returns the measure of an expression.
func (m Measure) expr(of celexpr.Expr) celexpr.Expr {
	switch m {
	case OfValue:
		return of
	case ByteCount:
		of = celexpr.Call("bytes", of)
	}
	return celexpr.Method(of, "size")
}

// keywords returns the names of the keywords for the least and the greatest measure.
func (m Measure) keywords() (least, most string) {
	switch m {
	case OfValue:
		return "minimum", "maximum"
	case Characters:
		return "minLength", "maxLength"
	case Items:
		return "minItems", "maxItems"
	case Entries:
		return "minProperties", "maxProperties"
	}
	return "", ""
}

// longest bounds the texts and lists that are made.
const longest = 20_000

// boundsAtMarks returns the conditions that a field is beyond a number at which the answers change.
func boundsAtMarks(s *Facts, p evidence.Place) (all []Condition) {
	for _, m := range MeasuresOf(s.KindOf(p)) {
		all = append(all, Bounds(s, p, m, s.Marks(p, m))...)
	}
	return all
}

// Bounds returns the conditions that a measure of a field is beyond some numbers.
func Bounds(s *Facts, p evidence.Place, m Measure, at []float64) []Condition {
	r, k := s.RefOf(p), s.KindOf(p)
	var all []Condition
	for _, n := range at {
		if m != OfValue && (n < 0 || n > longest || n != math.Trunc(n)) || k == Whole && n != math.Trunc(n) {
			continue
		}
		number, measure := literal(JsonNumber(n), k == Number), m.expr(r.Access)
		tries := around(s, p, m, n)
		least, most := m.keywords()
		for _, is := range []struct {
			bad, keyword string
			exclusive    bool
		}{
			{operators.Less, least, false},
			{operators.Greater, most, false},
			{operators.LessEquals, least, true},
			{operators.GreaterEquals, most, true},
		} {
			if is.exclusive && k != Number {
				continue
			}
			keywords := map[string]any{is.keyword: JsonNumber(n)}
			if is.keyword == "" {
				keywords = nil
			} else if is.exclusive {
				keywords["exclusive"+strings.ToUpper(is.keyword[:1])+is.keyword[1:]] = true
			}
			weight := 2
			if m == ByteCount {
				weight = 3
			}
			if !slices.Contains(s.Numbers, fmt.Sprint(JsonNumber(n))) {
				weight++
				if m != OfValue && n != 1 { // of a text or list, other reasons are as likely
					weight += 2
				}
			}
			good := celexpr.OppositeOf(is.bad)
			if m != OfValue && n == 0 && good == operators.LessEquals {
				good = operators.Equals
			}
			rule := celexpr.Call(good, measure, number)
			bad := celexpr.Call(is.bad, measure, number)
			all = append(all, r.condition(weight, bad, rule, tries).withLeaf(leafOf(s, r, rule, keywords)))
		}
	}
	return all
}

// JsonNumber returns a number as documents have it.
func JsonNumber(n float64) any {
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return int64(n)
	}
	return n
}

// around returns changes to values whose measure is near a number.
func around(s *Facts, p evidence.Place, m Measure, n float64) []Try {
	var all []Try
	for _, by := range []float64{-1, 0, 1, 0.5, -0.5} {
		if by != math.Trunc(by) && s.KindOf(p) != Number {
			continue
		}
		if value, ok := Measuring(s, p, m, n+by); ok {
			all = append(all, Try{{Field: p, To: value}})
		}
	}
	if m == Items {
		all = append(all, itemPairs(s, p)...)
	}
	if m == Characters || m == ByteCount { // as many characters, more bytes
		for _, by := range []float64{0, 1} {
			if n+by > 0 {
				all = append(all, Try{{Field: p, To: strings.Repeat("é", int(n+by))}})
			}
		}
		all = append(all, Try{{Field: p, To: strings.Repeat("é", int(n+1)/2)}}, Try{{Field: p, To: strings.Repeat("é", int(n)/2)}})
		for i, seen := range s.Seen[p.String()][:min(len(s.Seen[p.String()]), mostTexts)] { // other reasons depend on the text
			like, _ := seen.(string)
			all = append(all, Try{{Field: p, To: lengthened(like, int(n)+2+i)}}, Try{{Field: p, To: lengthened(like, int(n)-i)}})
		}
	}
	return all
}

// mostTexts bounds the texts that are made as long as a bound.
const mostTexts = 5

// Measuring returns a value like those of a field with a measure.
func Measuring(s *Facts, p evidence.Place, m Measure, n float64) (any, bool) {
	if m != OfValue && (n < 0 || n > longest || n != math.Trunc(n)) {
		return nil, false
	}
	switch m {
	case OfValue:
		if s.KindOf(p) == Whole && math.Abs(n) < 1<<63 { // never a float, which no integer is compared with
			return int64(n), true
		}
		return JsonNumber(n), true
	case Characters, ByteCount:
		like, _ := s.value(p).(string)
		return lengthened(like, int(n)), true
	case Items:
		like, _ := s.value(p).([]any)
		if len(like) == 0 {
			like, _ = s.made(p).([]any)
		}
		if len(like) == 0 && n > 0 {
			if item := s.made(p.Below(evidence.AnyItem)); item != nil {
				like = []any{item}
			}
		}
		return resized(like, int(n)), n == 0 || len(like) > 0
	case Entries:
		made := map[string]any{}
		var entry any = s.made(p.Below(evidence.AnyItem))
		for _, seen := range s.Seen[p.String()] {
			if fields, is := seen.(map[string]any); is {
				for _, value := range fields {
					entry = value
				}
			}
		}
		for i := range int(n) {
			made[fmt.Sprintf("k%d", i)] = entry
		}
		return made, true
	}
	return nil, false
}

// lengthened returns a text of some length that begins like another one, and ends in a letter or
// digit.
func lengthened(like string, n int) string {
	runes := []rune(like)
	if n = max(n, 0); len(runes) >= n {
		return string(runes[:n])
	}
	return like + strings.Repeat("a", n-len(runes))
}

// resized returns a list of some size whose items differ.
func resized(like []any, n int) []any {
	out := slices.Clone(like[:min(len(like), n)])
	if out == nil {
		out = []any{}
	}
	for len(out) < n {
		out = append(out, Numbered(like[0], len(out)))
	}
	return out
}

// Numbered returns a value that differs from the one it is made of.
func Numbered(like any, n int) any {
	switch like := like.(type) {
	case string:
		return fmt.Sprintf("%s%d", like[:min(len(like), 40)], n)
	case int64:
		return like + int64(n)
	case map[string]any:
		out := map[string]any{}
		for name, value := range like {
			out[name] = value
			if _, isText := value.(string); isText && (name == "name" || name == "key" || name == "id" || like["name"] == nil) {
				out[name] = Numbered(value, n)
			}
		}
		return out
	}
	return like
}

// order returns the conditions that one field is beyond another one of the same kind.
func order(s *Facts, p, other evidence.Place) []Condition {
	k := s.KindOf(p)
	if len(p) == 0 || slices.Equal(p, other) || k != s.KindOf(other) || k != Whole && k != Number && k != Text {
		return nil
	}
	a, b := s.RefOf(p), s.RefOf(other)
	both := a.with(b)
	var tries []Try
	for _, value := range comparedWith(s, other) {
		for _, by := range []int64{-1, 0, 1} {
			to := value
			if n, isNumber := value.(int64); isNumber {
				to = n + by
			} else if by != 0 {
				to = fmt.Sprint(value, "x")
			}
			tries = append(tries, Try{{Field: p, To: to}, {Field: other, To: value}})
		}
	}
	bad := []string{operators.Equals, operators.NotEquals}
	isTime := k == Text && (s.SchemaAt(p).Format == "date-time" || s.SchemaAt(p).Format == "duration")
	if k != Text || isTime {
		bad = append(bad, operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals)
	}
	if isTime {
		tries = append(tries, times(s, p, other, s.SchemaAt(p).Format)...)
	}
	var all []Condition
	for _, is := range bad {
		refuses, rule := celexpr.Call(is, a.Access, b.Access), celexpr.Call(celexpr.OppositeOf(is), a.Access, b.Access)
		all = append(all, both.condition(5, refuses, rule, tries))
	}
	return all
}

// times returns orders of two times or durations.
func times(s *Facts, p, other evidence.Place, format string) []Try {
	values := []string{"2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", "2026-01-01T01:00:01+01:00"}
	if format == "duration" {
		values = []string{"1h", "61m", "60m"}
	}
	var all []Try
	for _, a := range values {
		for _, b := range values {
			all = append(all, Try{{Field: p, To: a}, {Field: other, To: b}})
		}
	}
	return all
}

// comparedWith returns a few values of a field.
func comparedWith(s *Facts, p evidence.Place) []any {
	seen := s.Seen[p.String()]
	if len(seen) == 0 {
		return []any{s.value(p)}
	}
	return seen[:min(len(seen), 3)]
}
