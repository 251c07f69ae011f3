package diff_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/schema/diff"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
	"github.com/diffrun/diffrun/internal/testing/served"
)

type props = apiextensionsv1.JSONSchemaProps

// TestNeverHarmless: whatever the changes of generated schemas, if one side accepts an object that the other
// rejects, a change that Walk finds explains it with this direction: no such change is called harmless.
func TestNeverHarmless(t *testing.T) {
	pairs, breaking, updates := 0, 0, 0
	for seed := range uint64(600) {
		src := generate.Seeded(seed)
		before := randomschema.Make(src, randomschema.Options{Nodes: 6, Depth: 3})
		after := before.DeepCopy()
		e := editor{src}
		for range 1 + src.IntN(3) {
			e.edit(after)
		}
		after.Nullable, after.Default = false, nil // the API server rejects them at the root
		a, errA := diff.Compile(served.Converted(t, before), nil, diff.OfDefinition)
		b, errB := diff.Compile(served.Converted(t, after), nil, diff.OfDefinition)
		if errA != nil || errB != nil {
			continue // a rule about a field that no longer exists
		}
		pairs++
		changes := diff.Walk(a, b)
		examples := disagreements(t, a, b, src, before, after)
		breaking += len(examples)
		for _, change := range diff.Explain(changes, examples) {
			if change.Kind == diff.KindUnexplained {
				one, other := asText(t, before), asText(t, after)
				t.Errorf("seed %d: %s %+v is said nowhere:\n%s\n%s\n%v", seed, change.Path, change.Examples, one, other, written(changes))
			}
		}
		if updatesBreak(t, a, b, src, before) {
			updates++
			if !slices.ContainsFunc(changes, func(c diff.Change) bool { return c.Effect != diff.Wider }) {
				t.Errorf("seed %d: an update breaks, which is said nowhere: %v\n%s\n%s", seed, written(changes), asText(t, before),
					asText(t, after))
			}
		}
	}
	if pairs < 400 || breaking < 500 {
		t.Errorf("%d pairs, %d ways to break: that shows nothing", pairs, breaking)
	}
	t.Logf("%d pairs, %d ways to break, in %d pairs an update", pairs, breaking, updates)
}

// disagreements are objects that one side accepts and the other refuses.
func disagreements(t *testing.T, a, b diff.Side, src generate.Source, before, after *props) []diff.Example {
	var all []diff.Example
	for i := range 40 {
		object := generate.Object(src, []*props{
			before,
			after,
		}[i%2], generate.ObjectOptions{Values: []int{2, 6, 20}[i%3], Faults: []int{0, 0, 0, 8}[i%4], Defaulted: i%5 == 0})
		byA, byB := a.Validate(t.Context(), object), b.Validate(t.Context(), object)
		switch {
		case len(byA) == 0 && len(byB) > 0:
			all = append(all, diff.Example{Effect: diff.Narrower, Object: object, Rejection: byB[0]})
		case len(byB) == 0 && len(byA) > 0:
			all = append(all, diff.Example{Effect: diff.Wider, Object: object, Rejection: byA[0]})
		}
	}
	return all
}

// updatesBreak looks for an update that A accepts and B rejects, of an object that both accept.
func updatesBreak(t *testing.T, a, b diff.Side, src generate.Source, schema *props) bool {
	for range 12 {
		opts := generate.ObjectOptions{Values: 6}
		old := generate.Object(src, schema, opts)
		object := generate.Vary(src, schema, old, opts)
		if len(a.Validate(t.Context(), old))+len(b.Validate(t.Context(), old)) == 0 &&
			len(a.Update(t.Context(), object, old)) == 0 && len(b.Update(t.Context(), object, old)) > 0 {
			return true
		}
	}
	return false
}

