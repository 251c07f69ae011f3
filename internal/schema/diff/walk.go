package diff

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/schema/proof"
)

// Walk compares two schemas keyword by keyword and returns the changes sorted by path. It ignores
// descriptions, titles, examples and other keywords that do not affect objects.
func Walk(a, b Side) []Change {
	w := &walker{a: effective(a.Definitions), b: effective(b.Definitions), seen: map[[2]*spec.Schema]bool{}, semantics: a.semantics}
	wholeA, wholeB := openapi.WithoutIneffective(a.Schema), openapi.WithoutIneffective(b.Schema)
	w.inA, w.inB = proof.Of(w.ofA(wholeA)), proof.Of(w.ofB(wholeB))
	w.schemas(wholeA, wholeB, "")
	sortChanges(w.changes)
	return w.changes
}

// effective returns definitions without ineffective keywords.
func effective(definitions map[string]*spec.Schema) map[string]*spec.Schema {
	made := make(map[string]*spec.Schema, len(definitions))
	for name, definition := range definitions {
		made[name] = openapi.WithoutIneffective(definition)
	}
	return made
}

type walker struct {
	a, b    map[string]*spec.Schema
	seen    map[[2]*spec.Schema]bool
	changes []Change
	kind    string // of the compared schemas
	// optional reports whether the value is a field that may be missing. A null that is not allowed
	// is then dropped and is not an error.
	optional bool
	// missing reports whether one side allows the value to be missing.
	missing bool
	// nullSeen reports whether something around the value may refuse a null that is not dropped.
	nullSeen bool
	// defaulted reports whether a default of only one side may set a part of the value.
	defaulted bool
	// above are the schemas of the values around this one, from the root.
	above []ancestor
	// inA and inB are what is known about the value if A or B accepts it.
	inA, inB  proof.Value
	semantics declarative.Semantics
}

func (w *walker) add(effect Effect, path, what string) {
	w.changes = append(w.changes, Change{Effect: effect, Kind: w.kind, Path: path, What: what})
}

// addKind adds a change that shows in errors of one type.
func (w *walker) addKind(kind field.ErrorType, effect Effect, path, what string) {
	w.changes = append(w.changes, Change{Effect: effect, Kind: w.kind, Path: path, What: what, errorType: string(kind)})
}

// schemas compares the schemas of one value.
func (w *walker) schemas(a, b *spec.Schema, path string) {
	a, b = proof.Resolve(a, w.a), proof.Resolve(b, w.b)
	pair := [2]*spec.Schema{a, b}
	if w.seen[pair] {
		return // a definition that contains itself
	}
	w.seen[pair] = true
	defer delete(w.seen, pair)
	if reflect.DeepEqual(a, b) && len(w.a)+len(w.b) == 0 {
		return
	}
	defer func(before bool) { w.defaulted = before }(w.defaulted)
	w.defaulted = w.defaulted || !reflect.DeepEqual(a.Default, b.Default) && (fills(a.Default) || fills(b.Default))
	for _, keyword := range keywords() {
		w.kind = keyword.name
		w.proving(keyword.name, a, b, path, func() { keyword.compare(w, a, b, path) })
	}
	w.optional, w.missing, w.nullSeen = false, false, false
	w.above = append(w.above, ancestor{a, b, path})
	w.fields(a, b, path)
	w.others(a, b, path)
	w.items(a, b, path)
	w.above = w.above[:len(w.above)-1]
	w.rest(a, b, path)
}

// inside compares the schemas of a part of the value.
func (w *walker) inside(of func(proof.Value) proof.Value, a, b *spec.Schema, path string) {
	inA, inB := w.inA, w.inB
	w.inA, w.inB = of(inA), of(inB)
	w.schemas(a, b, path)
	w.inA, w.inB = inA, inB
}

func fieldNamed(name string) func(proof.Value) proof.Value {
	return func(v proof.Value) proof.Value { return v.Field(name) }
}

// fields compares the declared fields of objects.
func (w *walker) fields(a, b *spec.Schema, path string) {
	names := maps.Clone(a.Properties)
	if names == nil {
		names = map[string]spec.Schema{}
	}
	maps.Copy(names, b.Properties)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		inA, hasA := a.Properties[name]
		inB, hasB := b.Properties[name]
		at := join(path, name)
		switch {
		case hasA && hasB:
			w.optional = mayBeLeftOut(a, name) && mayBeLeftOut(b, name) && !w.namedAbove(name)
			w.missing = !slices.Contains(a.Required, name) || !slices.Contains(b.Required, name)
			w.nullSeen = w.namedAbove(name) || a.MaxProperties != nil || b.MaxProperties != nil
			w.inside(fieldNamed(name), &inA, &inB, at)
			w.optional, w.missing, w.nullSeen = false, false, false
		case hasB && implied(a, name, path):
			w.implied(Narrower, &inB, at)
		case hasB:
			w.appeared(a, &inB, name, at)
		case implied(b, name, path):
			w.implied(Wider, &inA, at)
		default:
			w.vanished(b, &inA, name, at)
		}
	}
}

