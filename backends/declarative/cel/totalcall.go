package cel

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// call looks at operators and functions.
func (t *totality) call(x ast.Expr, given facts) known {
	c := x.AsCall()
	args := arguments(c)
	switch c.FunctionName() {
	case operators.LogicalAnd:
		return t.and(args[0], args[1], given)
	case operators.LogicalOr:
		return t.or(args[0], args[1], given)
	case operators.LogicalNot:
		k := t.look(args[0], given)
		k.yes, k.no = k.no, k.yes
		return k.only(k.plain)
	case operators.Conditional:
		return t.conditional(args, given)
	case operators.Index:
		return t.index(args, given)
	}
	all := make([]known, len(args))
	for i, arg := range args {
		if all[i] = t.look(arg, given); !all[i].total {
			return known{}
		}
	}
	switch c.FunctionName() {
	case operators.Equals, operators.NotEquals:
		return t.equality(x, all)
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return t.order(x, all)
	case operators.Add, operators.Subtract:
		return t.sum(x, all)
	case operators.In:
		return t.membership(args, all)
	}
	if !t.defined(c, args, all) {
		return known{}
	}
	k := known{total: true, plain: true}
	if c.FunctionName() == "size" {
		// No value in memory is larger, and sums of some such do not overflow.
		k.low, k.high, k.bounded = 0, 1<<40, true
	}
	return k
}

// and looks at both sides in both orders: an error on one side is none where the other
// is false.
func (t *totality) and(a, b ast.Expr, given facts) known {
	x, y, ok := t.sides(a, b, given, func(k known) facts { return k.yes })
	if !ok {
		return known{}
	}
	return known{total: true, plain: true, yes: x.yes.and(y.yes), no: x.no.or(y.no)}
}

func (t *totality) or(a, b ast.Expr, given facts) known {
	x, y, ok := t.sides(a, b, given, func(k known) facts { return k.no })
	if !ok {
		return known{}
	}
	return known{total: true, plain: true, yes: x.yes.or(y.yes), no: x.no.and(y.no)}
}

// sides looks at two sides of which each decides alone unless undecided holds of it.
// So one of them must be total, and the other only where the first does not decide.
func (t *totality) sides(a, b ast.Expr, given facts, undecided func(known) facts) (x, y known, ok bool) {
	needs := t.needs
	if x = t.look(a, given); x.total && x.plain {
		y = t.look(b, given.and(undecided(x)))
		if y.total && y.plain {
			return x, y, true
		}
	}
	t.needs = needs
	if y = t.look(b, given); y.total && y.plain {
		x = t.look(a, given.and(undecided(y)))
		return x, y, x.total && x.plain
	}
	return x, y, false
}

func (t *totality) conditional(args []ast.Expr, given facts) known {
	when := t.look(args[0], given)
	if !when.total || !when.plain {
		return known{}
	}
	a, b := t.look(args[1], given.and(when.yes)), t.look(args[2], given.and(when.no))
	k := known{
		total: a.total && b.total, plain: a.plain && b.plain,
		yes: when.yes.and(a.yes).or(when.no.and(b.yes)), no: when.yes.and(a.no).or(when.no.and(b.no)),
	}
	if a.bounded && b.bounded {
		k.low, k.high, k.bounded = min(a.low, b.low), max(a.high, b.high), true
	}
	return k
}

// index looks at list[0], where so many items are known to be there, and map[key], where
// the key is.
func (t *totality) index(args []ast.Expr, given facts) known {
	in, at := t.look(args[0], given), t.look(args[1], given)
	if !in.plain || !at.plain {
		return known{}
	}
	if in.shape == nil || in.shape.Elem == nil || in.shape.Elem.Nullable {
		return known{}
	}
	part := known{path: joined(in.path, keyName(args[1], at))}
	switch in.shape.Kind {
	case List:
		items, _ := given.find(in.path)
		if in.path == "" || !at.bounded || at.low < 0 || at.high >= items && !given.impossible {
			return known{}
		}
		part.way = wayTo(in, EachItem)
	case Map:
		if part.path == "" || !t.has(part, given) {
			return known{}
		}
		part.way = wayTo(in, EachValue)
	default:
		return known{}
	}
	return t.value(part, in.shape.Elem)
}

