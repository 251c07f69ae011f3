package equivalence_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// TestCheatingValidators makes validators whose meaning differs from that of a rule's own example: a
// different bound, family, unit, operator, type, field or item of a list, or a different schema behind the
// same text. Each changes one error of one side. None of them may be equal or equivalent.
func TestCheatingValidators(t *testing.T) {
	rules := builtinRules(t)
	matcher := equivalence.NewMatcher(rules)
	tried := map[string]int{}
	for _, rule := range rules.All() {
		for number, example := range rule.Match {
			for _, cheat := range cheatsOn(rule, example) {
				if sameWords(cheat.example) {
					continue // then both sides report exactly the same
				}
				tried[cheat.what]++
				pairs := matchBy(matcher, cheat.example.Native, cheat.example.Declarative, cheat.example.Declared)
				if cheat.what == "another type" && pairs[0].Rule != nil && alsoOfType[rule.Name] == pairs[0].Rule.Name {
					continue
				}
				if !slices.ContainsFunc(pairs, func(p equivalence.Pair) bool { return !p.Agrees() }) {
					t.Errorf("%s, rule %s, example %d: %s: everything agrees: %q", rule.Position, rule.Name, number+1, cheat.what,
						summary(pairs))
				}
			}
		}
	}
	for _, rule := range rules.All() {
		for number, example := range rule.Match {
			for _, cheat := range repeatedErrors(rule, example) {
				tried[cheat.what]++
				pairs := matchBy(matcher, cheat.example.Native, cheat.example.Declarative, cheat.example.Declared)
				if !slices.ContainsFunc(pairs, func(p equivalence.Pair) bool { return !p.Agrees() || p.Repeats != nil }) {
					t.Errorf("%s, rule %s, example %d: %s: everything agrees: %q", rule.Position, rule.Name, number+1, cheat.what,
						summary(pairs))
				}
			}
		}
	}
	total := 0
	for _, what := range slices.Sorted(maps.Keys(tried)) {
		t.Logf("%5d  %s", tried[what], what)
		total += tried[what]
	}
	t.Logf("%5d  tried", total)
	for _, kind := range []string{
		"a bound one higher",
		"a bound one lower",
		"another family",
		"another unit",
		"the opposite operator",
		"another type",
		"a sibling field",
		"a field inside",
		"the field around",
		"another item",
		"another schema",
		"no schema",
		"another value",
		"another case",
		"one error more",
	} {
		if tried[kind] == 0 {
			t.Errorf("nothing was tried of: %s", kind)
		}
	}
}

// alsoOfType maps a rule to the one for the same texts with a different type.
var alsoOfType = map[string]string{
	"min-items":                    "required-items-hint",
	"required-not-empty":           "required-empty",
	"required-empty":               "required-not-empty",
	"format":                       "format-custom-resource",
	"format-shape":                 "format-shape-custom-resource",
	"format-shape-custom-resource": "format-shape",
	"format-custom-resource":       "format",
}

// cheat is an example with one change.
type cheat struct {
	what    string
	example equivalence.Example
}

// cheatsOn returns all cheats for an example. Errors that a rule of kind Hides explains may have any text, so
// only the error that hides them is changed, on either side.
func cheatsOn(rule *equivalence.Rule, example equivalence.Example) []cheat {
	var cheats []cheat
	for side, list := range [][]*field.Error{example.Native, example.Declarative} {
		for i, err := range list {
			if rule.Kind == "hides" && i > 0 {
				continue
			}
			for _, changed := range changedErrors(err, other(example, side)) {
				lists := [][]*field.Error{slices.Clone(example.Native), slices.Clone(example.Declarative)}
				lists[side][i] = changed.err
				cheats = append(cheats,
					cheat{changed.what, equivalence.Example{Native: lists[0], Declarative: lists[1], Declared: example.Declared}})
			}
		}
	}
	return append(cheats, changedSchemas(example)...)
}

// repeatedErrors repeats an error of an example on one side. Errors that a rule hides may be repeated any
// number of times.
func repeatedErrors(rule *equivalence.Rule, example equivalence.Example) []cheat {
	var cheats []cheat
	if rule.Kind == "hides" || rule.Kind == "repeats" {
		return nil
	}
	for side, list := range [][]*field.Error{example.Native, example.Declarative} {
		for _, err := range list {
			lists := [][]*field.Error{slices.Clone(example.Native), slices.Clone(example.Declarative)}
			lists[side] = append(lists[side], err)
			cheats = append(cheats, cheat{"one error more", equivalence.Example{
				Native:      lists[0],
				Declarative: lists[1],
				Declared:    example.Declared,
			}})
		}
	}
	return cheats
}

func other(example equivalence.Example, side int) []*field.Error {
	if side == 0 {
		return example.Declarative
	}
	return example.Native
}

// changedError is an error with one change.
type changedError struct {
	what string
	err  *field.Error
}

