package cel

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Functions on lists (ext/lists.go of cel-go, which counts what they cost too), and label
// selectors.

// listCallCost is what a function costs that makes a list, beside its items.
const listCallCost = callCost + listCost

// distinct plans list.distinct() of texts, integers and bools.
func (p *planner) distinct(args []ast.Expr) step {
	value := p.step(args[0])
	if value == nil || len(args) != 1 {
		return nil
	}
	return func(m *machine) datum {
		d := value(m)
		if !d.isList() {
			return datum{}
		}
		n := m.size(&d)
		if n > 1<<15 || !m.charge(listCallCost+3*n*n) {
			return datum{}
		}
		made, at := m.newList()
		type scalar struct {
			kind datumKind
			n    int64
			s    string
		}
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
	}
}

// flatten plans list.flatten(), of one level.
func (p *planner) flatten(args []ast.Expr) step {
	value := p.step(args[0])
	if value == nil || len(args) != 1 {
		return nil
	}
	return func(m *machine) datum {
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
			switch {
			case item.kind == gaveUp:
				return datum{}
			case !item.isList():
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
	}
}

// concat plans list + list. A list of the object whose type says when items are the same
// is a union, and is left to cel-go.
func (p *planner) concat(args []ast.Expr) step {
	if len(args) != 2 || p.typeOf(args[0]).Kind() != types.ListKind || p.typeOf(args[1]).Kind() != types.ListKind {
		return nil
	}
	a, b := p.step(args[0]), p.step(args[1])
	if a == nil || b == nil {
		return nil
	}
	return func(m *machine) datum {
		m.cost += callCost
		lists := [2]datum{}
		lists[0], lists[1] = a(m), b(m)
		elem := lists[0].addsAs()
		made, at := m.newList()
		for i := range lists {
			d := &lists[i]
			if !d.isList() || (d.kind == aView && d.shape.ListType != Atomic) {
				return datum{}
			}
			for k := range int(m.size(d)) {
				item := m.at(d, k)
				if item.unknown() || i == 1 && elem != nil && !item.readAs(elem) {
					return datum{}
				}
				made = append(made, item)
			}
		}
		sum := m.keep(made, at)
		sum.shape = lists[0].shape
		return sum
	}
}

// addsAs is the shape by which a list of the object reads what is added to it (see
// listtype.go). A sum has the shape of the list that it began with, and a list that the rule
// wrote, which has its items as they are, has none.
func (d *datum) addsAs() *Shape {
	if d.isList() && d.shape != nil {
		return d.shape.Elem
	}
	return nil
}

// readAs makes an item one of a shape, unless that changes its value.
func (d *datum) readAs(s *Shape) bool {
	switch d.kind {
	case aText:
		return s.Kind == String || s.Kind == Dyn
	case anInt:
		return s.Kind == Int || s.Kind == Dyn
	case aDouble:
		return s.Kind == Double
	case aBool:
		return s.Kind == Bool
	case aView:
		d.shape = s
		return loads(d.v.Kind(), s)
	}
	return false
}

// slice plans list.slice(start, end).
func (p *planner) slice(args []ast.Expr) step {
	if len(args) != 3 {
		return nil
	}
	value, from, to := p.step(args[0]), p.step(args[1]), p.step(args[2])
	if value == nil || from == nil || to == nil {
		return nil
	}
	return func(m *machine) datum {
		d := value(m)
		start, end := from(m), to(m)
		if !d.isList() || start.kind != anInt || end.kind != anInt {
			return datum{}
		}
		n := m.size(&d)
		if start.n < 0 || end.n > n || start.n > end.n || !m.charge(listCallCost+n) {
			return datum{}
		}
		made, at := m.newList()
		for i := start.n; i < end.n; i++ {
			item := m.at(&d, int(i))
			if item.kind == gaveUp {
				return datum{}
			}
			made = append(made, item)
		}
		return m.keep(made, at)
	}
}

// selects plans labelSelector(selector).matches(set).
func (p *planner) selects(selector, set ast.Expr) test {
	s, labels := p.step(selector), p.step(set)
	if s == nil || labels == nil {
		return nil
	}
	return func(m *machine) truth {
		d := s(m)
		of := labels(m)
		if d.kind != aView || !of.isMap() || !m.charge(2*callCost) {
			return unsure
		}
		if t := m.matchesLabels(&d, &of); t != unsure {
			return t
		}
		matcher, ok := newSelector(m.toCEL(&d)).(labelSelector)
		if !ok {
			return unsure
		}
		matched, ok := matcher.Match(m.toCEL(&of)).(types.Bool)
		if !ok {
			return unsure
		}
		return truthOf(bool(matched))
	}
}

// matchesLabels decides about the selectors that nearly all are: some labels, and nothing
// else.
func (m *machine) matchesLabels(selector, set *datum) truth {
	want := datum{}
	for _, key := range m.read.Keys(selector.v) {
		v, _ := m.read.Field(selector.v, key)
		switch {
		case key == "matchLabels" && v.Kind() == view.Map:
			want = datum{kind: aView, v: v, shape: labelsShape()}
		case v.Kind() == view.Null && v.Typed():
		case key == "matchExpressions" && v.Kind() == view.List && m.read.Len(v) == 0:
		default:
			return unsure
		}
	}
	if want.kind != aView || m.read.Len(want.v) == 0 {
		return unsure
	}
	labels := m.entries(set)
	for _, v := range labels.Values {
		if set.shape.counts(v) && v.Kind() != view.String {
			return unsure
		}
	}
	result, all := yes, m.entries(&want)
	for i, key := range all.Keys {
		v := all.Values[i]
		if v.Kind() != view.String || !m.validLabel(key, v.Str()) {
			return unsure
		}
		if has, ok := labels.Find(key); !ok || has.Str() != v.Str() {
			result = no
		}
	}
	return result
}

func labelsShape() *Shape { return &Shape{Kind: Map, Elem: &Shape{Kind: String}} }

// validLabel says that a label can be in a selector.
func (m *machine) validLabel(key, value string) bool {
	known := called{"labelSelector " + value, key}
	if m.known[known] == types.True {
		return true
	}
	_, err := metav1.LabelSelectorAsSelector(&metav1.LabelSelector{MatchLabels: map[string]string{key: value}})
	if err == nil {
		m.note(known, types.True)
	}
	return err == nil
}
