package infer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// presence returns the conditions that a field is missing, or set.
func (s *facts) presence(p place) []condition {
	r := s.refOf(p)
	if len(r.guards) == 0 || r.guards[len(r.guards)-1] != "has("+r.access+")" {
		return nil // it is set wherever the field around it is
	}
	tries := []try{{{field: p, to: absence{}}}, {{field: p, to: s.value(p)}}}
	missing := condition{
		expr: r.unset(), rule: r.has(), weight: 2, about: p, fields: []place{p}, tries: tries,
	}
	if len(r.guards) > 1 {
		missing.expr = "(" + r.unset() + ")"
	} else {
		missing.leaf = &leaf{required: true, markers: []string{"+required"}}
	}
	set := condition{expr: r.has(), rule: r.unset(), weight: 3, about: p, fields: []place{p}, tries: tries}
	return []condition{missing, set}
}

// mostValues bounds the values with which a field is compared.
const mostValues = 8

// equalities returns the conditions that a field has one value, or not.
func (s *facts) equalities(p place) []condition {
	k := s.kindOf(p)
	if k != text && k != boolean && k != whole {
		return nil
	}
	r := s.refOf(p)
	values := s.comparable(p)
	var words []try // the error may be about several of them
	if k == text {
		for _, word := range s.codeWords(s.schemaAt(p)) {
			words = append(words, try{{field: p, to: word}})
		}
	}
	var all []condition
	for i, value := range values {
		written, ok := literal(value, k == number)
		if !ok {
			continue
		}
		suggested := s.suggested(p, value)
		other := values[(i+1)%len(values)]
		tries := append([]try{{{field: p, to: value}}, {{field: p, to: other}}}, words...)
		if len(r.guards) > 0 {
			tries = append(tries, try{{field: p, to: absence{}}})
		}
		weight := 3
		if !suggested {
			weight = 5
		}
		is, not := r.access+" == "+written, r.access+" != "+written
		if k == boolean {
			is, not = r.access, "!"+r.access
			if value == false {
				is, not = not, is
			}
		}
		all = append(all,
			condition{expr: r.and(is), rule: r.or(not), weight: weight, about: p, fields: []place{p}, tries: tries, leaf: s.leafOf(r, not, nil), guess: !suggested, oneText: !suggested && k == text && value != ""},
			condition{expr: r.and(not), rule: r.or(is), weight: weight + 1, about: p, fields: []place{p}, tries: tries, leaf: s.leafOf(r, is, nil), guess: !suggested})
		if len(r.guards) > 0 && k != whole {
			// Another value, or none.
			all = append(all, condition{expr: "(" + r.or(not) + ")", rule: r.and(is), weight: weight + 1, about: p, fields: []place{p}, tries: tries, guess: !suggested})
		}
	}
	return all
}

// suggested reports whether a rule about one value of a field is likely: the error names the value, or
// the field has few values. The empty text is better said by a bound of the length.
func (s *facts) suggested(p place, value any) bool {
	text, isText := value.(string)
	if !isText {
		return true
	}
	return text != "" && (slices.Contains(s.quoted, text) || len(s.schemaAt(p).Enum) > 0 || slices.Contains(wordPattern.FindAllString(s.site.first.Detail, -1), text))
}

// comparable returns the values with which a field may be compared: those of its enum, of the text,
// and of the objects.
func (s *facts) comparable(p place) []any {
	schema, k := s.schemaAt(p), s.kindOf(p)
	var all []any
	add := func(value any) {
		if !slices.Contains(all, value) && len(all) < mostValues {
			all = append(all, value)
		}
	}
	switch k {
	case boolean:
		return []any{true, false}
	case text:
		for _, value := range schema.Enum {
			if text, is := value.(string); is {
				add(text)
			}
		}
		for _, value := range s.quoted {
			add(value)
		}
		if text, is := schema.Default.(string); is {
			add(text)
		}
		for _, text := range patternWords(schema.Pattern) {
			add(text)
		}
		for _, value := range s.seen[p.String()] {
			if text, is := value.(string); is && len(text) < 40 {
				add(text)
			}
		}
		for _, text := range s.codeWords(schema) {
			if !slices.Contains(all, any(text)) {
				all = append(all, text)
			}
		}
	case whole:
		for _, value := range s.textNumbers(k) {
			add(value)
		}
		add(int64(0))
	}
	return all
}

// codeWords returns the words of the code that makes the error, if a field may have them: not those of an enum, which the schema
// lists.
func (s *facts) codeWords(schema *spec.Schema) (words []string) {
	pattern, err := regexp.Compile(schema.Pattern)
	if len(schema.Enum) > 0 || err != nil {
		return nil
	}
	for _, word := range s.site.constants.Words {
		isShort := schema.MaxLength == nil || int64(len(word)) <= *schema.MaxLength
		if isShort && pattern.MatchString(word) && len(words) < mostValues {
			words = append(words, word)
		}
	}
	return words
}

