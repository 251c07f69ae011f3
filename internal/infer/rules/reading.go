package rules

import (
	"fmt"
	"slices"

	"github.com/google/cel-go/common/operators"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/openapi"
)

// bothObjects are the variables of a rule.
var bothObjects = []string{"self", "oldSelf"}

// readWeight is that of a condition that was read: keywords that say the same are preferred.
const readWeight = 5

// Read returns the condition of a reading at the scope of a site; nil: it needs more than the scope has.
func Read(s *Facts, of *evidence.Reading) *Condition {
	root := s.Evidence.Target.Document.Root
	expr, ok := s.atScope(of.Condition, operators.Exists, root, s.Scope)
	rule, fits := s.atScope(of.Rule, operators.All, root, s.Scope)
	if !ok || !fits {
		return nil
	}
	looks := celexpr.Read(expr, nil)
	if looks.Transition && s.Site.Creates {
		return nil
	}
	return &Condition{
		Refuses: s.answered(expr),
		Rule:    s.answered(rule),
		Weight:  readWeight,
		About:   s.Target,
		Fields:  fieldsOf(looks.Paths),
		Update:  looks.Transition,
		Tries:   s.readTries(looks, looks.Paths),
		Read:    true,
	}
}

// Alternatives returns the parts of a condition of which one must be true.
func Alternatives(read *Condition) (all []*Condition) {
	for _, part := range celexpr.OperandsOf(read.Refuses, operators.LogicalOr) {
		one := *read
		one.Refuses, one.text, one.Fields = part, "", fieldsOf(celexpr.Read(part, nil).Paths)
		all = append(all, &one)
	}
	return all
}

// Keywords returns the conditions that keywords say about the one field of a condition that was read, with its constants.
func Keywords(s *Facts, read *Condition) (all []*Condition) {
	looks := celexpr.Read(read.Refuses, nil)
	if len(read.Fields) != 1 ||
		slices.ContainsFunc(looks.Paths, func(path []string) bool { return slices.Contains(path, evidence.AnyItem) }) {
		return nil
	}
	field, named, conditions := read.Fields[0], *s, Presence(s, read.Fields[0])
	var numbers []float64
	for _, literal := range looks.Literals {
		switch value := literal.(type) {
		case int64:
			for _, n := range []int64{value, value - 1, value + 1} { // a keyword includes its bound
				numbers, named.Numbers = append(numbers, float64(n)), append(slices.Clip(named.Numbers), fmt.Sprint(n))
			}
		case string:
			named.Quoted = append(slices.Clip(named.Quoted), value)
			if value == "" {
				numbers = append(numbers, 1)
			}
		}
	}
	for _, m := range MeasuresOf(s.KindOf(field)) {
		conditions = append(conditions, Bounds(&named, field, m, numbers)...)
	}
	if s.KindOf(field) == Text {
		conditions = append(conditions,
			slices.DeleteFunc(formats(&named, field), func(c Condition) bool { return !saysNoMore(c, read, looks) })...)
	}
	if looks.Transition {
		conditions = updates(s, field)
	}
	for _, c := range Pointers(conditions) {
		if c.Leaf != nil && (c.Leaf.Keywords != nil || c.Leaf.Required || c.Update) {
			c.Read = true
			all = append(all, c)
		}
	}
	return all
}

// saysNoMore reports whether a condition about the form of a text has only patterns, words and functions that one which was
// read has.
func saysNoMore(c Condition, read *Condition, looks celexpr.Reading) bool {
	functions := map[string]bool{}
	for part := range celexpr.Parts(read.Refuses) {
		functions[part.AsCall().FunctionName()] = true
	}
	for part := range celexpr.Parts(c.Refuses) {
		if part.AsCall().IsMemberFunction() && !functions[part.AsCall().FunctionName()] {
			return false
		}
	}
	return !slices.ContainsFunc(celexpr.Read(c.Refuses, nil).Literals,
		func(literal any) bool { return !slices.Contains(looks.Literals, literal) })
}

