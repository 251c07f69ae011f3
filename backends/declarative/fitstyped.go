package declarative

import (
	"sync"
	"sync/atomic"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// fitsView asks a proof about a value that is not JSON data.
func (w *walk) fitsView(p *proof, v view.View, depth int) reply {
	if !p.made.Load() {
		p.make()
	}
	kind := v.Kind()
	if p.fails[kind] {
		return unfit
	}
	if a := w.fitsKind(p, v, kind, depth); a != fit {
		return a
	}
	for _, ok := range p.values[kind] {
		if !ok(w, v) {
			return unfit
		}
	}
	if p.simple {
		return fit
	}
	return w.joins(p, kind, func(p *proof) reply { return w.fitsView(p, v, depth) })
}

// fitsKind asks what is asked of values of a kind.
func (w *walk) fitsKind(p *proof, v view.View, kind view.Kind, depth int) reply {
	switch kind {
	case view.Null, view.Bool:
		return fit
	case view.String:
		return said(p.anyText() || p.fitsText(v.Str()))
	case view.Int:
		return said(p.fitsInt(v.Int()))
	case view.Float:
		return said(holds(p.floats, v.Float()))
	case view.List:
		return w.fitsItems(p, v, depth)
	case view.Map:
		if depth >= maxDepth {
			return unsure
		}
		if t, ok := v.Struct(); ok {
			return w.fitsStruct(p, t, v, depth)
		}
		return w.fitsEntries(p, v, depth)
	}
	return unsure
}

func (w *walk) fitsItems(p *proof, v view.View, depth int) reply {
	if depth >= maxDepth {
		return unsure
	}
	size, slice := v.Slice()
	if !slice {
		size = w.read.Len(v)
	}
	if size < p.atLeast || size > p.atMost {
		return unfit
	}
	if p.item == nil {
		return fit
	}
	for i := range size {
		var x view.View
		if slice {
			x = v.ItemAt(i)
		} else {
			x, _ = w.read.At(v, i)
		}
		if a := w.fitsView(p.item, x, depth+1); a != fit {
			return a
		}
	}
	return fit
}

// fitsEntry asks about an entry of a map that is not JSON data. there says whether it
// counts as one that is required. A null is how Go leaves unset what has no omitempty
// (see absent).
func (w *walk) fitsEntry(e *entry, v view.View, depth int) (a reply, there bool) {
	null := v.Kind() == view.Null && v.Typed()
	if e.required {
		there = !(null && !e.counts) && !(!null && e.strips && w.read.Zero(v))
	}
	if e.proof == nil || null && !e.nulls || !null && e.skips && w.read.Zero(v) {
		return fit, there
	}
	return w.fitsView(e.proof, v, depth+1), there
}

// structs are what a proof asks of structs, by their Go types: mostly of one.
type structs struct {
	last  atomic.Pointer[structProof]
	known sync.Map // of *view.Type to *structProof
}

// structProof is what a proof asks of the fields of a Go type, without those of which
// nothing is asked.
type structProof struct {
	of     *view.Type
	fields []fieldEntry
}

type fieldEntry struct {
	*entry
	number int
}

// of is what a proof asks of a Go type.
func (s *structs) of(p *proof, t *view.Type) *structProof {
	if last := s.last.Load(); last != nil && last.of == t {
		return last
	}
	found, ok := s.known.Load(t)
	if !ok {
		found, _ = s.known.LoadOrStore(t, p.ofStruct(t))
	}
	made := found.(*structProof)
	s.last.Store(made)
	return made
}

func (p *proof) ofStruct(t *view.Type) *structProof {
	made := &structProof{of: t}
	for number := range t.Fields() {
		e := p.lookup(t.FieldName(number))
		if e.proof == nil && !e.required && (e.declared || !p.closed) {
			continue
		}
		if kind, ok := t.FieldKind(number); ok && !e.required && (e.declared || !p.closed) && e.proof.always(kind) {
			continue
		}
		made.fields = append(made.fields, fieldEntry{entry: e, number: number})
	}
	return made
}

// lookup is the entry of a name.
func (p *proof) lookup(name string) *entry {
	if i := p.names.Find(name); i >= 0 {
		return &p.entries[i]
	}
	return &p.rest
}

// always says that every value of a kind fits, which is not a map or list.
func (p *proof) always(kind view.Kind) bool {
	return len(p.node.checks[kind]) == 0 && len(p.node.also) == 0
}

func (w *walk) fitsStruct(p *proof, t *view.Type, v view.View, depth int) reply {
	there := 0
	for _, f := range p.structs.of(p, t).fields {
		x, ok := v.FieldAt(f.number)
		if !ok {
			continue
		}
		if p.closed && !f.declared {
			return unfit
		}
		a, counts := w.fitsEntry(f.entry, x, depth)
		if a != fit {
			return a
		}
		if counts {
			there++
		}
	}
	return said(there == len(p.required))
}

// fitsEntries asks about a map of Go.
func (w *walk) fitsEntries(p *proof, v view.View, depth int) reply {
	if !p.visited && len(p.required) == 0 {
		return fit
	}
	if w.deep == len(w.entries) {
		w.entries = append(w.entries, &entriesVisit{w: w})
	}
	visit := w.entries[w.deep]
	w.deep++
	visit.p, visit.depth, visit.there, visit.reply = p, depth, 0, fit
	w.read.Each(v, visit)
	w.deep--
	if visit.reply != fit {
		return visit.reply
	}
	return said(visit.there == len(p.required))
}

// entriesVisit asks about the entries of a map. It is used again for the next map at
// its depth.
type entriesVisit struct {
	w     *walk
	p     *proof
	depth int
	there int
	reply reply
}

// Entry asks about one entry.
func (e *entriesVisit) Entry(key string, v view.View) bool {
	at := e.p.lookup(key)
	if e.p.closed && !at.declared {
		e.reply = unfit
		return false
	}
	a, there := e.w.fitsEntry(at, v, e.depth)
	if there {
		e.there++
	}
	e.reply = a
	return a == fit
}

// Item is for lists, which are not visited this way.
func (e *entriesVisit) Item(int, view.View) bool { return false }
