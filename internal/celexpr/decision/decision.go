package decision

import (
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// Decision is a condition with its atoms. It never changes.
type Decision struct {
	root  *node
	atoms []atom
	// known has the numbers of atoms by their text without the negation.
	known    map[string]int
	compiler *Compiler
	// Updates is true if the condition reads the object before an update: it has no value for a creation.
	Updates bool
}

// atom is a comparison or call, and the same in the loops around it.
type atom struct {
	expr, looped celexpr.Expr
	// operands are the sides of a comparison of values that depend on the objects alone.
	operands []cel.Program
}

// Side is a value of an atom.
type Side struct {
	// Atom is the number of the atom in the condition, from its beginning.
	Atom  int
	Value bool
}

// node is a part of a condition. There are no negations but those of leaves.
type node struct {
	kind  kind
	parts []*node // of a choice: the condition, then, otherwise; of a loop: its body
	// atom is the number of the atom of a leaf, opposite is true if the leaf is its negation.
	atom     int
	opposite bool
	// isPresence: the leaf asks whether a field is there.
	isPresence bool
	// value is the leaf, or the list or map of a loop; nil: it cannot be compiled.
	value cel.Program
	names []string // of a loop
}

type kind uint8

const (
	leaf   kind = iota
	all         // parts are joined by &&
	some        // parts are joined by ||
	choice      // ?:
	each        // all items of a loop
	anyOf       // an item of a loop
)

// Of returns a condition with its atoms. Those that cannot be compiled have no values.
func Of(condition celexpr.Expr) *Decision { return new(Compiler).Of(condition) }

// Of is like the function Of. Decisions of one compiler share the programs of equal parts.
func (c *Compiler) Of(condition celexpr.Expr) *Decision {
	d := &Decision{known: map[string]int{}, compiler: c}
	for part := range celexpr.Parts(condition) {
		d.Updates = d.Updates || part.AsIdent() == "oldSelf"
	}
	d.root = d.node(condition, false, nil)
	return d
}

// Sides returns the sides of all atoms.
func (d *Decision) Sides() []Side {
	var sides []Side
	for n := range d.atoms {
		sides = append(sides, Side{n, true}, Side{n, false})
	}
	return sides
}

// Atom returns the expression of an atom, and Looped the same within the loops around it: "self.items.exists(x, x.size > 3)" for
// "x.size > 3".
func (d *Decision) Atom(n int) celexpr.Expr   { return d.atoms[n].expr }
func (d *Decision) Looped(n int) celexpr.Expr { return d.atoms[n].looped }

// node takes a condition, or its opposite, apart. Around are the loops that it is in.
func (d *Decision) node(e celexpr.Expr, opposite bool, around []celexpr.Loop) *node {
	if not := celexpr.ArgsOf(e, operators.LogicalNot); not != nil {
		return d.node(not[0], !opposite, around)
	}
	if choices := celexpr.ArgsOf(e, operators.Conditional); choices != nil {
		return &node{kind: choice, parts: []*node{
			d.node(choices[0], false, around), d.node(choices[1], opposite, around), d.node(choices[2], opposite, around),
		}}
	}
	for operator, kinds := range map[string][2]kind{operators.LogicalAnd: {all, some}, operators.LogicalOr: {some, all}} {
		operands := celexpr.OperandsOf(e, operator)
		if len(operands) < 2 {
			continue
		}
		if operands = withoutGuards(operands, operator); len(operands) == 1 {
			return d.node(operands[0], opposite, around)
		}
		made := &node{kind: chosen(kinds, opposite)}
		for _, operand := range operands {
			made.parts = append(made.parts, d.node(operand, opposite, around))
		}
		return made
	}
	if made := d.loop(e, opposite, around); made != nil {
		return made
	}
	return d.leaf(e, opposite, around)
}

func chosen(kinds [2]kind, opposite bool) kind {
	if opposite {
		return kinds[1]
	}
	return kinds[0]
}

// loop returns a node for the macros all and exists; nil: it is none.
func (d *Decision) loop(e celexpr.Expr, opposite bool, around []celexpr.Loop) *node {
	kinds := map[string][2]kind{operators.All: {each, anyOf}, operators.Exists: {anyOf, each}}
	if e.Kind() != ast.CallKind || kinds[e.AsCall().FunctionName()] == [2]kind{} {
		return nil
	}
	loop, is := celexpr.LoopOf(e)
	if !is || len(loop.Body) != 1 {
		return nil
	}
	inner := append(slices.Clip(around), loop)
	return &node{
		kind:  chosen(kinds[loop.Function], opposite),
		value: d.compiler.program(loop.Over, around),
		names: loop.Names,
		parts: []*node{d.node(loop.Body[0], opposite, inner)},
	}
}

func (d *Decision) leaf(e celexpr.Expr, opposite bool, around []celexpr.Loop) *node {
	key, negated := canonical(e)
	n, known := d.known[key]
	if !known {
		n = len(d.atoms)
		d.known[key] = n
		d.atoms = append(d.atoms, atom{e, looped(e, around), d.operands(e, around)})
	}
	_, first := canonical(d.atoms[n].expr)
	return &node{
		atom:       n,
		opposite:   opposite != (negated != first),
		isPresence: celexpr.HasOf(e) != nil,
		value:      d.compiler.program(d.atoms[n].expr, around),
	}
}

func (d *Decision) operands(e celexpr.Expr, around []celexpr.Loop) (all []cel.Program) {
	left, _, right := celexpr.ComparisonOf(e)
	if left == nil || len(around) > 0 || right.Kind() == ast.LiteralKind {
		return nil
	}
	for _, operand := range []celexpr.Expr{left, right} {
		if program := d.compiler.program(operand, nil); program != nil {
			all = append(all, program)
		}
	}
	return all
}

// looped returns an expression within loops.
func looped(e celexpr.Expr, around []celexpr.Loop) celexpr.Expr {
	for _, loop := range slices.Backward(around) {
		var args []celexpr.Expr
		for _, name := range loop.Names {
			args = append(args, celexpr.Name(name))
		}
		e = celexpr.Method(loop.Over, operators.Exists, append(args, e)...)
	}
	return e
}

// canonical returns a text that is the same for an atom and for its negation, and whether it is the negation.
func canonical(e celexpr.Expr) (text string, negated bool) {
	opposites := map[string]string{
		operators.NotEquals: operators.Equals, operators.GreaterEquals: operators.Less, operators.Greater: operators.LessEquals,
	}
	if to := opposites[e.AsCall().FunctionName()]; to != "" {
		return celexpr.String(celexpr.Call(to, e.AsCall().Args()...)), true
	}
	return celexpr.String(e), false
}

// withoutGuards returns operands without those that only ask for what is around a field that another one asks for: of
// "has(self.a) && has(self.a.b)" the second. A field is absent if what is around it is.
func withoutGuards(operands []celexpr.Expr, operator string) []celexpr.Expr {
	field := func(operand celexpr.Expr) string {
		if operator == operators.LogicalOr {
			not := celexpr.ArgsOf(operand, operators.LogicalNot)
			if not == nil {
				return ""
			}
			operand = not[0]
		}
		if of := celexpr.HasOf(operand); of != nil {
			return celexpr.String(of) + "."
		}
		return ""
	}
	return slices.DeleteFunc(slices.Clone(operands), func(operand celexpr.Expr) bool {
		outer := field(operand)
		return outer != "" && slices.ContainsFunc(operands, func(other celexpr.Expr) bool {
			inner := field(other)
			return inner != outer && strings.HasPrefix(inner, outer)
		})
	})
}
