package declarative

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// ask asks the proof of the schema about the object: whether the walk would find
// anything wrong with it.
func (w *walk) ask() reply {
	if x, ok := w.root.val.Data(); ok {
		return w.fits(w.v.whole, x, 0)
	}
	return w.fitsView(w.v.whole, w.root.val, 0)
}

// fits asks a proof about JSON data. Go values that the Kubernetes decoders do not
// make are left to the walk.
func (w *walk) fits(p *proof, x any, depth int) reply {
	if !p.made.Load() {
		p.make()
	}
	a, kind := unsure, view.Null
	switch x := x.(type) {
	case string:
		a, kind = said(p.fitsText(x)), view.String
	case map[string]any:
		a, kind = w.fitsMap(p, x, depth), view.Map
	case []any:
		a, kind = w.fitsList(p, x, depth), view.List
	case int64:
		a, kind = said(p.fitsInt(x)), view.Int
	case bool:
		a, kind = fit, view.Bool
	case float64:
		a, kind = said(holds(p.floats, x)), view.Float
	case nil:
		a = fit
	default:
		return unsure
	}
	if p.fails[kind] {
		return unfit
	}
	if a != fit {
		return a
	}
	for _, ok := range p.values[kind] {
		if !ok(w, view.OfJSON(x)) {
			return unfit
		}
	}
	if p.simple {
		return fit
	}
	return w.joins(p, kind, func(p *proof) reply { return w.fits(p, x, depth) })
}

// fitsText counts code points only where the number of bytes says nothing about them.
func (p *proof) fitsText(text string) bool {
	if size := len(text); size > p.mostText || size < p.leastText*utf8.UTFMax {
		if points := utf8.RuneCountInString(text); points > p.mostText || points < p.leastText {
			return false
		}
	}
	return holds(p.texts, text)
}

func (p *proof) fitsInt(i int64) bool {
	return p.leastInt <= i && i <= p.mostInt && (len(p.ints) == 0 || holds(p.ints, i))
}

// anyText says that every text fits, so that it need not be known.
func (p *proof) anyText() bool {
	return len(p.texts) == 0 && p.leastText == 0 && p.mostText == math.MaxInt
}

func holds[T any](conditions []func(T) bool, x T) bool {
	for _, ok := range conditions {
		if !ok(x) {
			return false
		}
	}
	return true
}

// joins asks the further proofs of a value.
func (w *walk) joins(p *proof, kind view.Kind, fits func(*proof) reply) reply {
	for _, base := range p.also {
		if a := fits(base); a != fit {
			return a
		}
	}
	if kind == view.Null {
		return fit
	}
	for _, b := range p.all {
		if a := fits(b); a != fit {
			return a
		}
	}
	for _, branches := range p.any {
		if a := anyOf(branches, fits); a != fit {
			return a
		}
	}
	for _, branches := range p.one {
		if a := oneOf(branches, fits); a != fit {
			return a
		}
	}
	for _, b := range p.not {
		switch b.fits(fits) {
		case fit:
			return unfit
		case unsure:
			return unsure
		}
	}
	return fit
}

// fits: rules can refuse what fits a branch, but not the reverse.
func (b branch) fits(fits func(*proof) reply) reply {
	a := fits(b.proof)
	if a == fit && b.rules {
		return unsure
	}
	return a
}

func anyOf(branches []branch, fits func(*proof) reply) reply {
	all := unfit
	for _, b := range branches {
		switch b.fits(fits) {
		case fit:
			return fit
		case unsure:
			all = unsure
		}
	}
	return all
}

func oneOf(branches []branch, fits func(*proof) reply) reply {
	valid := 0
	for _, b := range branches {
		switch b.fits(fits) {
		case fit:
			valid++
		case unsure:
			return unsure
		}
	}
	return said(valid == 1)
}

func (w *walk) fitsMap(p *proof, m map[string]any, depth int) reply {
	if depth >= maxDepth {
		return unsure
	}
	if len(m) >= p.plenty {
		return w.fitsNames(p, m, depth)
	}
	lookups := p.order.Lookups(len(m))
	left, there := len(m), 0
	for at, i := range lookups {
		e := &p.entries[i]
		x, ok := m[e.name]
		if !ok {
			if left >= len(lookups)-at {
				lookups = lookups[:at]
				break
			}
			continue
		}
		a, counts := w.fitsPart(p, e, x, depth)
		if a != fit {
			return a
		}
		there += counts
		if left--; left == 0 {
			return said(there == len(p.required))
		}
	}
	return w.fitsRest(p, m, lookups, there, depth)
}

// fitsRest visits the entries of a map that were not looked up. there is how many are
// known to be there of those that are required.
func (w *walk) fitsRest(p *proof, m map[string]any, lookups []uint16, there, depth int) reply {
	p.order.Learn(m)
	for key, x := range m {
		e := &p.rest
		if i := p.names.Find(key); i >= 0 {
			if slices.Contains(lookups, uint16(i)) {
				continue
			}
			e = &p.entries[i]
		}
		a, counts := w.fitsPart(p, e, x, depth)
		if a != fit {
			return a
		}
		there += counts
	}
	return said(there == len(p.required))
}

// fitsNames looks for all entries that are known, which for a few is cheaper than to
// visit what is there. It ends when all are found.
func (w *walk) fitsNames(p *proof, m map[string]any, depth int) reply {
	left, there, entries := len(m), 0, p.entries
	for i := 0; i < len(entries) && left > 0; i++ {
		e := &entries[i]
		x, ok := m[e.name]
		if !ok {
			continue
		}
		left--
		// As in fitsPart, which is too long to be inlined.
		if p.closed && !e.declared {
			return unfit
		}
		if e.required && !(e.strips && w.zero(x)) {
			there++
		}
		if e.proof == nil || e.skips && w.zero(x) {
			continue
		}
		if _, text := x.(string); text && e.anyText {
			continue
		}
		if a := w.fits(e.proof, x, depth+1); a != fit {
			return a
		}
	}
	return said(there == len(p.required) && !(p.closed && left > 0))
}

// fitsPart asks about an entry of a map. there is 1 for one that is required.
func (w *walk) fitsPart(p *proof, e *entry, x any, depth int) (a reply, there int) {
	if p.closed && !e.declared {
		return unfit, 0
	}
	if e.required && !(e.strips && w.zero(x)) {
		there = 1
	}
	if e.proof == nil || e.skips && w.zero(x) {
		return fit, there
	}
	if _, text := x.(string); text && e.anyText {
		return fit, there
	}
	return w.fits(e.proof, x, depth+1), there
}

func (w *walk) zero(x any) bool {
	switch x := x.(type) {
	case nil:
		return true
	case string:
		return x == ""
	case bool:
		return !x
	case int64:
		return x == 0
	case float64:
		return x == 0
	case []any:
		return len(x) == 0
	case map[string]any:
		return len(x) == 0
	}
	return w.read.Zero(view.OfJSON(x))
}

func (w *walk) fitsList(p *proof, l []any, depth int) reply {
	if depth >= maxDepth {
		return unsure
	}
	if len(l) < p.atLeast || len(l) > p.atMost {
		return unfit
	}
	if p.item == nil {
		return fit
	}
	for _, x := range l {
		if _, text := x.(string); text && p.anyItem {
			continue
		}
		if a := w.fits(p.item, x, depth+1); a != fit {
			return a
		}
	}
	return fit
}
