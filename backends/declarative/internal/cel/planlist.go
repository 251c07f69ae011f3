package cel

import "github.com/google/cel-go/common/ast"

// Functions on lists (ext/lists.go of cel-go, which counts what they cost too).

// listCallCost is what a function costs that makes a list, beside its items.
const listCallCost = callCost + listCost

// distinct plans list.distinct() of texts, integers and bools.
func (p *planner) distinct(_ ast.Expr, args []ast.Expr) planned {
	value := p.step(args[0])
	if value == nil || len(args) != 1 {
		return planned{}
	}
	type scalar struct {
		kind datumKind
		n    int64
		s    string
	}
	return planned{step: func(m *machine) datum {
		d := value(m)
		if !d.isList() {
			return datum{}
		}
		n := m.size(&d)
		if n > 1<<15 || !m.charge(listCallCost+3*n*n) {
			return datum{}
		}
		made, at := m.newList()
		seen := make(map[scalar]bool, n)
		for i := range int(n) {
			item := m.at(&d, i)
			if item.kind != aText && item.kind != anInt && item.kind != aBool {
				return datum{}
			}
			if is := (scalar{item.kind, item.n, item.s}); !seen[is] {
				seen[is] = true
				made = append(made, item)
			}
		}
		return m.keep(made, at)
	}}
}

// flatten plans list.flatten(), of one level.
func (p *planner) flatten(_ ast.Expr, args []ast.Expr) planned {
	value := p.step(args[0])
	if value == nil || len(args) != 1 {
		return planned{}
	}
	return planned{step: func(m *machine) datum {
		d := value(m)
		if !d.isList() {
			return datum{}
		}
		n := m.size(&d)
		if !m.charge(listCallCost + n) {
			return datum{}
		}
		made, at := m.newList()
		for i := range int(n) {
			item := m.at(&d, i)
			if !item.isList() {
				if item.kind == gaveUp {
					return datum{}
				}
				made = append(made, item)
				continue
			}
			for j := range int(m.size(&item)) {
				inner := m.at(&item, j)
				if inner.kind == gaveUp {
					return datum{}
				}
				made = append(made, inner)
			}
		}
		return m.keep(made, at)
	}}
}
