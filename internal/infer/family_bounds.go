package infer

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// measure is a number that a value has, for which there may be a bound.
type measure string

const (
	noMeasure  measure = ""
	ofValue    measure = "value"
	characters measure = "characters"
	byteCount  measure = "bytes"
	items      measure = "items"
	entries    measure = "entries"
)

// measuresOf returns the measures of a kind of values.
func measuresOf(k kind) []measure {
	switch k {
	case whole, number:
		return []measure{ofValue}
	case text:
		return []measure{characters, byteCount}
	case list:
		return []measure{items}
	case mapping:
		return []measure{entries}
	}
	return nil
}

// of returns the measure of a value.
func (m measure) of(value any) (float64, bool) {
	switch v := value.(type) {
	case int64:
		return float64(v), m == ofValue
	case float64:
		return v, m == ofValue
	case string:
		if m == byteCount {
			return float64(len(v)), true
		}
		return float64(utf8.RuneCountInString(v)), m == characters
	case []any:
		return float64(len(v)), m == items
	case map[string]any:
		return float64(len(v)), m == entries
	}
	return 0, false
}

// expr returns the measure of an expression.
func (m measure) expr(access string) string {
	switch m {
	case ofValue:
		return access
	case byteCount:
		return "bytes(" + access + ").size()"
	}
	return access + ".size()"
}

// keywords returns the names of the keywords for the least and the greatest measure.
func (m measure) keywords() (least, most string) {
	switch m {
	case ofValue:
		return "minimum", "maximum"
	case characters:
		return "minLength", "maxLength"
	case items:
		return "minItems", "maxItems"
	case entries:
		return "minProperties", "maxProperties"
	}
	return "", ""
}

// longest bounds the texts and lists that are made.
const longest = 20_000

// boundsAtMarks returns the conditions that a field is beyond a number at which the answers change.
func (s *facts) boundsAtMarks(p place) (all []condition) {
	for _, m := range measuresOf(s.kindOf(p)) {
		all = append(all, s.bounds(p, m, s.marks(p, m))...)
	}
	return all
}

// bounds returns the conditions that a measure of a field is beyond some numbers.
func (s *facts) bounds(p place, m measure, at []float64) []condition {
	r, k := s.refOf(p), s.kindOf(p)
	var all []condition
	for _, n := range at {
		if m != ofValue && (n < 0 || n > longest || n != math.Trunc(n)) || k == whole && n != math.Trunc(n) {
			continue
		}
		written, _ := literal(jsonNumber(n), k == number && m == ofValue)
		tries := s.around(p, m, n)
		least, most := m.keywords()
		for _, is := range []struct {
			bad, good, keyword string
			exclusive          bool
		}{{"<", ">=", least, false}, {">", "<=", most, false}, {"<=", ">", least, true}, {">=", "<", most, true}} {
			if is.exclusive && k != number {
				continue
			}
			keywords := map[string]any{is.keyword: jsonNumber(n)}
			if is.keyword == "" {
				keywords = nil
			} else if is.exclusive {
				keywords["exclusive"+strings.ToUpper(is.keyword[:1])+is.keyword[1:]] = true
			}
			weight := 2
			if m == byteCount {
				weight = 3
			}
			if !slices.Contains(s.numbers, fmt.Sprint(jsonNumber(n))) {
				weight++
				if m != ofValue && n != 1 { // of a text or list, other reasons are as likely
					weight += 2
				}
			}
			expr, good := m.expr(r.access), is.good
			if m != ofValue && n == 0 && good == "<=" {
				good = "=="
			}
			all = append(all, condition{
				expr: r.and(expr + " " + is.bad + " " + written), rule: r.or(expr + " " + good + " " + written),
				weight: weight, about: p, fields: []place{p}, tries: tries, measure: m, bound: written,
				leaf: s.leafOf(r, expr+" "+good+" "+written, keywords),
			})
		}
	}
	return all
}

// jsonNumber returns a number as documents have it.
func jsonNumber(n float64) any {
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return int64(n)
	}
	return n
}