// keyName names the part of a map or list at a key or index: one that is written as a
// field would be, any other by its own name in brackets.
func keyName(key ast.Expr, at known) string {
	switch {
	case key.Kind() != ast.LiteralKind:
		if at.path == "" {
			return ""
		}
		return "[" + at.path + "]"
	case at.bounded:
		return "[" + strconv.FormatInt(at.low, 10) + "]"
	}
	text, ok := key.AsLiteral().(types.String)
	switch {
	case !ok:
		return ""
	case strings.ContainsFunc(string(text), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }):
		return strconv.Quote(string(text))
	}
	return string(text)
}

// scalar says that a value is one, or null: whatever it is compared with, it is equal or
// not.
func (t *totality) scalar(x ast.Expr, k known) bool {
	if k.shape != nil {
		switch k.shape.Kind {
		case Dyn, Bool, Int, Double, String:
			return k.total
		}
		return false
	}
	switch t.checked.GetType(x.ID()).Kind() {
	case types.BoolKind, types.IntKind, types.DoubleKind, types.StringKind, types.NullTypeKind:
		return k.total
	}
	return false
}

func (t *totality) equality(x ast.Expr, all []known) known {
	args := x.AsCall().Args()
	if !t.scalar(args[0], all[0]) || !t.scalar(args[1], all[1]) {
		return known{}
	}
	k := known{total: true, plain: true}
	same := t.sizes(args, all, 0, 0)
	if k.yes = same; x.AsCall().FunctionName() == operators.NotEquals {
		k.yes, k.no = facts{}, same
	}
	return k
}

// order looks at <, which is defined for two ints and two strings. Of doubles some have
// no order.
func (t *totality) order(x ast.Expr, all []known) known {
	args := x.AsCall().Args()
	a, b := t.checked.GetType(args[0].ID()).Kind(), t.checked.GetType(args[1].ID()).Kind()
	if !all[0].plain || !all[1].plain || a != b || (a != types.IntKind && a != types.StringKind) {
		return known{}
	}
	k := known{total: true, plain: true}
	switch x.AsCall().FunctionName() {
	case operators.Greater:
		k.yes, k.no = t.sizes(args, all, 1, -1), t.sizes(args, all, -1, 0)
	case operators.GreaterEquals:
		k.yes, k.no = t.sizes(args, all, 0, -1), t.sizes(args, all, -1, 1)
	case operators.Less:
		k.yes, k.no = t.sizes(args, all, -1, 1), t.sizes(args, all, 0, -1)
	case operators.LessEquals:
		k.yes, k.no = t.sizes(args, all, -1, 0), t.sizes(args, all, 1, -1)
	}
	return k
}

// sizes are the facts that follow when size(l) is at least the other side and more (left),
// or the other side is at least size(l) and more, as in 1 < size(l) (right). Less than
// none says that nothing follows.
func (t *totality) sizes(args []ast.Expr, all []known, left, right int64) facts {
	var found facts
	for i, more := range [...]int64{left, right} {
		other := all[1-i]
		of, ok := t.sized(args[i])
		if ok && more >= 0 && other.bounded && other.low >= 0 {
			found.all = append(found.all, fact{of, other.low + more})
		}
	}
	return found
}

// sized gives the name of the list whose size an expression is.
func (t *totality) sized(x ast.Expr) (path string, ok bool) {
	if !isCall(x, "size", 1) {
		return "", false
	}
	in := arguments(x.AsCall())[0]
	if t.checked.GetType(in.ID()).Kind() != types.ListKind {
		return "", false
	}
	return t.pathOf(in)
}