func changedErrors(err *field.Error, others []*field.Error) []changedError {
	var all []changedError
	add := func(what string, change func(*field.Error)) {
		changed := *err
		change(&changed)
		all = append(all, changedError{what, &changed})
	}
	text, around := meaning(err, others)
	for what, texts := range changedTexts(text) {
		for _, changed := range texts {
			add(what, func(e *field.Error) { e.Detail = strings.Replace(around, "\x00", changed, 1) })
		}
	}
	for _, from := range []field.ErrorType{
		field.ErrorTypeInvalid,
		field.ErrorTypeRequired,
		field.ErrorTypeDuplicate,
		field.ErrorTypeForbidden,
		field.ErrorTypeNotSupported,
		field.ErrorTypeTooLong,
		field.ErrorTypeTooMany,
		field.ErrorTypeTypeInvalid,
		field.ErrorTypeTooFew,
	} {
		if from != err.Type {
			add("another type", func(e *field.Error) { e.Type = from })
		}
	}
	if upper := strings.ToUpper(text); upper != text {
		add("another case", func(e *field.Error) { e.Detail = strings.Replace(around, "\x00", upper, 1) })
	}
	add("a field inside", func(e *field.Error) { e.Field = strings.TrimPrefix(e.Field+".inside", ".") })
	if outer := container(err.Field); outer != "" && (len(others) == 0 || outer != others[0].Field) {
		add("the field around", func(e *field.Error) { e.Field = outer })
	}
	add("a sibling field", func(e *field.Error) { e.Field = sibling(e.Field) })
	if at := otherItem(err.Field); at != "" && len(others) > 0 && strings.Count(others[0].Field, "[") >= strings.Count(err.Field, "[") {
		add("another item", func(e *field.Error) { e.Field = at })
	}
	if len(others) > 0 && scalar(others[0].BadValue) {
		add("another value", func(e *field.Error) { e.BadValue = fmt.Sprintf("not %v", others[0].BadValue) })
	}
	return all
}

// container returns the field that contains a field; for a name at the root it returns "".
func container(path string) string {
	return path[:max(0, strings.LastIndexAny(path, ".["))]
}

func scalar(value any) bool { return value != nil && value != "" }

// sibling returns a field beside a field: the last name gets one more letter. A key in brackets gets it
// inside of the brackets.
func sibling(path string) string {
	if rest, isKey := strings.CutSuffix(path, "]"); isKey {
		if _, isIndex := strings.CutSuffix(otherItem(path), "]"); isIndex && regexp.MustCompile(`\[\d+\]$`).MatchString(path) {
			return path[:strings.LastIndexByte(path, '[')] + "Other" + path[strings.LastIndexByte(path, '['):]
		}
		return rest + "x]"
	}
	return path + "Other"
}

var index = regexp.MustCompile(`\[(\d+)\]`)

// otherItem increments the last index of a path; it returns "" for a path without one.
func otherItem(path string) string {
	all := index.FindAllStringSubmatchIndex(path, -1)
	if len(all) == 0 {
		return ""
	}
	last := all[len(all)-1]
	i, _ := strconv.Atoi(path[last[2]:last[3]])
	return path[:last[2]] + strconv.Itoa(i+1) + path[last[3]:]
}

// Words that change the meaning of a text when one replaces the other.
var (
	families = [][2]string{
		{"IPv4", "IPv6"}, {"IPv6", "IPv4"}, {"IP address", "IPv4 address"}, {"IP address", "IPv6 address"},
		{"type ipv4", "type ipv6"}, {"type ipv6", "type ipv4"}, {"type ip:", "type ipv4:"}, {"type ip:", "type cidr:"},
		{"type cidr", "type ipv4"},
		{"RFC 1123 label", "RFC 1123 subdomain"}, {"RFC 1123 subdomain", "RFC 1123 label"}, {"lowercase RFC 1123", "DNS-1035"},
		{"k8s-short-name", "k8s-long-name"}, {"k8s-long-name", "k8s-short-name"},
	}
	units = [][2]string{
		{" items", " characters"}, {" item", " byte"}, {" items", " properties of each"}, {" characters", " items"},
		{" bytes", " items"}, {" chars", " items"}, {" values", " characters"}, {" nameservers", " bytes"}, {"%", "s"},
	}
	operators = [][2]string{
		{"greater than", "less than"}, {"less than", "greater than"}, {"greater than or equal to", "greater than"},
		{"less than or equal to", "less than"},
		{"must be", "must not be"}, {"should be", "should not be"}, {"must not", "must"}, {"must not be", "must be"},
		{"cannot be", "can be"}, {"can not be", "can be"}, {"must consist", "must not consist"},
		{"at least", "at most"}, {"at most", "at least"}, {"no more than", "no fewer than"}, {"may not be more", "may not be less"},
		{"is required", "is not required"}, {"is mandatory", "is forbidden"},
		{"may not change", "may change"}, {"is immutable", "is mutable"}, {"self == oldSelf", "self != oldSelf"},
		{"once set", "when unset"}, {"not a valid", "a valid"},
		{"non-negative", "negative"}, {"positive", "negative"}, {"non-empty", "empty"}, {"supported values", "unsupported values"},
		{"multiple of", "divisor of"}, {"must specify", "must not specify"}, {"must provide", "must not provide"},
		{"must be specified", "must not be specified"},
	}
)

