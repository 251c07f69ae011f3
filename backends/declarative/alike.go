package declarative

import (
	"cmp"
	"math"
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/cel"
	"github.com/diffrun/diffrun/backends/declarative/internal/names"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Rules of custom resources are spared in lists and maps that did not change. To compare
// one costs about as much as to prove that it fits, which rules often do not, so it is
// compared only as far as its rules are worth: the effort is known beforehand.

const (
	// stepsPerValue is how many steps of rules take as long as the comparison of a value.
	stepsPerValue = 4
	// leastPatience is for how many values a comparison is begun.
	leastPatience = 32
)

// settledData is settled for JSON data whose schema is known to fit. Lists and maps with
// rules are compared, and what is in them is as they are. Objects mostly have a few rules
// that are cheaper.
func (w *walk) settledData(f *frame) bool {
	switch {
	case f.inSettled():
		f.old.same, f.old.filled = sameYes, f.parent.old.filled
	case f.old.same == sameUnknown && f.node == f.spine && !f.inItem():
		c := comparison{patience: worth(f) / stepsPerValue, filled: true, cost: f.node.sparing.cost}
		if w.patient {
			c.patience = math.MaxInt32
		}
		if c.patience < leastPatience || w.renewed() {
			break
		}
		old, ok := w.old(f)
		if !ok {
			break
		}
		x, _ := f.val.Data()
		if y, ok := old.Data(); ok && c.same(f.node.alike(), x, y) && w.cel.Spare(c.cost) {
			w.spent = true
			f.old.same, f.old.filled = sameYes, c.filled
		}
	}
	return f.old.same == sameYes
}

// renewed says that the generation of the object is another than that of the old one: the
// API server raises it with every change of the spec. To compare much would then most
// likely be in vain. It says nothing for sure, nor need it: rules that are not spared run.
func (w *walk) renewed() bool {
	if w.patient {
		return false
	}
	return generation(w.root.val) != generation(w.root.old.val)
}

// generation is metadata.generation of JSON data, nil where there is none.
func generation(of view.View) any {
	fields, _ := of.Entries()
	meta, _ := fields["metadata"].(map[string]any)
	if n, ok := meta["generation"].(int64); ok {
		return n
	}
	return nil
}

// inItem says that a value is in an item of a list, whose old value is dear to find.
func (f *frame) inItem() bool {
	for ; f.step != toRoot; f = f.parent {
		if f.step == toItem {
			return true
		}
	}
	return false
}

// worth is the effort of the rules that need not run when the value of a frame is the old
// one.
func worth(f *frame) int {
	size, part := 0, (*node)(nil)
	if l, ok := f.val.Items(); ok {
		size, part = len(l), f.node.items
	} else if m, ok := f.val.Entries(); ok {
		size, part = len(m), f.node.additional
	}
	own := f.node.sparing.own
	if part == nil {
		return own
	}
	own *= max(1, size/cel.Iterated)
	if part.sparing == nil {
		return own
	}
	return own + size*part.sparing.below
}

// likeness is how values of a node are compared.
type likeness struct {
	names  names.Table
	parts  []*node  // by the number of the name
	needed []bool   // likewise: rules need it
	costs  []uint64 // likewise: of the rules on its value that are spared
	needs  int      // how many those are
	rest   *node    // of all other names; nil: a map that has one is not the same
	item   *node
	keys   []string // by which items are found again

	restCost, itemCost uint64 // of the rules on their values that are spared

	lost bool // no two values are the same
}

// alike gives the likeness of a node that is outside of all branches.
func (n *node) alike() *likeness {
	if l := n.likeness.Load(); l != nil {
		return l
	}
	l := &likeness{item: n.item(), rest: n.others(), keys: n.mapKeys()}
	l.restCost, l.itemCost = l.rest.spareCost(), l.item.spareCost()
	var known []string
	for name := range n.properties {
		known = append(known, name)
	}
	// What is needed comes first, for it mostly is there: when all entries of a map are found,
	// the search ends.
	needs := func(name string) bool { return n.sparing != nil && slices.Contains(n.sparing.needed, name) }
	slices.SortFunc(known, func(a, b string) int { return cmp.Or(compareFlags(needs(a), needs(b)), cmp.Compare(a, b)) })
	l.names, l.lost = names.Make(known), len(n.also) > 0
	for _, name := range known {
		part := n.properties[name]
		l.parts, l.needed, l.costs = append(l.parts, part), append(l.needed, needs(name)), append(l.costs, part.spareCost())
		if needs(name) {
			l.needs++
		}
	}
	n.likeness.Store(l)
	return l
}

// spareCost is what the rules on a value that are spared can cost. A call costs less than
// its limit, so that sums for what fits into memory do not overflow.
func (n *node) spareCost() uint64 {
	if n == nil || n.sparing == nil {
		return 0
	}
	return n.sparing.cost
}

// comparison compares JSON data. It is done when its patience is.
type comparison struct {
	patience int
	filled   bool   // all is set that rules need
	cost     uint64 // what rules on the values can cost that are spared where they are the same
}

// same says that two values are surely the same, as walk.same has it.
func (c *comparison) same(l *likeness, x, y any) bool {
	switch x := x.(type) {
	case map[string]any:
		y, ok := y.(map[string]any)
		return ok && len(x) == len(y) && c.sameEntries(l, x, y)
	case []any:
		y, ok := y.([]any)
		return ok && len(x) == len(y) && c.sameItems(l, x, y)
	}
	return sameScalars(x, y)
}

func sameScalars(x, y any) bool {
	switch x := x.(type) {
	case string:
		y, ok := y.(string)
		return ok && x == y
	case int64:
		y, ok := y.(int64)
		return ok && x == y
	case bool:
		y, ok := y.(bool)
		return ok && x == y
	case float64:
		y, ok := y.(float64)
		return ok && x == y
	}
	return x == nil && y == nil
}

func (c *comparison) sameEntries(l *likeness, x, y map[string]any) bool {
	const saved = 4 // lookups for which a visit of a map can begin
	if c.patience -= len(x) + 2; c.patience < 0 || l.lost {
		return false
	}
	if l.rest == nil && len(l.parts) <= len(x)+saved {
		return c.sameNames(l, x, y)
	}
	there := 0
	for key, v := range x {
		old, ok := y[key]
		if !ok {
			return false
		}
		part, cost := l.rest, l.restCost
		if i := l.names.Find(key); i >= 0 {
			if part, cost = l.parts[i], l.costs[i]; l.needed[i] && v != nil {
				there++
			}
		}
		if part == nil || !c.samePart(part, cost, v, old) {
			return false
		}
	}
	c.filled = c.filled && there == l.needs
	return true
}

// sameNames looks for the fields that are declared, which for a few is cheaper than to
// visit what is there (see walk.fitsNames).
func (c *comparison) sameNames(l *likeness, x, y map[string]any) bool {
	found, there := 0, 0
	for i, part := range l.parts {
		if found == len(x) {
			break
		}
		name := l.names.Name(i)
		v, ok := x[name]
		if !ok {
			continue
		}
		found++
		old, ok := y[name]
		if !ok || !c.samePart(part, l.costs[i], v, old) {
			return false
		}
		if l.needed[i] && v != nil {
			there++
		}
	}
	c.filled = c.filled && there == l.needs
	return found == len(x)
}

// samePart compares what is in two maps at one place.
func (c *comparison) samePart(part *node, cost uint64, x, y any) bool {
	c.cost = saturating(c.cost, cost)
	switch x := x.(type) {
	case string:
		y, ok := y.(string)
		return ok && x == y
	case map[string]any, []any:
		return c.same(part.alike(), x, y)
	}
	return sameScalars(x, y)
}

// sameItems compares items in order. Those of a list of type map must have keys by which
// they are found again; that these are distinct is known, because the list fits.
func (c *comparison) sameItems(l *likeness, x, y []any) bool {
	if c.patience -= len(x) + 1; c.patience < 0 {
		return false
	}
	c.cost = saturating(c.cost, product(uint64(len(x)), l.itemCost))
	var part *likeness
	if l.item != nil {
		part = l.item.alike()
	}
	for i, v := range x {
		if l.keys != nil && !keyed(v, l.keys) {
			return false
		}
		switch v.(type) {
		case map[string]any, []any:
			if part == nil || !c.same(part, v, y[i]) {
				return false
			}
		default:
			if !sameScalars(v, y[i]) {
				return false
			}
		}
	}
	return true
}

// keyed says that an item has all its keys, and that they are scalars which are equal only
// where they are the same.
func keyed(item any, keys []string) bool {
	m, ok := item.(map[string]any)
	if !ok {
		return false
	}
	for _, key := range keys {
		switch m[key].(type) {
		case string, int64, bool:
		default:
			return false
		}
	}
	return true
}
