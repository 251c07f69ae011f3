package plan

import (
	"runtime"
	"strings"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Machine runs plans. It belongs to one goroutine and is used again for each rule.
type Machine struct {
	read *view.Reader
	// slots hold the variables: self, oldSelf, and those of loops.
	slots  []operand
	taken  int // the most slots of a plan since the last Forget
	hasOld bool
	args   []ref.Val // of calls, a stack

	// room has the short lists that a rule makes. No list is needed after its rule.
	room   []operand
	filled int // the most items in it since the last Forget

	used bool // since the last Forget

	// cost is an upper bound of what cel-go would count so far.
	cost int64
	// limit limits cost. A plan that exceeds it gives up.
	limit int64
}

// roomItems is how many items fit into the room of a machine: those of a few short lists.
const roomItems = 128

// list returns an empty list for a number of items.
func (m *Machine) list(size int) []operand {
	if m.room == nil {
		m.room = make([]operand, 0, roomItems)
	}
	start, end := len(m.room), len(m.room)+size
	if end > roomItems {
		return nil
	}
	m.room, m.filled = m.room[:end], max(m.filled, end)
	return m.room[start:start:end]
}

// charge adds the cost of a step and reports whether the plan may go on.
func (m *Machine) charge(cost int64) bool {
	m.cost += cost
	return m.cost <= m.limit
}

// size returns the number of entries, items or code points, or -1 if the plan gives up.
func (m *Machine) size(d *operand) int64 {
	switch d.kind {
	case aText:
		return runes(d.s)
	case aList:
		return int64(len(d.items))
	case aRef:
		if sizer, ok := d.ref.(traits.Sizer); ok {
			n, _ := sizer.Size().(celtypes.Int)
			return int64(n)
		}
	case aView:
		if d.typ.Kind == types.List || (d.typ.Kind == types.Map && !d.v.Typed()) {
			return int64(m.read.Len(d.v))
		}
		if n, ok := types.ValueOf(m.read, d.v, d.typ).(traits.Sizer).Size().(celtypes.Int); ok {
			return int64(n)
		}
	}
	return -1
}

// at reads an item of a list.
func (m *Machine) at(d *operand, i int, into *operand) {
	if d.kind == aList {
		*into = d.items[i]
		return
	}
	v, _ := m.read.At(d.v, i)
	into.load(v, d.typ.Elem)
}

// isList reports whether an operand has items.
func (d *operand) isList() bool {
	return d.kind == aList || (d.kind == aView && d.typ.Kind == types.List)
}

func (d *operand) isMap() bool { return d.kind == aView && d.typ.Kind == types.Map }

// equal compares two values. It gives up on values that plans do not compare and on different
// types.
func (m *Machine) equal(a, b *operand) truth {
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
		if eq, ok := a.ref.Equal(b.ref).(celtypes.Bool); ok {
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

func (m *Machine) equalOptionals(a, b *operand) truth {
	if !a.set || !b.set {
		return truthOf(a.set == b.set)
	}
	x, y := *a, *b
	x.kind, y.kind = x.inner, y.inner
	return m.equal(&x, &y)
}

// equalViews compares lists and maps as cel-go does, because equality depends on list types.
func (m *Machine) equalViews(a, b *operand) truth {
	if a.typ == b.typ && m.read.EqualBy(a.v, b.v, a.typ) {
		return yes
	}
	eq, ok := types.ValueOf(m.read, a.v, a.typ).Equal(types.ValueOf(m.read, b.v, b.typ)).(celtypes.Bool)
	if !ok {
		return unsure
	}
	return truthOf(bool(eq))
}

// NewMachine makes a Machine. The Views of the Reader must stay valid.
func NewMachine(r *view.Reader) *Machine {
	return &Machine{read: r}
}

// Cost returns an upper bound of the cost that cel-go counts for the rules whose plan ran last.
func (m *Machine) Cost() int64 { return m.cost }

// Proves reports whether the plan of a rule finds it true within the limit. It leaves an item
// that cannot be hashed (see package types) to cel-go, which reports an error. old is nil if there
// is no old value.
func (m *Machine) Proves(p *Plan, val, old *view.View) (proven bool) {
	defer func() {
		if p := recover(); p != nil && !unhashable(p) {
			panic(p)
		}
	}()
	m.start(p, val, old)
	return m.proves(&p.conditions) && m.cost <= m.limit
}

// unhashable reports whether a panic is that of a Go map about its key.
func unhashable(p any) bool {
	err, ok := p.(runtime.Error)
	return ok && strings.Contains(err.Error(), "hash of unhashable type")
}

// start makes the machine ready for a rule on a value.
func (m *Machine) start(p *Plan, val, old *view.View) {
	if len(m.slots) < p.slots {
		m.slots = make([]operand, max(p.slots, 16))
	}
	m.slots[selfSlot].load(*val, p.self)
	m.slots[oldSlot].giveUp()
	if m.hasOld = old != nil; m.hasOld {
		m.slots[oldSlot].load(*old, p.self)
	}
	m.used, m.taken, m.room = true, max(m.taken, p.slots), m.room[:0]
	m.cost, m.limit = 0, p.limit
}

// Forget releases the object.
func (m *Machine) Forget() {
	if !m.used {
		return
	}
	m.used = false
	clear(m.slots[:m.taken])
	m.taken = 0
	clear(m.room[:m.filled])
	m.filled = 0
	clear(m.args[:cap(m.args)])
}