func asText(t *testing.T, schema *props) string {
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// editor changes schemas as people do, sometimes without any effect.
type editor struct{ generate.Source }

// edit changes a schema somewhere.
func (e editor) edit(s *props) {
	names := slices.Sorted(maps.Keys(s.Properties))
	switch {
	case len(names) > 0 && e.IntN(3) > 0:
		name := names[e.IntN(len(names))]
		field := s.Properties[name]
		e.edit(&field)
		s.Properties[name] = field
		return
	case s.Items != nil && s.Items.Schema != nil && e.IntN(2) > 0:
		e.edit(s.Items.Schema)
		return
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil && e.IntN(2) > 0:
		e.edit(s.AdditionalProperties.Schema)
		return
	}
	for _, edit := range [][]func(*props){
		{e.bounds, e.required, e.enum, e.branches}, {e.rules, e.defaults, e.fields, e.inline}, {e.nullable, e.bounds, e.enum, e.defaults},
	}[e.IntN(3)] {
		if e.IntN(2) == 0 {
			edit(s)
		}
	}
}

func (e editor) bounds(s *props) {
	move := func(at **int64) {
		switch e.IntN(3) {
		case 0:
			*at = new(int64(e.IntN(4)))
		case 1:
			*at = nil
		}
	}
	switch s.Type {
	case "string":
		move([]**int64{&s.MinLength, &s.MaxLength}[e.IntN(2)])
		s.Pattern = []string{"", s.Pattern, "^a", "^[ab]*$", "^(a|b)+$", "b"}[e.IntN(6)]
		s.Format = []string{s.Format, s.Format, "", "nobody", "date"}[e.IntN(5)]
	case "array":
		move([]**int64{&s.MinItems, &s.MaxItems}[e.IntN(2)])
	case "object":
		move([]**int64{&s.MinProperties, &s.MaxProperties}[e.IntN(2)])
	case "integer", "number":
		s.Maximum = []*float64{nil, s.Maximum, new(3.0), new(4.0)}[e.IntN(4)]
		s.ExclusiveMaximum = s.Maximum != nil && e.IntN(2) == 0
		s.Minimum = []*float64{nil, s.Minimum, new(0.0), new(1.0)}[e.IntN(4)]
		s.ExclusiveMinimum = s.Minimum != nil && e.IntN(2) == 0
		s.Format = []string{s.Format, "", "int32", "int64", "double"}[e.IntN(5)]
	}
}

func (e editor) required(s *props) {
	names := slices.Sorted(maps.Keys(s.Properties))
	if len(names) == 0 {
		return
	}
	name := names[e.IntN(len(names))]
	if at := slices.Index(s.Required, name); at >= 0 && !slices.Contains(s.XListMapKeys, name) {
		s.Required = slices.Delete(s.Required, at, at+1)
		return
	}
	s.Required = append(s.Required, name)
}

func (e editor) enum(s *props) {
	values := map[string][]string{
		"string":  {`"a"`, `"b"`, `"ab"`, `""`},
		"integer": {"0", "1", "3", "4"},
		"boolean": {"true", "false"},
	}[s.Type]
	if len(values) == 0 || e.IntN(4) == 0 {
		s.Enum = nil
		return
	}
	for _, text := range values {
		if one := (apiextensionsv1.JSON{Raw: []byte(text)}); e.IntN(2) == 0 {
			s.Enum = append(s.Enum, one)
		}
	}
}

// branches reorders or duplicates branches, or replaces the junctor.
func (e editor) branches(s *props) {
	all := slices.Concat(s.AllOf, s.AnyOf, s.OneOf)
	if len(all) == 0 {
		all = []props{{}, {}}
		for i := range all {
			for name := range s.Properties {
				all[i].Required = []string{name}
			}
			if s.Type == "integer" {
				all[i].Maximum = new(float64(e.IntN(5)))
			}
		}
	}
	if e.IntN(2) == 0 {
		all = append(all, all[0])
	}
	slices.Reverse(all)
	s.AllOf, s.AnyOf, s.OneOf = nil, nil, nil
	switch e.IntN(4) {
	case 0:
		s.AllOf = all
	case 1:
		s.OneOf = all
	case 2:
		s.Not = &all[0]
	default:
		s.AnyOf = all
	}
}

// rules drops a rule, joins two, weakens one, or adds one.
func (e editor) rules(s *props) {
	text := map[string][]string{
		"integer": {"self < 3", "self < 4", "self >= 0", "self != 1"}, "string": {"self != 'a'", "size(self) < 3",
			"self in ['a', 'b', '']", "size(self) <= 3"},
		"boolean": {"self", "!self"}, "array": {"size(self) < 2", "size(self) != 0"},
	}[s.Type]
	for name := range s.Properties {
		if len(name) == 1 {
			text = append(text, fmt.Sprintf("has(self.%s)", name), fmt.Sprintf("!has(self.%s) || has(self.%s)", name, name))
		}
	}
	slices.Sort(text)
	switch n := len(s.XValidations); {
	case n > 1 && e.IntN(3) == 0:
		s.XValidations = append(s.XValidations[2:],
			apiextensionsv1.ValidationRule{Rule: "(" + s.XValidations[0].Rule + ") && (" + s.XValidations[1].Rule + ")"})
	case n > 0 && e.IntN(3) == 0:
		s.XValidations = s.XValidations[1:]
	case n > 0 && e.IntN(2) == 0:
		s.XValidations[0].Rule = "(" + s.XValidations[0].Rule + ") || false"
	case len(text) > 0:
		s.XValidations = append(s.XValidations, apiextensionsv1.ValidationRule{Rule: text[e.IntN(len(text))]})
	}
}

func (e editor) defaults(s *props) {
	value := map[string][]string{
		"string":  {`"a"`, `"ab"`},
		"integer": {"1", "3"},
		"boolean": {"true", "false"},
		"array":   {"[]"},
		"object":  {"{}"},
	}[s.Type]
	if s.Default != nil && e.IntN(2) == 0 || len(value) == 0 {
		s.Default = nil
		return
	}
	s.Default = &apiextensionsv1.JSON{Raw: []byte(value[e.IntN(len(value))])}
}

func (e editor) fields(s *props) {
	if s.Type != "object" || s.AdditionalProperties != nil || s.Properties == nil {
		return
	}
	names := slices.Sorted(maps.Keys(s.Properties))
	if e.IntN(2) == 0 && len(names) > 0 {
		delete(s.Properties, names[e.IntN(len(names))])
		return
	}
	s.Properties["more"] = []props{{Type: "string"}, {Type: "integer", Default: &apiextensionsv1.JSON{Raw: []byte("1")}}}[e.IntN(2)]
}

// inline moves keywords into allOf.
func (e editor) inline(s *props) {
	inner := props{
		Maximum:          s.Maximum,
		ExclusiveMaximum: s.ExclusiveMaximum,
		Pattern:          s.Pattern,
		Enum:             s.Enum,
		MaxItems:         s.MaxItems,
		MinProperties:    s.MinProperties,
		Required:         s.Required,
	}
	s.Maximum, s.ExclusiveMaximum, s.Pattern, s.Enum, s.MaxItems, s.MinProperties, s.Required = nil, false, "", nil, nil, nil, nil
	s.AllOf = append(s.AllOf, inner)
}

func (e editor) nullable(s *props) { s.Nullable = !s.Nullable }