// around returns changes to values whose measure is near a number.
func (s *facts) around(p place, m measure, n float64) []try {
	var all []try
	for _, by := range []float64{-1, 0, 1, 0.5, -0.5} {
		if by != math.Trunc(by) && s.kindOf(p) != number {
			continue
		}
		if value, ok := s.measuring(p, m, n+by); ok {
			all = append(all, try{{field: p, to: value}})
		}
	}
	if m == items {
		all = append(all, s.itemPairs(p)...)
	}
	if m == characters || m == byteCount { // as many characters, more bytes
		for _, by := range []float64{0, 1} {
			if n+by > 0 {
				all = append(all, try{{field: p, to: strings.Repeat("é", int(n+by))}})
			}
		}
		all = append(all, try{{field: p, to: strings.Repeat("é", int(n+1)/2)}}, try{{field: p, to: strings.Repeat("é", int(n)/2)}})
		for i, seen := range s.seen[p.String()][:min(len(s.seen[p.String()]), mostTexts)] { // other reasons depend on the text
			like, _ := seen.(string)
			all = append(all, try{{field: p, to: lengthened(like, int(n)+2+i)}}, try{{field: p, to: lengthened(like, int(n)-i)}})
		}
	}
	return all
}

// mostTexts bounds the texts that are made as long as a bound.
const mostTexts = 5

// measuring returns a value like those of a field with a measure.
func (s *facts) measuring(p place, m measure, n float64) (any, bool) {
	if m != ofValue && (n < 0 || n > longest || n != math.Trunc(n)) {
		return nil, false
	}
	switch m {
	case ofValue:
		if s.kindOf(p) == whole && math.Abs(n) < 1<<63 { // never a float, which no integer is compared with
			return int64(n), true
		}
		return jsonNumber(n), true
	case characters, byteCount:
		like, _ := s.value(p).(string)
		return lengthened(like, int(n)), true
	case items:
		like, _ := s.value(p).([]any)
		if len(like) == 0 {
			like, _ = s.made(p).([]any)
		}
		if len(like) == 0 && n > 0 {
			if item := s.made(p.below(anyItem)); item != nil {
				like = []any{item}
			}
		}
		return resized(like, int(n)), n == 0 || len(like) > 0
	case entries:
		made := map[string]any{}
		var entry any = s.made(p.below(anyItem))
		for _, seen := range s.seen[p.String()] {
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
		out = append(out, numbered(like[0], len(out)))
	}
	return out
}

// numbered returns a value that differs from the one it is made of.
func numbered(like any, n int) any {
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
				out[name] = numbered(value, n)
			}
		}
		return out
	}
	return like
}

// order returns the conditions that one field is beyond another one of the same kind.
func (s *facts) order(p, other place) []condition {
	k := s.kindOf(p)
	if len(p) == 0 || slices.Equal(p, other) || k != s.kindOf(other) || k != whole && k != number && k != text {
		return nil
	}
	a, b := s.refOf(p), s.refOf(other)
	both := ref{guards: slices.Compact(slices.Concat(a.guards, b.guards))}
	var tries []try
	for _, value := range s.comparedWith(other) {
		for _, by := range []int64{-1, 0, 1} {
			to := value
			if n, isNumber := value.(int64); isNumber {
				to = n + by
			} else if by != 0 {
				to = fmt.Sprint(value, "x")
			}
			tries = append(tries, try{{field: p, to: to}, {field: other, to: value}})
		}
	}
	operators := [][2]string{{"==", "!="}, {"!=", "=="}}
	if k != text {
		operators = append(operators, [][2]string{{"<", ">="}, {"<=", ">"}, {">", "<="}, {">=", "<"}}...)
	}
	x, y := a.access, b.access
	if at := s.schemaAt(p); k == text && (at.Format == "date-time" || at.Format == "duration") {
		operators = append(operators, [][2]string{{"<", ">="}, {"<=", ">"}, {">", "<="}, {">=", "<"}}...)
		tries = append(tries, s.times(p, other, at.Format)...)
	}
	var all []condition
	for _, is := range operators {
		all = append(all, condition{
			expr: both.and(x + " " + is[0] + " " + y), rule: both.or(x + " " + is[1] + " " + y),
			weight: 5, about: p, fields: []place{p, other}, tries: tries,
		})
	}
	return all
}

// times returns orders of two times or durations.
func (s *facts) times(p, other place, format string) []try {
	values := []string{"2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", "2026-01-01T01:00:01+01:00"}
	if format == "duration" {
		values = []string{"1h", "61m", "60m"}
	}
	var all []try
	for _, a := range values {
		for _, b := range values {
			all = append(all, try{{field: p, to: a}, {field: other, to: b}})
		}
	}
	return all
}

// comparedWith returns a few values of a field.
func (s *facts) comparedWith(p place) []any {
	seen := s.seen[p.String()]
	if len(seen) == 0 {
		return []any{s.value(p)}
	}
	return seen[:min(len(seen), 3)]
}
