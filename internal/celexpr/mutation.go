package celexpr

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// Change is another expression in place of a part of one.
type Change struct{ From, To Expr }

// In returns a copy of the whole expression with the change.
func (c Change) In(whole Expr) Expr {
	return Replace(whole, func(e Expr) Expr {
		if e == c.From {
			return c.To
		}
		return nil
	})
}

// The functions that are true more often than others, those that are true less often, and those that a person may mean
// in place of others.
var (
	weaker = map[string]string{
		operators.Less: operators.LessEquals, operators.Greater: operators.GreaterEquals, operators.All: operators.Exists,
	}
	stronger = map[string]string{
		operators.LessEquals: operators.Less, operators.GreaterEquals: operators.Greater, operators.Exists: operators.All,
	}
	confused = map[string]string{
		operators.Less: operators.LessEquals, operators.LessEquals: operators.Less,
		operators.Greater: operators.GreaterEquals, operators.GreaterEquals: operators.Greater,
		operators.Equals: operators.NotEquals, operators.NotEquals: operators.Equals,
		operators.All: operators.Exists, operators.Exists: operators.All, operators.ExistsOne: operators.Exists,
	}
)

// Weaker returns changes after which an expression is true more often: a bound includes its value, a part of a
// conjunction is left out, any item is enough in place of all.
func Weaker(e Expr) []Change {
	var all changes
	all.weaken(e, true)
	return all
}

// Mutations returns changes of one literal, one operator or one operand. Operands that only guard others against fields
// that are not set stay. An expression that only asks whether fields are set is negated.
func Mutations(e Expr) []Change {
	var all changes
	all.mutate(e, "")
	if len(all) == 0 {
		all.add(e, Not(e))
	}
	return all
}

type changes []Change

func (all *changes) add(from, to Expr) { *all = append(*all, Change{from, to}) }

// function adds another function with the same arguments.
func (all *changes) function(e Expr, others map[string]string) {
	call := e.AsCall()
	switch other := others[call.FunctionName()]; {
	case other == "":
	case call.IsMemberFunction():
		all.add(e, Method(call.Target(), other, call.Args()...))
	default:
		all.add(e, Call(other, call.Args()...))
	}
}

// weaken adds the changes of a part. If it is not positive, the whole is true more often if the part is true less often.
func (all *changes) weaken(e Expr, positive bool) {
	junctor, others := operators.LogicalAnd, weaker
	if !positive {
		junctor, others = operators.LogicalOr, stronger
	}
	all.function(e, others)
	switch args, name := e.AsCall().Args(), e.AsCall().FunctionName(); name {
	case operators.LogicalNot:
		all.weaken(args[0], !positive)
	case operators.Conditional:
		all.weaken(args[1], positive)
		all.weaken(args[2], positive)
	case operators.LogicalAnd, operators.LogicalOr:
		if name == junctor {
			all.add(e, args[0])
			all.add(e, args[1])
		}
		all.weaken(args[0], positive)
		all.weaken(args[1], positive)
	case operators.All, operators.Exists:
		if loop, is := LoopOf(e); is {
			all.weaken(loop.Body[0], positive)
		}
	}
}

// mutate adds the changes of a part. within is the junctor that joins it with its neighbours.
func (all *changes) mutate(e Expr, within string) {
	all.literal(e)
	all.function(e, confused)
	call, inside := e.AsCall(), ""
	args := call.Args()
	switch name := call.FunctionName(); {
	case name == operators.Has || e.Kind() == ast.MapKind || e.Kind() == ast.StructKind:
		return
	case name == operators.LogicalAnd || name == operators.LogicalOr:
		if name != within {
			all.operands(e, name)
		}
		inside = name
	case name == operators.LogicalNot:
		all.add(e, args[0])
	case name == operators.In && args[1].Kind() == ast.ListKind:
		elements := args[1].AsList().Elements()
		for i := range elements {
			if rest := slices.Delete(slices.Clone(elements), i, i+1); len(rest) > 0 {
				all.add(args[1], List(rest...))
			}
		}
	case name == "size" && call.IsMemberFunction(): // in characters, or in bytes
		of := call.Target()
		if text := ArgsOf(of, "bytes"); len(text) == 1 {
			all.add(of, text[0])
		} else {
			all.add(of, Call("bytes", of))
		}
	}
	for _, part := range PartsOf(e) {
		all.mutate(part, inside)
	}
}

func (all *changes) literal(e Expr) {
	switch value := ValueOf(e).(type) {
	case int64:
		all.add(e, Literal(value-1))
		all.add(e, Literal(value+1))
	case float64:
		all.add(e, Literal(value-1))
		all.add(e, Literal(value+1))
	case string:
		all.add(e, Literal(value+"x"))
	}
}

// operands adds a conjunction or disjunction without each operand that is no guard of another one.
func (all *changes) operands(e Expr, junctor string) {
	operands := OperandsOf(e, junctor)
	for i, operand := range operands {
		rest := slices.Delete(slices.Clone(operands), i, i+1)
		if field := guarded(operand, junctor); field != "" &&
			slices.ContainsFunc(rest, func(other Expr) bool { return strings.Contains(String(other), field) }) {
			continue
		}
		all.add(e, joined(junctor, rest))
	}
}

// guarded returns the field that an operand guards: has(field) of a conjunction, !has(field) of a disjunction.
func guarded(operand Expr, junctor string) string {
	if junctor == operators.LogicalOr {
		not := ArgsOf(operand, operators.LogicalNot)
		if not == nil {
			return ""
		}
		operand = not[0]
	}
	if field := HasOf(operand); field != nil {
		return String(field)
	}
	return ""
}
