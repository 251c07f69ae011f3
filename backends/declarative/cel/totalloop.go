package cel

import (
	"fmt"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// loop looks at what macros expand to (see quantifier and comprehension of the planner).
func (t *totality) loop(c ast.ComprehensionExpr, given facts) known {
	if c.HasIterVar2() || c.AccuVar() == c.IterVar() {
		return known{}
	}
	over := t.look(c.IterRange(), given)
	if !over.plain {
		return known{}
	}
	item, in := t.item(c, over)
	if !item.total {
		return known{}
	}
	outer, shadows := t.vars[c.IterVar()]
	t.vars[c.IterVar()] = item
	defer func() {
		if delete(t.vars, c.IterVar()); shadows {
			t.vars[c.IterVar()] = outer
		}
	}()
	return t.body(c, given.and(in))
}

// item is what is known of the variable of a loop, and what holds in it.
func (t *totality) item(c ast.ComprehensionExpr, over known) (item known, in facts) {
	t.names++
	item.path = fmt.Sprintf("#%d", t.names)
	elem := over.elem
	switch {
	case over.shape != nil && over.shape.Kind == Map:
		item.total, item.plain = true, true
		if over.path != "" {
			in.all = []fact{{joined(over.path, "["+item.path+"]"), 0}}
		}
		return item, in
	case over.shape != nil:
		elem, item.way = over.shape.Elem, wayTo(over, EachItem)
	case elem != nil:
		item.way = over.way
	default: // a list that the rule wrote, or made of scalars
		item.plain = t.scalars(c.IterRange(), over)
		item.total = item.plain
		return item, in
	}
	if elem == nil || elem.Nullable {
		return known{}, in
	}
	return t.value(item, elem), in
}

// body looks at the step of a loop, by the macro that it is of.
func (t *totality) body(c ast.ComprehensionExpr, given facts) known {
	k, init, step := known{total: true, plain: true}, c.AccuInit(), c.LoopStep()
	good := func(x ast.Expr) bool { l := t.look(x, given); return l.total && l.plain }
	accu := func(x ast.Expr) bool { return isIdent(x, c.AccuVar()) }
	switch {
	case isLiteral(init, true) && isCall(step, operators.LogicalAnd, 2), isLiteral(init, false) && isCall(step, operators.LogicalOr, 2):
		args := step.AsCall().Args()
		return k.only(accu(c.Result()) && accu(args[0]) && good(args[1]))
	case isLiteral(init, int64(0)) && isCall(step, operators.Conditional, 3) && isCall(c.Result(), operators.Equals, 2):
		args, result := step.AsCall().Args(), c.Result().AsCall().Args()
		counts := isCall(args[1], operators.Add, 2) && accu(args[1].AsCall().Args()[0]) && isLiteral(args[1].AsCall().Args()[1], int64(1))
		return k.only(counts && accu(args[2]) && accu(result[0]) && isLiteral(result[1], int64(1)) && good(args[0]))
	}
	if init.Kind() != ast.ListKind || init.AsList().Size() > 0 || !isLiteral(c.LoopCondition(), true) || !accu(c.Result()) {
		return known{}
	}
	if isCall(step, operators.Conditional, 3) {
		args := step.AsCall().Args()
		when := t.look(args[0], given)
		if !when.total || !when.plain || !accu(args[2]) {
			return known{}
		}
		step, given = args[1], given.and(when.yes)
	}
	added, ok := isAppend(step, c.AccuVar())
	if !ok {
		return known{}
	}
	if isIdent(added, c.IterVar()) {
		item := t.vars[c.IterVar()]
		k.elem, k.way = item.shape, item.way
		return k
	}
	return k.only(good(added))
}