// metaFields are the fields that every object has, and every embedded one.
var metaFields = map[string]spec.StringOrArray{"apiVersion": {"string"}, "kind": {"string"}, "metadata": {"object"}}

// implied reports whether a schema has a field that it does not declare.
func implied(s *spec.Schema, name, path string) bool {
	return metaFields[name] != nil && (path == "" || extension(openapi.XEmbeddedResource)(s))
}

// implied compares a field that one side declares, and that the other has without saying so. effect is that of leaving
// out what the one says about it.
func (w *walker) implied(effect Effect, declared *spec.Schema, path string) {
	more := *meaning(declared)
	more.Type = nil
	if w.kind = KindField; effect == Narrower && !isEmpty(&more) {
		w.add(Narrower, path, "declared, where anything was allowed")
	} else if !isEmpty(&more) {
		w.add(Wider, path, "no longer declared, so that anything is allowed")
	}
}

// mayBeLeftOut reports whether a field may be missing and nothing counts the fields. CEL rules do
// not see null fields.
func mayBeLeftOut(s *spec.Schema, name string) bool {
	return !slices.Contains(s.Required, name) && s.MinProperties == nil && s.MaxProperties == nil
}

// namedAbove reports whether a junctor of the value, or of a value around it, names a field, which
// it may require.
func (w *walker) namedAbove(name string) bool {
	quotedName := asJSON(name)
	return slices.ContainsFunc(w.above, func(up ancestor) bool {
		return slices.ContainsFunc([]*spec.Schema{up.a, up.b}, func(s *spec.Schema) bool {
			junctors := spec.Schema{SchemaProps: spec.SchemaProps{AllOf: s.AllOf, AnyOf: s.AnyOf, OneOf: s.OneOf, Not: s.Not}}
			return strings.Contains(asJSON(junctors), quotedName)
		})
	})
}

// fills reports whether a default may set fields of its value.
func fills(value any) bool { return value != nil && asJSON(value) != "{}" }

// appeared compares a field that only B declares. If A allowed any field, B restricts this one.
func (w *walker) appeared(a, field *spec.Schema, name, path string) {
	w.kind = KindField
	switch other := openapi.Additional(a); {
	case other != nil:
		w.inside(fieldNamed(name), other, field, path)
	case open(a):
		if !isEmpty(field) {
			w.add(Narrower, path, "declared, where anything was allowed")
		}
	default:
		w.addKind(unknownField, Wider, path, "new field")
		if field.Default != nil && !w.defaultHolds(field, true, path, false) {
			w.kind = "default"
			w.add(Narrower, path, "default "+asJSON(field.Default)+" of a new field")
		}
	}
}

func (w *walker) vanished(b, field *spec.Schema, name, path string) {
	w.kind = KindField
	switch other := openapi.Additional(b); {
	case other != nil:
		w.inside(fieldNamed(name), field, other, path)
	case open(b):
		if !isEmpty(field) {
			w.add(Wider, path, "no longer declared, so that anything is allowed")
		}
	default:
		w.addKind(unknownField, Narrower, path, "no longer a field")
		if field.Default != nil && !w.defaultHolds(field, false, path, false) {
			w.kind = "default"
			w.add(Wider, path, "no default, it was "+asJSON(field.Default)+" of a field that is gone")
		}
	}
}

// others compares the values of undeclared fields.
func (w *walker) others(a, b *spec.Schema, path string) {
	inA, inB := openapi.Additional(a), openapi.Additional(b)
	at := join(path, "*")
	w.kind = KindFields
	switch {
	case inA != nil && inB != nil:
		w.nullSeen = true // rules and sizes see the keys of a map
		w.inside(proof.Value.Others, inA, inB, at)
		w.nullSeen = false
	case open(a) == open(b) && inA == nil && inB == nil:
	case open(b):
		w.add(Wider, path, "any other field is allowed")
	case open(a):
		w.add(Narrower, path, "other fields are no longer anything")
	case inB != nil:
		w.add(Wider, path, "other fields are allowed")
	default:
		w.add(Narrower, path, "other fields are no longer allowed")
	}
}

func (w *walker) items(a, b *spec.Schema, path string) {
	inA, inB := openapi.Items(a), openapi.Items(b)
	w.kind = "items"
	switch {
	case inA != nil && inB != nil:
		w.inside(proof.Value.Item, inA, inB, path+"[*]")
	case inB != nil && !isEmpty(inB):
		w.add(Narrower, path+"[*]", "items are declared, where anything was allowed")
	case inA != nil && !isEmpty(inA):
		w.add(Wider, path+"[*]", "items are no longer declared")
	}
}

// open reports whether an undeclared field may have any value.
func open(s *spec.Schema) bool {
	preserves, _ := s.Extensions[openapi.XPreserveUnknownFields].(bool)
	return preserves || s.AdditionalProperties != nil && s.AdditionalProperties.Schema == nil && s.AdditionalProperties.Allows
}

func isEmpty(s *spec.Schema) bool { return reflect.DeepEqual(meaning(s), &spec.Schema{}) }

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