// pathOf is the name of an expression that was looked at already.
func (t *totality) pathOf(x ast.Expr) (path string, ok bool) {
	switch x.Kind() {
	case ast.IdentKind:
		path = t.vars[x.AsIdent()].path
		return path, path != ""
	case ast.SelectKind:
		in, ok := t.pathOf(x.AsSelect().Operand())
		return joined(in, x.AsSelect().FieldName()), ok && !x.AsSelect().IsTestOnly()
	}
	return "", false
}

// sum looks at texts that are joined, and at sums of what is bounded.
func (t *totality) sum(x ast.Expr, all []known) known {
	if !all[0].plain || !all[1].plain {
		return known{}
	}
	if t.checked.GetType(x.ID()).Kind() == types.StringKind {
		return known{total: true, plain: true}
	}
	k := known{total: true, plain: true, bounded: true}
	a, b := all[0], all[1]
	if x.AsCall().FunctionName() == operators.Add {
		k.low, k.high = a.low+b.low, a.high+b.high
	} else {
		k.low, k.high = a.low-b.high, a.high-b.low
	}
	const most = 1 << 60 // so that sums of what is bounded do not overflow here
	if !a.bounded || !b.bounded || k.low < -most || k.high > most {
		return known{}
	}
	return k
}

// membership looks at x in list and key in map.
func (t *totality) membership(args []ast.Expr, all []known) known {
	in := all[1]
	if !in.plain || !t.scalar(args[0], all[0]) {
		return known{}
	}
	k := known{total: true, plain: true}
	switch {
	case in.shape == nil:
		return k.only(t.scalars(args[1], in))
	case in.shape.Elem == nil:
		return known{}
	case in.shape.Kind == Map:
		if path := joined(in.path, keyName(args[0], all[0])); all[0].plain && path != "" {
			k.yes.all = []fact{{path, 0}}
		}
		return k.only(all[0].plain && t.value(known{}, in.shape.Elem).total && !in.shape.Elem.Nullable)
	}
	item := t.value(known{}, in.shape.Elem)
	return k.only(t.scalar(args[1], item) && !in.shape.Elem.Nullable)
}

func (k known) only(when bool) known {
	if !when {
		return known{}
	}
	return k
}

// scalars says that a list that the rule made has scalars alone in it.
func (t *totality) scalars(x ast.Expr, list known) bool {
	if list.elem != nil {
		return t.scalar(x, t.value(known{}, list.elem)) && !list.elem.Nullable
	}
	of := t.checked.GetType(x.ID()).Parameters()
	if len(of) != 1 {
		return false
	}
	return slices.Contains([]types.Kind{types.BoolKind, types.IntKind, types.DoubleKind, types.StringKind}, of[0].Kind())
}

// defined says that a function has a result for all values of its types. One is left out:
// split costs more at times than its estimate says.
func (t *totality) defined(c ast.CallExpr, args []ast.Expr, all []known) bool {
	for _, k := range all {
		if !k.plain {
			return false
		}
	}
	kinds := make([]types.Kind, len(args))
	for i, arg := range args {
		kinds[i] = t.checked.GetType(arg.ID()).Kind()
	}
	texts := !slices.ContainsFunc(kinds, func(k types.Kind) bool { return k != types.StringKind })
	switch c.FunctionName() {
	case "size":
		return len(args) == 1 && slices.Contains([]types.Kind{types.StringKind, types.ListKind, types.MapKind}, kinds[0])
	case "startsWith", "endsWith", "contains":
		t.affixes = t.affixes || isAffix(c.FunctionName())
		return texts && len(args) == 2
	case "lowerAscii", "upperAscii", "trim", "isURL", "isIP", "isCIDR", "isQuantity":
		return texts && len(args) == 1
	case "matches":
		if !texts || len(args) != 2 || args[1].Kind() != ast.LiteralKind {
			return false
		}
		text, ok := args[1].AsLiteral().(types.String)
		return ok && t.pattern(string(text))
	case "string":
		return len(args) == 1 && (kinds[0] == types.IntKind || kinds[0] == types.StringKind)
	}
	return false
}