// atScope returns an expression about the whole object as one about the values of a scope, below a schema. loop is the macro
// that it has around those of items.
func (s *Facts) atScope(e celexpr.Expr, loop string, at *spec.Schema, scope evidence.Place) (celexpr.Expr, bool) {
	list, inner := scope.Outside()
	e, ok := celexpr.Below(e, bothObjects, list...)
	if !ok || len(list) == len(scope) {
		return e, ok
	}
	over, is := celexpr.LoopOf(e)
	items := openapi.Items(list.Schema(at))
	isOfItem := is && over.Function == loop && over.Over.AsIdent() == "self" && len(over.Names) == 1 && items != nil
	if !isOfItem || len(celexpr.Read(over.Body[0], nil).Paths) > 0 { // it reads what is around the item
		return nil, false
	}
	return s.atScope(celexpr.Rename(over.Body[0], over.Names[0], celexpr.Name("self")), loop, items, inner)
}

// fieldsOf returns the fields that paths begin with, as far as no item is on the way, each once and without those around others.
func fieldsOf(paths [][]string) (all []evidence.Place) {
	for _, path := range paths {
		field, _ := evidence.Place(path).Outside()
		if len(field) > 0 && !slices.ContainsFunc(all, field.Has) {
			all = append(slices.DeleteFunc(all, func(known evidence.Place) bool { return known.Has(field) }), field)
		}
	}
	return all
}

// mostReadTries bounds the changes of one field for a condition that was read.
const mostReadTries = 60

// readTries returns changes that make a condition that was read true or false, or come near: of the fields on its paths to
// the values that it names, and to others.
func (s *Facts) readTries(looks celexpr.Reading, paths [][]string) (all []Try) {
	known := map[string]bool{}
	items := map[string][][]string{} // the rests of paths in the items of lists
	var fields []evidence.Place
	for _, path := range paths {
		field, inner := evidence.Place(path).Outside()
		name := field.String()
		if len(field) < len(path) && s.KindOf(field) == List {
			items[name] = append(items[name], inner)
		}
		if len(field) == 0 && s.SchemaAt(nil).Properties != nil || known["field "+name] {
			continue
		}
		known["field "+name] = true
		fields = append(fields, field)
	}
	for _, field := range fields {
		left := mostReadTries
		for _, one := range slices.Concat(s.namedTries(field, looks), s.otherTries(field, fields, looks),
			s.itemsTries(field, looks, items)) {
			if key := fmt.Sprint(one); !known[key] && left > 0 {
				known[key], left = true, left-1
				all = append(all, one)
			}
		}
	}
	return all
}

// namedTries returns changes of a field to the values that a condition names, and to those beside them.
func (s *Facts) namedTries(field evidence.Place, looks celexpr.Reading) (all []Try) {
	k := s.KindOf(field)
	to := func(values ...any) {
		for _, value := range values {
			all = append(all, Try{{Field: field, To: value}})
		}
	}
	for _, literal := range looks.Literals {
		switch value := literal.(type) {
		case int64:
			for _, m := range MeasuresOf(k) {
				all = append(all, around(s, field, m, float64(value))...)
			}
		case string:
			switch k {
			case Text:
				to(value, value+"x")
			case List:
				to([]any{value}, []any{value + "x"})
			case Mapping:
				to(map[string]any{value: s.made(field.Below(evidence.AnyItem))})
			}
		}
	}
	return all
}

// otherTries returns the changes of a field that conditions of families have.
func (s *Facts) otherTries(field evidence.Place, fields []evidence.Place, looks celexpr.Reading) (all []Try) {
	conditions := slices.Concat(Presence(s, field), Equalities(s, field), duplicates(s, field))
	if looks.Transition {
		conditions = append(conditions, updates(s, field)...)
	}
	for _, other := range fields {
		conditions = append(conditions, order(s, field, other)...)
	}
	for _, c := range conditions {
		all = append(all, c.Tries...)
	}
	if s.KindOf(field) == Text && len(looks.Compared[field.String()]) == 0 {
		all = append(all, textTries(s, field)...)
	}
	return all
}

// itemsTries returns changes of the items of a list.
func (s *Facts) itemsTries(field evidence.Place, looks celexpr.Reading, items map[string][][]string) []Try {
	inner := items[field.String()]
	if inner == nil {
		return nil
	}
	return append(itemTries(s, field, inside(s, field).readTries(looks, inner)), itemPairs(s, field)...)
}
