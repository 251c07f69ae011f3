package declarative

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync/atomic"

	"github.com/diffrun/diffrun/backends/declarative/internal/names"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Nearly all objects are valid, and to see that needs neither paths nor old values
// nor errors. So a schema is asked twice: a proof says whether the walk would find
// anything; the walk looks only if that is not excluded, and it alone makes errors.
// What a keyword means is said once: its check takes part in both.

// reply is what a proof replies about a value. Both fit and unfit are certain: the
// walk would count no failure, or at least one.
type reply uint8

const (
	unsure reply = iota
	unfit
	fit
)

// said is the reply of a check that always knows.
func said(fits bool) reply {
	if fits {
		return fit
	}
	return unfit
}

// pair is what a value is checked against and what declares it: a node, and the
// node outside of all branches (see frame.spine).
type pair struct{ node, spine *node }

// proof is what a pair asks, in the form that is cheapest to reply. It is made when
// the first value meets it, because most of a schema never sees one, and never
// changes then; what order learns changes no reply.
type proof struct {
	made atomic.Bool
	v    *Validator
	pair

	fails [view.Kinds]bool // no value of the kind fits

	leastText, mostText int // code points
	leastInt, mostInt   int64

	texts  []func(string) bool
	ints   []func(int64) bool
	floats []func(float64) bool
	values [view.Kinds][]func(*walk, view.View) bool // what is asked of a value as a whole

	atLeast, atMost int // items
	item            *proof
	anyItem         bool // if it is a text

	visited  bool // something is asked of the entries of a map
	closed   bool // names that are no properties do not fit
	required map[string]bool
	names    names.Table
	entries  []entry // by the number of the name
	rest     entry   // for all other names
	// In a map that has at least plenty entries all names are looked up, in others the
	// ones that order gives.
	plenty  int
	order   *names.Order
	structs structs // for typed objects

	simple bool     // there is nothing of the following
	also   []*proof // what else is asked of each value
	all    []*proof // and of each but null
	any    [][]branch
	one    [][]branch
	not    []branch
}

// entry is what is asked of an entry of a map.
type entry struct {
	name     string
	proof    *proof // nil: nothing
	declared bool   // it is a property
	anyText  bool   // every text fits, which is said here because most entries are texts
	skips    bool   // a zero value is not looked at
	nulls    bool   // nor is a null of a typed object, unless this is set
	required bool
	strips   bool // a zero value does not count as what is required
	counts   bool // nor does a null of a typed object, unless this is set
}

// branch is a branch of anyOf, oneOf or not. What rules say in it is not known to a
// proof.
type branch struct {
	proof *proof
	rules bool
}

func (p *proof) branches(nodes ...*node) []branch {
	all := make([]branch, len(nodes))
	for i, n := range nodes {
		all[i] = branch{proof: p.v.proof(pair{n, p.spine}), rules: n.hasRules}
	}
	return all
}

// proof gives the proof of a pair. The caller holds the lock of the proofs.
func (v *Validator) proof(of pair) *proof {
	p := v.proofs[of]
	if p == nil {
		p = &proof{v: v, pair: of}
		v.proofs[of] = p
	}
	return p
}

// rootProof is the proof of the whole schema.
func (v *Validator) rootProof() *proof {
	v.proving.Lock()
	defer v.proving.Unlock()
	if v.proofs == nil {
		v.proofs = map[pair]*proof{}
	}
	return v.proof(pair{v.root, v.root})
}

// asked is the proof, made.
func (p *proof) asked() *proof {
	if !p.made.Load() {
		p.make()
	}
	return p
}

// make fills in what the pair asks. The proofs below are only named.
func (p *proof) make() {
	p.v.proving.Lock()
	defer p.v.proving.Unlock()
	if p.made.Load() {
		return
	}
	p.atMost, p.mostText, p.required = math.MaxInt, math.MaxInt, map[string]bool{}
	p.leastInt, p.mostInt = math.MinInt64, math.MaxInt64
	for k := range view.Kinds {
		for _, c := range p.node.checks[k] {
			c.prove(p, k)
		}
	}
	for _, base := range p.node.also {
		p.also = append(p.also, p.v.proof(pair{base, p.spine}))
	}
	if items := p.node.items; items != nil {
		spine := p.spine.item()
		if spine == nil {
			spine = items
		}
		p.item = p.v.proof(pair{items, spine})
		p.anyItem = items.fitsAnyText()
	}
	p.makeEntries()
	p.simple = len(p.also)+len(p.all)+len(p.any)+len(p.one)+len(p.not) == 0
	p.made.Store(true)
}

// makeEntries enters the names that the pair knows.
func (p *proof) makeEntries() {
	all := maps.Clone(p.required)
	for name := range p.node.properties {
		all[name] = true
	}
	if p.closed || p.node.additional != nil {
		p.node.eachProperty(all)
		p.spine.eachProperty(all)
	}
	// What is required comes first: when all entries of a map are found, the search ends.
	known := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(compareFlags(p.required[a], p.required[b]), cmp.Compare(a, b))
	})
	p.names = names.Make(known)
	for _, name := range known {
		p.entries = append(p.entries, p.entry(name, p.required[name]))
	}
	if p.node.additional != nil {
		p.rest.enter(p, p.node.additional, p.spine.others())
	}
	p.search()
}

// search settles how the entries of a map are found.
func (p *proof) search() {
	p.visited = p.closed || len(p.node.properties) > 0 || p.node.additional != nil
	switch {
	case !p.visited:
		p.plenty = 0 // what is required is all that is asked
	case p.rest.proof != nil:
		p.plenty = math.MaxInt
	default:
		if p.plenty = names.Plenty(p.names.Len()); p.plenty > 0 {
			p.order = names.NewOrder(&p.names)
		}
	}
}

// compareFlags puts true before false.
func compareFlags(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// entry is what the walk does with an entry of a name (see Entry and requiredCheck).
func (p *proof) entry(name string, required bool) entry {
	e := entry{name: name, declared: p.node.property(name) != nil, required: required}
	child := p.node.properties[name]
	if child == nil {
		child = p.node.additional
	}
	if child != nil {
		e.enter(p, child, p.spine.field(name))
	}
	if part := cmp.Or(p.spine.field(name), p.node.field(name)); required && part != nil {
		e.strips, e.counts = part.stripZero, part.nullable
	}
	return e
}

// enter lets an entry be checked against a node.
func (e *entry) enter(p *proof, child, spine *node) {
	if p.node == p.spine || spine == nil {
		spine = child
	}
	e.skips, e.nulls = spine.stripZero, spine.nullable
	e.proof, e.anyText = p.v.proof(pair{child, spine}), child.fitsAnyText()
}

// eachProperty enters the names of the properties that are declared here or by what
// $ref names.
func (n *node) eachProperty(into map[string]bool) {
	for name := range n.properties {
		into[name] = true
	}
	for _, base := range n.also {
		base.eachProperty(into)
	}
}

// fitsAnyText says that nothing is asked of a text.
func (n *node) fitsAnyText() bool { return len(n.checks[view.String]) == 0 && len(n.also) == 0 }
