package read

import (
	"go/constant"
	"go/types"
	"reflect"
	"strings"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// objectMeta is the type of metadata.
const objectMeta = "k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta"

// fieldOf returns a field of a struct of the object.
func fieldOf(of place, structure *types.Struct, index int) value {
	field := structure.Field(index)
	if t, ok := of.typ.(interface{ String() string }); ok && strings.HasSuffix(t.String(), "util/intstr.IntOrString") {
		return intOrString(of, field)
	}
	if hasOwnJSON(of.typ) {
		return nil
	}
	name, options, _ := strings.Cut(reflect.StructTag(structure.Tag(index)).Get("json"), ",")
	switch {
	case name == "-":
		return nil
	case name == "" && field.Embedded() && strings.HasPrefix(types.TypeString(field.Type(), nil), objectMeta): // of an internal type
		name = "metadata"
	case strings.Contains(","+options+",", ",inline,"), name == "" && field.Embedded():
		inlined := place{expr: of.expr, typ: field.Type(), has: of.has}
		if isPointer(field.Type()) {
			inlined.has = and(of.has, hasField(inlined))
		}
		return inlined
	case name == "":
		name = field.Name()
		if strings.Contains(field.Pkg().Path(), "/pkg/apis/") { // an internal type, whose versions have names
			name = lowered(name)
		}
	}
	e := celexpr.Field(of.expr, name)
	has := of.has
	if !isAlwaysSet(celexpr.PathOf(e)) {
		has = and(of.has, that(celexpr.Has(e)))
	}
	return place{expr: e, typ: field.Type(), has: has, field: field}
}

// hasField returns the condition that a struct that is inlined by a pointer is there: one of its fields is.
func hasField(of place) *condition {
	some, structure := no, structOf(of.typ)
	if structure == nil {
		return no
	}
	bare := place{expr: of.expr, typ: elem(of.typ), has: yes}
	for i := range structure.NumFields() {
		one, ok := fieldOf(bare, structure, i).(place)
		switch {
		case ok && one.expr == of.expr && !isPointer(one.typ):
			some = or(some, hasField(one))
		case ok:
			some = or(some, one.has)
		}
	}
	return some
}

// intOrString returns a field of a number or text: JSON has one of both.
func intOrString(of place, field *types.Var) value {
	if field.Name() != "Type" {
		return place{expr: of.expr, typ: field.Type(), has: of.has}
	}
	return choice{and(of.has, isString(of.expr)), known{constant.MakeInt64(1), field.Type()}, known{constant.MakeInt64(0), field.Type()}}
}

// isString returns the condition that a number or text is a text.
func isString(e celexpr.Expr) *condition {
	return that(celexpr.Call(operators.Equals, celexpr.Call("type", e), celexpr.Name("string")))
}

// hasOwnJSON reports whether a type, which is not inlined, writes its JSON itself: its fields are not those of Go.
func hasOwnJSON(t types.Type) bool {
	named, ok := elem(t).(*types.Named)
	if !ok {
		return false
	}
	for i := range named.NumMethods() {
		if named.Method(i).Name() == "UnmarshalJSON" {
			return true
		}
	}
	return false
}

// lowered returns a name with its first word in lower case: IPFamilies is ipFamilies, and CIDRs is cidrs.
func lowered(name string) string {
	upper := 0
	for upper < len(name) && name[upper] >= 'A' && name[upper] <= 'Z' {
		upper++
	}
	if upper > 1 && upper < len(name) && name[upper:] != "s" {
		upper--
	}
	return strings.ToLower(name[:upper]) + name[upper:]
}

// isAlwaysSet reports whether the API server sets a field of each object.
func isAlwaysSet(path []string) bool {
	if len(path) < 2 || path[0] != "self" && path[0] != "oldSelf" || path[1] != "metadata" {
		return false
	}
	return len(path) == 2 || len(path) == 3 && path[2] == "name"
}

// structOf returns the struct of a type or of what it points to.
func structOf(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	structure, _ := t.Underlying().(*types.Struct)
	return structure
}

// elem returns the type that a pointer points to, and other types as they are.
func elem(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// itemOf returns the item of a list or map of the object in a loop.
func itemOf(of place, l *loop) place {
	switch t := elem(of.typ).Underlying().(type) {
	case *types.Map:
		return place{expr: celexpr.Call(operators.Index, of.expr, celexpr.Name(l.name)), typ: t.Elem(), has: yes, of: l}
	case *types.Slice:
		return place{expr: celexpr.Name(l.name), typ: t.Elem(), has: yes, of: l}
	case *types.Array:
		return place{expr: celexpr.Name(l.name), typ: t.Elem(), has: yes, of: l}
	}
	return place{expr: celexpr.Name(l.name), typ: of.typ, has: yes, of: l}
}
