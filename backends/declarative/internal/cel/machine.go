package cel

import (
	"runtime"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// machine is what a plan runs on. It belongs to an Evaluator and is used again for
// each rule.
type machine struct {
	read *view.Reader
	// slots hold the variables: self, oldSelf, and those of loops.
	slots  []datum
	hasOld bool
	lists  [][]datum // that were made, to be used again
	args   []ref.Val // of calls, a stack

	used bool // since it forgot the last object
	made int  // of the lists, those in use

	// cost is at least what cel-go would count for what was done so far.
	cost int64
	// limit bounds cost. A plan that gets there gives up.
	limit int64
}

// charge notes what a step costs, and says whether the plan may go on.
func (m *machine) charge(cost int64) bool {
	m.cost += cost
	return m.cost <= m.limit
}

// newList gives room for a list that lives until the rule ends. keep gives it back.
func (m *machine) newList() (items []datum, at int) {
	if m.made == len(m.lists) {
		m.lists = append(m.lists, nil)
	}
	m.made++
	return m.lists[m.made-1][:0], m.made - 1
}

func (m *machine) keep(items []datum, at int) datum {
	m.lists[at] = items
	return datum{kind: aList, items: items}
}

// counts says that a value is an entry of a map of a shape: a nil in a typed map is none.
func (s *Shape) counts(v view.View) bool {
	return v.Kind() != view.Null || !v.Typed() || s.Elem.Nullable
}

// size is the number of entries, items or code points; -1 when the plan gives up.
func (m *machine) size(d *datum) int64 {
	switch d.kind {
	case aText:
		return runes(d.s)
	case aList:
		return int64(len(d.items))
	case aRef:
		if sizer, ok := d.ref.(traits.Sizer); ok {
			n, _ := sizer.Size().(types.Int)
			return int64(n)
		}
	case aView:
		if d.shape.Kind == List || (d.shape.Kind == Map && !d.v.Typed()) {
			return int64(m.read.Len(d.v))
		}
		if d.shape.Kind == Map {
			return m.sizeOfMap(d)
		}
		of := mapping{r: m.read, v: d.v, s: d.shape}
		if n, ok := of.Size().(types.Int); ok {
			return int64(n)
		}
	}
	return -1
}

// sizeOfMap is the number of entries that count.
func (m *machine) sizeOfMap(d *datum) int64 {
	n := int64(0)
	for _, v := range m.read.Entries(d.v).Values {
		if d.shape.counts(v) {
			n++
		}
	}
	return n
}

// at is an item of a list.
func (m *machine) at(d *datum, i int) datum {
	if d.kind == aList {
		return d.items[i]
	}
	v, _ := m.read.At(d.v, i)
	return load(v, d.shape.Elem)
}

// isList says that a datum has items.
func (d *datum) isList() bool {
	return d.kind == aList || (d.kind == aView && d.shape.Kind == List)
}

func (d *datum) isMap() bool { return d.kind == aView && d.shape.Kind == Map }

// equal compares. It gives up on what plans do not compare, and on values of
// different types.
func (m *machine) equal(a, b *datum) truth {
	if a.kind != b.kind {
		return unsure
	}
	switch a.kind {
	case aBool, anInt:
		return truthOf(a.n == b.n)
	case aDouble:
		return truthOf(a.float() == b.float())
	case aText:
		if !m.charge(int64(min(len(a.s), len(b.s)) / 10)) {
			return unsure
		}
		return truthOf(a.s == b.s)
	case anOptional:
		return m.equalOptionals(a, b)
	case aRef:
		if eq, ok := a.ref.Equal(b.ref).(types.Bool); ok {
			return truthOf(bool(eq))
		}
	case aView:
		if !m.charge(int64(min(m.read.Len(a.v), m.read.Len(b.v)) / 10)) {
			return unsure
		}
		return m.equalViews(a, b)
	}
	return unsure
}

func (m *machine) equalOptionals(a, b *datum) truth {
	if !a.set || !b.set {
		return truthOf(a.set == b.set)
	}
	x, y := *a, *b
	x.kind, y.kind = x.inner, y.inner
	return m.equal(&x, &y)
}

// equalViews leaves lists and maps to the values that cel-go sees: their list types
// decide what equality is.
func (m *machine) equalViews(a, b *datum) truth {
	if a.shape == b.shape && m.read.EqualBy(a.v, b.v, a.shape) {
		return yes
	}
	eq, ok := Value(m.read, a.v, a.shape).Equal(Value(m.read, b.v, b.shape)).(types.Bool)
	if !ok {
		return unsure
	}
	return truthOf(bool(eq))
}

// proves says that the plan of a rule finds it true, within the limit. An item that cannot
// be hashed (see listtype.go) is left to cel-go, which makes an error of it.
func (m *machine) proves(p *Program, val, old view.View, hasOld bool) (proven bool) {
	defer func() {
		if p := recover(); p != nil && !unhashable(p) {
			panic(p)
		}
	}()
	m.start(p, val, old, hasOld)
	return p.plan(m) == yes && m.cost <= m.limit
}

// unhashable says that a panic is Go's about the key of a map.
func unhashable(p any) bool {
	err, ok := p.(runtime.Error)
	return ok && strings.Contains(err.Error(), "hash of unhashable type")
}

// start makes the machine ready for a rule on a value.
func (m *machine) start(p *Program, val, old view.View, hasOld bool) {
	if len(m.slots) < p.slots {
		m.slots = make([]datum, max(p.slots, 16))
	}
	m.slots[selfSlot] = load(val, p.self)
	m.slots[oldSlot] = datum{}
	if m.hasOld = hasOld; hasOld {
		m.slots[oldSlot] = load(old, p.self)
	}
	m.used = true
	m.made, m.cost, m.limit = 0, 0, p.perCall
}

// forget lets go of the object.
func (m *machine) forget() {
	if !m.used {
		return
	}
	m.used = false
	clear(m.slots)
	for _, l := range m.lists {
		clear(l[:cap(l)])
	}
	clear(m.args[:cap(m.args)])
}
