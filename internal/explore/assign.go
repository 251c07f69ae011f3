package explore

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
)

// assignment is a value for a field that a rule names.
type assignment struct {
	path steps
	to   any
	name string
	// literal is true if the rule compares the field with the value.
	literal bool
	// part is true if the value is any that is probably accepted. It is chosen when the input is made.
	part bool
}

// assigner makes assignments for the fields of rules.
type assigner struct {
	placer
	object any
}

// assignments returns values for the fields that a rule at a site names: literals of the rule and
// their neighbors, texts and lists of the sizes that it names, no value, and values of the schema.
func (a assigner) assignments(r Rule, at site) [][]assignment {
	var all [][]assignment
	for _, path := range r.Paths {
		place, schema, ok := resolve(at, path)
		if !ok || len(path) == 0 && len(schema.Properties) > 0 {
			continue
		}
		all = append(all, a.field(r, strings.Join(path, "."), place, schema))
		if keys := a.keys(r, strings.Join(path, "."), place, schema); len(keys) > 0 {
			all = append(all, keys)
		}
	}
	return all
}

// keys returns assignments of entries, if a rule looks at a map: their keys are its texts.
func (a assigner) keys(r Rule, name string, place steps, schema *props) []assignment {
	if len(place) > 0 && place[len(place)-1].Kind == object.Key { // any entry
		place, name = place[:len(place)-1], strings.TrimSuffix(strings.TrimSuffix(name, "[*]"), ".")
	} else if schema.AdditionalProperties == nil || schema.AdditionalProperties.Schema == nil {
		return nil
	} else {
		schema = schema.AdditionalProperties.Schema
	}
	value := generate.Value(a.src, schema, generate.ObjectOptions{Values: 1})
	if known := a.known[place.Key("").General()]; len(known) > 0 {
		value = known[0]
	}
	entries := strings.TrimPrefix(name+".[*]", ".")
	var all []assignment
	for _, literal := range r.Literals {
		if text, isText := literal.(string); isText && (r.compares(entries, literal) || r.compares(name, literal)) {
			for _, entry := range []string{text, text + "a", "a" + text} {
				all = append(all,
					assignment{path: place.Key(entry), to: value, name: fmt.Sprintf("%s has %.40q", name, entry), literal: entry == text})
			}
		}
	}
	return all
}

// field returns the assignments of one field of a rule.
func (a assigner) field(r Rule, name string, place steps, schema *props) []assignment {
	current, has := place.Get(a.object)
	var some []assignment
	add := func(literal bool, to any) {
		some = append(some, assignment{path: place, to: to, name: fmt.Sprintf("%s = %.40v", name, to), literal: literal})
	}
	if has {
		some = append(some, assignment{path: place, to: absence{}, name: name + " taken out"})
	}
	for _, literal := range r.Literals {
		if !r.compares(name, literal) {
			continue
		}
		for _, value := range fitting(a.src, schema, current, literal) {
			add(same(value, literal), value)
		}
	}
	if schema.Type == "object" || schema.Type == "array" {
		some = append(some, assignment{path: place, name: name + " set", part: true})
	} else {
		if known := a.known[place.General()]; len(known) > 0 {
			add(false, known[0])
		}
		add(false, generate.Value(a.src, schema, generate.ObjectOptions{Values: 1}))
	}
	if schema.Type == "string" { // functions such as those of formats refuse it
		add(false, "-not valid!")
	}
	if schema.Type == "boolean" {
		add(true, true)
		add(true, false)
	}
	return some
}

// compares reports whether a rule compares a field with a literal. A literal that it compares with no field may
// be for any.
func (r Rule) compares(name string, literal any) bool {
	for field, literals := range r.Compared {
		if field != name && slices.Contains(literals, literal) && !slices.Contains(r.Compared[name], literal) {
			return false
		}
	}
	return true
}

