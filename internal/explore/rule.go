package explore

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// Rule is what a CEL expression looks at: the fields that it names and its constants.
type Rule struct {
	// Paths are fields below self (or object). The step "[*]" is any item or entry.
	Paths [][]string
	// Literals are its texts, numbers and booleans.
	Literals []any
	// Params reports whether it reads the parameters of a policy.
	Params bool
}

// mostParameters bounds how many values of parameters a rule has.
const mostParameters = 60

// WithParameters returns the rule with the values of the objects that it may read as params: they are
// literals of the policy that others write.
func (r Rule) WithParameters(objects []map[string]any) Rule {
	if !r.Params {
		return r
	}
	r.Literals = slices.Clone(r.Literals)
	most := len(r.Literals) + mostParameters
	var visit func(value any, depth int)
	visit = func(value any, depth int) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				if depth > 0 || name != "apiVersion" && name != "kind" && name != "metadata" {
					visit(value[name], depth+1)
				}
			}
		case []any:
			for _, item := range value {
				visit(item, depth+1)
			}
		case string, int64, float64:
			if len(r.Literals) < most && value != "" && !slices.Contains(r.Literals, value) {
				r.Literals = append(r.Literals, value)
			}
		}
	}
	for _, object := range objects {
		visit(object, 0)
	}
	return r
}

// assignment is a value for a field that a rule names.
type assignment struct {
	path []step
	to   any
	name string
	// literal is true if the rule has the value.
	literal bool
}

// assignments returns values for the fields that a rule at a site names: literals of the rule and
// their neighbors, texts and lists of the sizes that it names, no value, and values of the schema.
func (r Rule) assignments(src generate.Source, at site) [][]assignment {
	var all [][]assignment
	for _, path := range r.Paths {
		place, schema, ok := resolve(at, path)
		if !ok {
			continue
		}
		name := strings.Join(path, ".")
		some := []assignment{{path: place, to: absent, name: name + " taken out"}}
		add := func(literal bool, to any) {
			some = append(some, assignment{path: place, to: to, name: fmt.Sprintf("%s = %.40v", name, to), literal: literal})
		}
		for _, literal := range r.Literals {
			for _, value := range fitting(src, schema, literal) {
				add(same(value, literal), value)
			}
		}
		add(false, generate.Value(src, schema, generate.ObjectOptions{Values: 1}))
		if schema.Type == "string" { // functions such as those of formats refuse it
			add(false, "-not valid!")
		}
		if schema.Type == "boolean" {
			add(true, true)
			add(true, false)
		}
		all = append(all, some)
	}
	return all
}

// resolve returns a path of a rule in the object: the first item for any item, and the first key.
func resolve(at site, path []string) ([]step, *props, bool) {
	place, schema, value := at.path, at.schema, at.value
	for i, name := range path {
		next := field(name)
		switch {
		case name == "[*]" && schema.Type == "array":
			next, schema = item(0), itemsOf(schema)
		case name == "[*]":
			next = key("key")
			if schema.AdditionalProperties == nil || schema.AdditionalProperties.Schema == nil {
				return nil, nil, false
			}
			schema = schema.AdditionalProperties.Schema
		default:
			declared, has := schema.Properties[name]
			switch {
			case has:
				schema = &declared
			case schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil:
				next, schema = key(name), schema.AdditionalProperties.Schema
			case len(at.path)+i == 0 && name == "metadata":
				schema = objectMeta()
			default:
				return nil, nil, false
			}
			if len(at.path)+i == 0 && name == "metadata" && len(schema.Properties) == 0 {
				schema = objectMeta()
			}
		}
		value, _ = valueAt(value, []step{next})
		if next.index == 0 && value == nil {
			return nil, nil, false // the list is empty
		}
		place = append(slices.Clip(place), next)
	}
	return place, schema, true
}

// fitting returns the values for a field that a literal of a rule represents.
func fitting(src generate.Source, s *props, literal any) []any {
	const mostText, mostList = 70_000, 1100
	switch literal := literal.(type) {
	case string:
		var all []any
		for _, text := range variants(literal) {
			switch {
			case s.Type == "string" || s.Type == "":
				all = append(all, text)
			case s.Type == "array" && itemsOf(s).Type == "string":
				all = append(all, []any{text})
			}
		}
		return all
	case int64:
		switch {
		case s.Type == "integer" || s.Type == "number" || s.XIntOrString:
			return []any{literal, literal + 1, literal - 1}
		case literal < 0:
		case s.Type == "string" && literal <= mostText:
			return []any{sized(s, int(literal)), sized(s, int(literal)+1), sized(s, max(0, int(literal)-1))}
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

// mostCombined bounds how many pairs of assignments are tried for one rule.
const mostCombined = 160

// combinations returns single assignments, pairs of the same value for two fields, which an order
// compares, and pairs of an assignment and a literal for another field: a rule often looks at a field
// only if another one has a certain value.
func combinations(fields [][]assignment) [][]assignment {
	var all [][]assignment
	for _, some := range fields {
		for _, one := range some {
			all = append(all, []assignment{one})
		}
	}
	most := len(all) + mostCombined
	for i, some := range fields {
		for _, others := range fields[i+1:] {
			for _, a := range some {
				for _, b := range others {
					if _, isNumber := a.to.(int64); isNumber && a.to == b.to && len(all) < most {
						all = append(all, []assignment{a, b})
					}
				}
			}
		}
	}
	for i, literals := range fields {
		for _, literal := range literals {
			if !literal.literal {
				continue
			}
			for j, others := range fields {
				for _, other := range others {
					if i != j && len(all) < most {
						all = append(all, []assignment{literal, other})
					}
				}
			}
		}
	}
	return all
}
