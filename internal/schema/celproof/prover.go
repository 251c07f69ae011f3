package celproof

import (
	"reflect"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/schema/proof"
)

// prover evaluates a rule for one choice of the optional fields that are set.
type prover struct {
	present   map[string]bool     // by path: whether optional fields are there
	undecided string              // an optional field that the rule read and that present does not have
	guards    map[string]outcomes // the outcome of each has(), by argument; nil if it is not needed
	// defaults means that missing fields have the defaults of the schema that has the rule.
	defaults bool
}

func newProver() *prover { return &prover{present: map[string]bool{}} }

// place is a value of the object with its path and its schemas.
type place struct {
	path            string
	of, other       *spec.Schema
	ofAll, otherAll map[string]*spec.Schema
}

// schema returns the schema that accepts the value.
func (at place) schema() Schema { return Schema{Schema: at.other, Definitions: at.otherAll} }

func (p *prover) eval(e celexpr.Expr, bound map[string]place) outcomes {
	if is, isBool := celexpr.ValueOf(e).(bool); isBool {
		return outcome(is)
	}
	call := e.AsCall()
	args := call.Args()
	arg := func(i int) outcomes { return p.eval(args[i], bound) }
	switch name := call.FunctionName(); {
	case name == operators.LogicalNot && len(args) == 1:
		return arg(0).not()
	case name == operators.LogicalOr && len(args) == 2:
		return arg(0).or(arg(1))
	case name == operators.LogicalAnd && len(args) == 2:
		return arg(0).not().or(arg(1).not()).not()
	case name == operators.Conditional && len(args) == 3:
		made, condition := isError&arg(0), arg(0)
		if condition&isTrue != 0 {
			made |= arg(1)
		}
		if condition&isFalse != 0 {
			made |= arg(2)
		}
		return made
	case name == operators.Has && len(args) == 1 && args[0].Kind() == ast.SelectKind:
		return p.has(args[0], bound)
	case name == operators.In && len(args) == 2 && args[1].Kind() == ast.ListKind:
		return p.among(args[0], args[1].AsList().Elements(), bound)
	case name == operators.All && call.IsMemberFunction() && len(args) == 2 && args[0].Kind() == ast.IdentKind:
		return p.all(call.Target(), args[0].AsIdent(), args[1], bound)
	case name == "matches":
		return p.matches(call, bound)
	case len(args) == 2 && !call.IsMemberFunction():
		return p.compare(name, args[0], args[1], bound)
	}
	return isAny
}

func (p *prover) has(of celexpr.Expr, bound map[string]place) outcomes {
	_, made := p.find(of, bound)
	if p.guards != nil {
		p.guards[celexpr.String(of)] |= made
	}
	return made
}

// find returns the place that an expression names, and whether it is set. The outcome is isError if
// a value around it is missing. Without a place, nothing is known about it.
func (p *prover) find(e celexpr.Expr, bound map[string]place) (*place, outcomes) {
	if e.Kind() == ast.IdentKind {
		at, known := bound[e.AsIdent()]
		if !known {
			return nil, isAny
		}
		return &at, isTrue
	}
	if e.Kind() != ast.SelectKind {
		return nil, isAny
	}
	in, there := p.find(e.AsSelect().Operand(), bound)
	switch name := e.AsSelect().FieldName(); {
	case in == nil:
		return nil, isAny
	case there != isTrue:
		return in, isError
	case strings.Contains(name, "__") || name == "metadata" || name == "apiVersion" || name == "kind":
		return nil, isAny // an escaped name, or a field that neither schema declares
	default:
		return p.field(in, name)
	}
}

// field returns the place of a field of a value that is set.
func (p *prover) field(in *place, name string) (*place, outcomes) {
	ofField, declared := in.of.Properties[name]
	otherField, known := in.other.Properties[name]
	fixed := p.defaults && scalar(ofField.Default)
	switch {
	case in.of.Nullable || in.other.Nullable || !declared:
		return nil, isAny
	case !known && (open(in.other) || len(in.other.AllOf)+len(in.other.AnyOf)+len(in.other.OneOf) > 0):
		return nil, isAny
	case !known && fixed:
		return in.defaulted(name, &ofField), isTrue
	case !known && ofField.Default != nil:
		return nil, isAny
	case !known:
		return in, isFalse
	}
	at := &place{
		path: in.path + "." + name, of: proof.Resolve(&ofField, in.ofAll), other: proof.Resolve(&otherField, in.otherAll),
		ofAll: in.ofAll, otherAll: in.otherAll,
	}
	same := p.defaults && reflect.DeepEqual(ofField.Default, otherField.Default)
	nullable := ofField.Nullable || otherField.Nullable // rules do not see null
	switch {
	case nullable && (fixed || same && ofField.Default != nil):
		return nil, isAny
	case nullable:
	case fills(ofField.Default) && same:
		return at, isTrue // the value was accepted with the default
	case !fixed && (fills(ofField.Default) || p.defaults && ofField.Default != nil && !same):
		return nil, isAny // the default may have fields of its own
	case slices.Contains(in.other.Required, name) && (otherField.Default == nil || same):
		return at, isTrue
	}
	is, decided := p.present[at.path]
	switch {
	case !decided:
		p.undecided = at.path
		return nil, isAny
	case !is && fixed:
		return in.defaulted(name, &ofField), isTrue
	}
	return at, outcome(is)
}

// scalar reports whether a default is a value without fields and items.
func scalar(value any) bool {
	switch value.(type) {
	case nil, map[string]any, []any:
		return false
	}
	return true
}

// defaulted returns the place of a field that a default sets.
func (at *place) defaulted(name string, field *spec.Schema) *place {
	only := &spec.Schema{
		SchemaProps: spec.SchemaProps{Type: field.Type, Format: field.Format, Nullable: field.Nullable, Enum: []any{field.Default}},
	}
	return &place{path: at.path + "." + name, of: field, other: only, ofAll: at.ofAll, otherAll: at.otherAll}
}

// fills reports whether a default sets anything in a value.
func fills(value any) bool {
	object, isObject := value.(map[string]any)
	return value != nil && (!isObject || len(object) > 0)
}

// open reports whether a value may have fields that the schema does not declare.
func open(s *spec.Schema) bool {
	preserves, _ := s.Extensions[openapi.XPreserveUnknownFields].(bool)
	return preserves || s.AdditionalProperties != nil && (s.AdditionalProperties.Schema != nil || s.AdditionalProperties.Allows)
}

// all evaluates "list.all(name, body)", which is true if the body is true for any item.
func (p *prover) all(list celexpr.Expr, name string, body celexpr.Expr, bound map[string]place) outcomes {
	at, there := p.find(list, bound)
	switch {
	case at == nil:
		return isAny
	case there != isTrue:
		return isError
	case at.of.Items == nil || at.of.Items.Schema == nil || at.other.Items == nil || at.other.Items.Schema == nil:
		return isAny
	}
	inside := map[string]place{}
	for other, place := range bound {
		inside[other] = place
	}
	inside[name] = place{
		path: at.path + "[*]", of: proof.Resolve(at.of.Items.Schema, at.ofAll), other: proof.Resolve(at.other.Items.Schema, at.otherAll),
		ofAll: at.ofAll, otherAll: at.otherAll,
	}
	if p.eval(body, inside) == isTrue {
		return isTrue
	}
	return isAny
}
