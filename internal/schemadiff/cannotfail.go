package schemadiff

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// mostPresences is up to how many fields a rule may read that can be there or not: each
// doubles the work.
const mostPresences = 10

// source is a schema and what its references find.
type source struct {
	schema      *spec.Schema
	definitions map[string]*spec.Schema
}

// cannotFail says that a rule holds for all objects that another schema accepts, as one
// about a field that the other schema does not declare, or about a value that its enum does
// not have. False: that is not proved.
func (w *walker) cannotFail(rule writtenRule, of, other source) bool {
	if rule.expr == nil || w.defaulted {
		return false
	}
	self := place{path: "self", of: resolve(of.schema, of.definitions), other: resolve(other.schema, other.definitions), ofAll: of.definitions, otherAll: other.definitions}
	p := &prover{present: map[string]bool{}}
	return p.holds(rule.expr, map[string]place{"self": self})
}

// holds says that an expression is true, whichever of the fields are there whose presence is
// not decided yet.
func (p *prover) holds(e ast.Expr, bound map[string]place) bool {
	p.undecided = ""
	made := p.eval(e, bound)
	at := p.undecided
	if made == isTrue || at == "" || len(p.present) >= mostPresences {
		return made == isTrue
	}
	defer delete(p.present, at)
	for _, is := range []bool{false, true} {
		p.present[at] = is
		if !p.holds(e, bound) {
			return false
		}
	}
	return true
}

// outcomes is the set of what an expression may give.
type outcomes uint8

const (
	isTrue outcomes = 1 << iota
	isFalse
	isError
	isAny = isTrue | isFalse | isError
)

func outcome(is bool) outcomes {
	if is {
		return isTrue
	}
	return isFalse
}

func (o outcomes) not() outcomes {
	return o&isError | (o&isTrue)<<1 | (o&isFalse)>>1
}

// or is CEL's: what is true makes up for an error.
func (o outcomes) or(other outcomes) outcomes {
	made := (o | other) & isTrue
	if o&isFalse != 0 && other&isFalse != 0 {
		made |= isFalse
	}
	if o&isError != 0 && other&(isFalse|isError) != 0 || other&isError != 0 && o&(isFalse|isError) != 0 {
		made |= isError
	}
	return made
}

// prover evaluates a rule for one choice of the fields that are there after the other.
type prover struct {
	present   map[string]bool // by path: whether optional fields are there
	undecided string          // an optional field that the rule read and that is not in present
}

// place is a value of the object: where it is, and its schemas, nil if it has none.
type place struct {
	path            string
	of, other       *spec.Schema
	ofAll, otherAll map[string]*spec.Schema
}

func (p *prover) eval(e ast.Expr, bound map[string]place) outcomes {
	if e.Kind() == ast.LiteralKind {
		if is, isBool := e.AsLiteral().Value().(bool); isBool {
			return outcome(is)
		}
		return isAny
	}
	if e.Kind() != ast.CallKind {
		return isAny
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
		_, made := p.find(args[0], bound)
		return made
	case name == operators.Equals && len(args) == 2:
		return p.among(args[0], args[1:], bound)
	case name == operators.NotEquals && len(args) == 2:
		return p.among(args[0], args[1:], bound).not()
	case name == operators.In && len(args) == 2 && args[1].Kind() == ast.ListKind:
		return p.among(args[0], args[1].AsList().Elements(), bound)
	case name == operators.All && call.IsMemberFunction() && len(args) == 2 && args[0].Kind() == ast.IdentKind:
		return p.all(call.Target(), args[0].AsIdent(), args[1], bound)
	}
	return isAny
}

// find gives the place that an expression names, and whether it is there: isError, if what
// is above it is not. Without a place nothing is known about it.
func (p *prover) find(e ast.Expr, bound map[string]place) (*place, outcomes) {
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
		return nil, isAny // escaped, or declared by nobody and there
	default:
		return p.field(in, name)
	}
}

// field gives the place of a field of a value that is there.
func (p *prover) field(in *place, name string) (*place, outcomes) {
	ofField, declared := in.of.Properties[name]
	otherField, known := in.other.Properties[name]
	switch {
	case in.of.Nullable || in.other.Nullable || !declared:
		return nil, isAny
	case !known && (open(in.other) || additional(in.other) != nil || len(in.other.AllOf)+len(in.other.AnyOf)+len(in.other.OneOf) > 0):
		return nil, isAny
	case !known && ofField.Default != nil:
		return nil, isAny
	case !known:
		return in, isFalse
	case fills(ofField.Default):
		return nil, isAny // the default may have fields of its own
	}
	at := &place{
		path: join(in.path, name), of: resolve(&ofField, in.ofAll), other: resolve(&otherField, in.otherAll), ofAll: in.ofAll, otherAll: in.otherAll,
	}
	if slices.Contains(in.other.Required, name) && otherField.Default == nil {
		return at, isTrue
	}
	is, decided := p.present[at.path]
	if !decided {
		p.undecided = at.path
		return nil, isAny
	}
	return at, outcome(is)
}

// among says whether a value is one of some: surely not, if the enum of the other schema has
// none of them.
func (p *prover) among(value ast.Expr, some []ast.Expr, bound map[string]place) outcomes {
	at, there := p.find(value, bound)
	switch {
	case at == nil || value.Kind() != ast.SelectKind:
		return isAny
	case there != isTrue:
		return isError
	}
	for _, one := range some {
		if one.Kind() != ast.LiteralKind || len(at.other.Enum) == 0 || len(missing([]any{one.AsLiteral().Value()}, at.other.Enum)) == 0 {
			return isAny
		}
	}
	return isFalse
}

// all evaluates "list.all(name, body)": true if the body is, whatever the items are.
func (p *prover) all(list ast.Expr, name string, body ast.Expr, bound map[string]place) outcomes {
	at, there := p.find(list, bound)
	switch {
	case at == nil:
		return isAny
	case there != isTrue:
		return isError
	}
	ofItem, otherItem := itemsOf(at.of), itemsOf(at.other)
	if ofItem == nil || otherItem == nil {
		return isAny
	}
	inside := map[string]place{}
	for other, place := range bound {
		inside[other] = place
	}
	inside[name] = place{path: at.path + "[*]", of: resolve(ofItem, at.ofAll), other: resolve(otherItem, at.otherAll), ofAll: at.ofAll, otherAll: at.otherAll}
	if p.eval(body, inside) == isTrue {
		return isTrue
	}
	return isAny
}