// patternWords returns the alternatives of a pattern that are words, as in "^Hostname|IPAddress|[a-z]+/[a-z]+$".
func patternWords(pattern string) (words []string) {
	for part := range strings.SplitSeq(pattern, "|") {
		if word := strings.Trim(part, "^$()"); len(word) > 1 && !isNoWord(word) {
			words = append(words, word)
		}
	}
	return words
}

// leafOf returns the rule at the field itself; nil if there is none, because the field is in
// metadata of the whole object.
func (s *facts) leafOf(r ref, rule string, keywords map[string]any) *leaf {
	if len(s.scope)+len(r.place) == 0 {
		return nil
	}
	return &leaf{rule: selfFor(rule, r.access), keywords: keywords}
}

// selfFor replaces the access to a field by self.
func selfFor(rule, access string) string {
	if access == "self" {
		return rule
	}
	return strings.ReplaceAll(rule, access, "self")
}

// unions returns conditions on how many of some fields are set: those of an object that are all
// optional, or that the text names.
func (s *facts) unions() []condition {
	var all []condition
	for _, group := range s.groups() {
		var flags []string
		var tries []try
		for i, p := range group {
			flags = append(flags, s.refOf(p).has())
			one, two := try{}, try{}
			for j, other := range group {
				to := any(absence{})
				if i == j {
					to = s.value(other)
				}
				one = append(one, change{field: other, to: to})
				if to == (absence{}) && j == (i+1)%len(group) {
					to = s.value(other)
				}
				two = append(two, change{field: other, to: to})
			}
			tries = append(tries, one, two)
		}
		none, full := try{}, try{}
		for _, p := range group {
			none = append(none, change{field: p, to: absence{}})
			full = append(full, change{field: p, to: s.value(p)})
		}
		tries = append(tries, none, full)
		count := fmt.Sprintf("[%s].filter(set, set).size()", strings.Join(flags, ", "))
		with := func(weight int, expr, rule string) condition {
			return condition{expr: expr, rule: rule, weight: weight + len(group), about: group[0].parent(), fields: group, tries: tries}
		}
		noneSet := strings.Join(s.not(flags), " && ")
		if len(group) == 2 {
			all = append(all,
				with(2, count+" != 1", flags[0]+" != "+flags[1]),
				with(3, flags[0]+" != "+flags[1], flags[0]+" == "+flags[1]),
				with(2, noneSet, strings.Join(flags, " || ")))
			continue
		}
		all = append(all,
			with(2, count+" != 1", count+" == 1"),
			with(2, count+" > 1", count+" <= 1"),
			with(2, noneSet, strings.Join(flags, " || ")),
			with(3, count+fmt.Sprintf(" != %d && ", len(group))+count+" != 0", count+fmt.Sprintf(" in [0, %d]", len(group))))
	}
	return all
}

func (*facts) not(flags []string) []string {
	var out []string
	for _, flag := range flags {
		out = append(out, negated(flag))
		if strings.HasPrefix(flag, "has(") && strings.Count(flag, "has(") == 1 {
			out[len(out)-1] = "!" + flag
		}
	}
	return out
}

// groups returns the sets of optional fields that may exclude each other: all siblings, those that
// are objects, those of the text, and each pair with one of the text.
func (s *facts) groups() [][]place {
	byParent := map[string][]place{}
	var parents []string
	for _, p := range s.fields {
		if r := s.refOf(p); len(r.guards) > 0 && len(s.refOf(p.parent()).guards) == 0 {
			name := p.parent().String()
			if byParent[name] == nil {
				parents = append(parents, name)
			}
			byParent[name] = append(byParent[name], p)
		}
	}
	var all [][]place
	add := func(group []place) {
		if len(group) < 2 || len(group) > 12 {
			return
		}
		group = slices.Clone(group)
		slices.SortFunc(group, func(a, b place) int { return strings.Compare(a.String(), b.String()) })
		if !slices.ContainsFunc(all, func(known []place) bool { return slices.EqualFunc(known, group, slices.Equal[place]) }) {
			all = append(all, group)
		}
	}
	for _, parent := range parents {
		siblings := byParent[parent]
		var named, objects []place
		for _, p := range siblings {
			if strings.Contains(s.site.first.Detail, p[len(p)-1]) {
				named = append(named, p)
			}
			if k := s.kindOf(p); k == object {
				objects = append(objects, p)
			}
		}
		add(named)
		add(objects)
		add(siblings)
		for i, a := range siblings[:min(len(siblings), 8)] {
			for _, b := range siblings[i+1 : min(len(siblings), 8)] {
				add([]place{a, b})
			}
		}
	}
	return all
}