// fitting returns the values for a field with a current value that a literal of a rule represents.
func fitting(src generate.Source, s *props, current, literal any) []any {
	const mostText, mostList = 70_000, 1100
	switch literal := literal.(type) {
	case string:
		var all []any
		for _, text := range variants(literal) {
			switch {
			case s.Type == "string" || s.Type == "":
				all = append(all, text)
			case s.Type == "array" && generate.Items(s).Type == "string":
				all = append(all, []any{text})
			}
		}
		return all
	case int64:
		switch {
		case s.Type == "integer" || s.Type == "number" || s.Type == "" || s.XIntOrString:
			return []any{literal, literal + 1, literal - 1}
		case literal < 0:
		case s.Type == "string" && literal <= mostText:
			var all []any
			for _, length := range []int64{literal, literal + 1, literal - 1} {
				all = append(all, sized(s, max(0, int(length))))
				if text, isText := current.(string); isText {
					for _, longer := range lengthened(text, int(length)) {
						all = append(all, longer)
					}
				}
			}
			return all
		case s.Type == "array" && literal <= mostList:
			c := changes{src: src, at: site{schema: s}}
			return []any{c.resized(nil, int(literal)), c.resized(nil, int(literal)+1), c.resized(nil, max(0, int(literal)-1))}
		}
	case float64:
		if s.Type == "number" {
			return []any{literal, literal + 0.5, literal - 0.5}
		}
	}
	return nil
}

// mostCombined bounds how many pairs of assignments are tried for one rule, and how many updates.
const mostCombined = 96

// combinations returns single assignments, pairs of numbers for two fields that an order or a difference
// compares, pairs of an assignment and a literal for another field, because a rule often looks at a field
// only if another one has a certain value, and pairs of fields of a union.
func combinations(r Rule, fields [][]assignment) [][]assignment {
	var all [][]assignment
	for _, some := range fields {
		for _, one := range some {
			all = append(all, []assignment{one})
		}
	}
	most := len(all) + mostCombined
	add := func(a, b assignment) {
		if len(all) < most {
			all = append(all, []assignment{a, b})
		}
	}
	for i, some := range fields {
		for _, others := range fields[i+1:] {
			for _, a := range some {
				for _, b := range r.counterparts(a, others) {
					add(a, b)
				}
			}
		}
	}
	for i, some := range fields {
		for _, others := range fields[i+1:] {
			if a, b := present(some), present(others); a >= 0 && b >= 0 {
				add(some[a], others[b])
			}
		}
	}
	for a, b := range underLiterals(fields) {
		add(a, b)
	}
	return all
}

// underLiterals yields the assignments of literals, each with those of the other fields.
func underLiterals(fields [][]assignment) iter.Seq2[assignment, assignment] {
	return func(yield func(assignment, assignment) bool) {
		for i, some := range fields {
			for j, others := range fields {
				for _, a := range some {
					for _, b := range others {
						if i != j && a.literal && !yield(a, b) {
							return
						}
					}
				}
			}
		}
	}
}

// counterparts returns the numbers for another field that a rule probably compares with that of an assignment:
// the same one, and those that differ by a literal.
func (r Rule) counterparts(a assignment, others []assignment) []assignment {
	number, isNumber := a.to.(int64)
	if !isNumber || len(others) == 0 {
		return nil
	}
	at := slices.IndexFunc(others, func(b assignment) bool { _, is := b.to.(int64); return is })
	if at < 0 {
		return nil
	}
	var all []assignment
	for _, by := range append([]any{int64(0)}, r.Literals...) {
		if by, is := by.(int64); is && (a.literal || by == 0) {
			b := others[at]
			b.to, b.literal = number+by, false
			b.name = fmt.Sprintf("%s = %d", strings.SplitN(b.name, " ", 2)[0], number+by)
			all = append(all, b)
		}
	}
	return all
}

// present returns the index of an assignment that sets a part; -1: there is none.
func present(some []assignment) int {
	return slices.IndexFunc(some, func(one assignment) bool { return one.part })
}

// transition is an input for a rule: the values that the objects of an update have.
type transition struct {
	old, object []assignment
	creates     bool // there is no old object
}

// transitions returns the updates to and from each assignment, by each number of the rule, and of one field
// while another one has a literal of the rule.
func transitions(r Rule, fields [][]assignment) []transition {
	var all []transition
	add := func(old []assignment, object ...assignment) {
		if len(all) < mostCombined {
			all = append(all, transition{old: old, object: object})
		}
	}
	for _, some := range fields {
		for _, one := range some {
			add(nil, one)
			add([]assignment{one})
			number, isNumber := one.to.(int64)
			for _, literal := range r.Literals {
				by, is := literal.(int64)
				for _, to := range []int64{number + by, number + by + 1} {
					if is && isNumber && one.literal {
						add([]assignment{one}, assignment{path: one.path, to: to, name: fmt.Sprintf("then %d", to)})
					}
				}
			}
		}
	}
	for condition, one := range underLiterals(fields) {
		add([]assignment{condition}, condition, one)
	}
	return all
}