// Examples that a text quotes do not matter. If both sides quote a regular expression, only the expression
// matters.
var (
	byExample = regexp.MustCompile(`\(e\.g\..*`)
	byRegex   = regexp.MustCompile(`(?:regex used for validation is|should match) '(.+)'`)
	number    = regexp.MustCompile(`\d+`)
)

// meaning returns the part of an error's text that is to be changed, and the text with a
// NUL in its place.
func meaning(err *field.Error, others []*field.Error) (text, around string) {
	if at := byRegex.FindStringSubmatchIndex(err.Detail); at != nil && len(others) > 0 && byRegex.MatchString(others[0].Detail) {
		return err.Detail[at[2]:at[3]], err.Detail[:at[2]] + "\x00" + err.Detail[at[3]:]
	}
	if at := byExample.FindStringIndex(err.Detail); at != nil {
		return err.Detail[:at[0]], "\x00" + err.Detail[at[0]:]
	}
	return err.Detail, "\x00"
}

// changedTexts returns texts with different meanings, by the kind of change.
func changedTexts(text string) map[string][]string {
	changed := map[string][]string{}
	for _, at := range number.FindAllStringIndex(text, -1) {
		bound, err := strconv.Atoi(text[at[0]:at[1]])
		if err != nil {
			continue
		}
		changed["a bound one higher"] = append(changed["a bound one higher"], text[:at[0]]+strconv.Itoa(bound+1)+text[at[1]:])
		changed["a bound one lower"] = append(changed["a bound one lower"], text[:at[0]]+strconv.Itoa(bound-1)+text[at[1]:])
	}
	for what, words := range map[string][][2]string{"another family": families, "another unit": units, "the opposite operator": operators} {
		for _, word := range words {
			if strings.Contains(text, word[0]) {
				changed[what] = append(changed[what], strings.Replace(text, word[0], word[1], 1))
			}
		}
	}
	return changed
}

// otherSchema is the schema of an example with one keyword changed or removed.
type otherSchema struct {
	difference.Declarations
	keyword, text string // no keyword: none has a value
	renamed       bool   // every field is declared
}

func (s otherSchema) Keyword(path, keyword string) []string {
	texts := s.Declarations.Keyword(path, keyword)
	if s.keyword == "" || len(texts) == 0 {
		return nil
	}
	if keyword == s.keyword {
		return []string{s.text}
	}
	return texts
}

func (s otherSchema) Declares(path string) bool { return s.renamed || s.Declarations.Declares(path) }

// changedSchemas keeps the errors and changes the schema behind them, if the rule depends on it.
func changedSchemas(example equivalence.Example) []cheat {
	var cheats []cheat
	add := func(what string, declared difference.Declarations) {
		cheats = append(cheats,
			cheat{what, equivalence.Example{Native: example.Native, Declarative: example.Declarative, Declared: declared}})
	}
	if len(example.Native) != 1 || len(example.Declarative) != 1 {
		return nil
	}
	at := example.Declarative[0].Field
	for keyword, others := range map[string]func(string) []string{
		"type":                       func(string) []string { return []string{"number", "string", "integer,null"} },
		"maximum":                    neighbours,
		"minimum":                    neighbours,
		"maxLength":                  neighbours,
		"x-kubernetes-list-map-keys": func(key string) []string { return []string{key + "x", key + ",protocol", "protocol," + key} },
	} {
		for _, text := range example.Declared.Keyword(at, keyword) {
			for _, otherwise := range others(text) {
				add("another schema", otherSchema{example.Declared, keyword, otherwise, false})
			}
			add("no schema", otherSchema{Declarations: example.Declared})
			add("no schema", nil)
		}
	}
	// No schema can declare "[]", which is how field.NewPath("") prints; and if the key of a map is written
	// as a field, it is the same field in any schema.
	unbracketed := func(field string) string {
		return strings.ReplaceAll(strings.NewReplacer("[", ".", "]", "").Replace(field), "..", ".")
	}
	if native := example.Native[0].Field; native != "[]" && unbracketed(native) != unbracketed(at) && native != at &&
		!strings.HasPrefix(native, at) && !strings.HasPrefix(at, native) {
		add("another schema", otherSchema{example.Declared, "-", "", true})
		add("no schema", nil)
	}
	return cheats
}

func neighbours(bound string) []string {
	n, _ := strconv.Atoi(bound)
	return []string{strconv.Itoa(n - 1), strconv.Itoa(n + 1), bound + "0"}
}

// sameWords reports whether both sides report errors of the same types with the same texts at the same
// fields.
func sameWords(example equivalence.Example) bool {
	return slices.EqualFunc(example.Native, example.Declarative, func(a, b *field.Error) bool {
		return a.Type == b.Type && a.Field == b.Field && a.Detail == strings.TrimPrefix(b.Detail, b.Field+" in body ")
	})
}
