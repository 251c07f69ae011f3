package walk

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel"
	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/internal/tally"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// frame is a value of the object and the path to it. The frames of a walk are a stack linked
// both ways: it is allocated once and reused, and a path is written only for an error.
type frame struct {
	parent, deeper *frame

	step  graph.Step
	name  string // of a field or key
	index int    // of an item

	val       view.View
	node      *graph.Node // what is being checked: the schema or a branch of it
	declaring *graph.Node // the schema of this value outside of all branches
	depth     int

	old oldValue // see ratchet.go
}

// partNode returns the schema that decides whether an entry is absent: the one outside all
// branches if it declares the entry.
func partNode(n, declaring *graph.Node, name string) *graph.Node {
	if p := declaring.Field(name); p != nil {
		return p
	}
	return n.Field(name)
}

// partNode returns the schema of an entry of this map.
func (f *frame) partNode(name string) *graph.Node { return partNode(f.node, f.declaring, name) }

// walk is the state of one validation. It is pooled.
type walk struct {
	v    *Validator
	opts *Options
	ctx  context.Context
	read *view.Reader
	root frame
	top  *frame

	updating      bool
	ratcheting    bool // errors at unchanged values are dropped
	skipUnchanged bool // rules that do not look at oldSelf are not run on unchanged values

	apart []view.Step // the way to the first difference of the objects, the last step first

	errs     []found
	failures int // including those that were not kept
	quiet    int // > 0: failures are counted, not kept
	score    int
	branches int // > 0: in a branch of a junctor
	tooDeep  bool

	at subject // of the check that runs

	cel     *cel.Evaluator
	stopped bool // the budget for rules is used up
	anyway  bool // rules run on an object that is wrong in other ways

	times map[view.Key]int // see duplicates

	tally *tally.Input // nil: nothing is counted
	rule  [1]tally.ID  // see countRule
}

func newWalk(v *Validator) *walk {
	w := &walk{v: v, opts: &v.opts, cel: cel.NewEvaluator(), times: map[view.Key]int{}}
	w.read = w.cel.Reader()
	if v.opts.Tally != nil {
		w.tally = v.opts.Tally.NewInput()
	}
	return w
}

// Validator validates objects by one graph. It is immutable and safe for concurrent use.
type Validator struct {
	root  *graph.Node
	opts  Options
	types view.Types
	walks sync.Pool // of *walk
}

// Options controls how objects are validated.
type Options struct {
	// CustomResource formats and ratchets errors as apiextensions-apiserver does.
	CustomResource bool
	// Ratcheting drops errors of an update at unchanged values (KEP-4008).
	Ratcheting bool
	// Blocking skips the rules after some errors (see BlocksRules).
	Blocking bool
	// Budget limits the total cost of all rules.
	Budget int64
	// Subresource is that of the request, "" for none.
	Subresource string
	// Tally counts what keywords and rules do. If nil, nothing is counted.
	Tally *tally.Tally
}

// New makes a validator of a compiled schema.
func New(root *graph.Node, opts Options) *Validator {
	v := &Validator{root: root, opts: opts}
	v.walks.New = func() any { return newWalk(v) }
	return v
}

// Validate returns the errors of obj, or of the update of old to obj, in canonical order.
func (v *Validator) Validate(ctx context.Context, obj, old value.Value) field.ErrorList {
	return v.validate(ctx, obj, old, false)
}

func (v *Validator) validate(ctx context.Context, obj, old value.Value, anyway bool) field.ErrorList {
	w := v.walks.Get().(*walk) // which a panic does not put back
	w.anyway = anyway
	w.start(ctx, v.root, obj, old)
	if w.run(); w.cel.Over() {
		w.start(ctx, v.root, obj, old)
		w.cel.Exact()
		w.run()
	}
	errs := w.finish()
	if w.tally != nil && !anyway { // what is run anyway is run on an input that was counted
		w.tally.Done(ctx)
	}
	v.walks.Put(w)
	return errs
}

func (w *walk) start(ctx context.Context, root *graph.Node, obj, old value.Value) {
	w.ctx = ctx
	deeper := w.root.deeper
	w.root = frame{deeper: deeper, val: w.v.types.Of(obj), node: root, declaring: root}
	w.updating = old != nil
	w.ratcheting = w.updating && w.opts.Ratcheting
	w.skipUnchanged = w.ratcheting && !w.opts.CustomResource
	if w.updating {
		w.root.old = oldValue{there: yes, val: w.v.types.Of(old)}
	}
	w.errs, w.failures, w.quiet, w.score, w.branches = w.errs[:0], 0, 0, 0, 0
	w.stopped, w.tooDeep = false, false
	if w.tally != nil {
		w.tally.Reset()
	}
	w.cel.Reset(w.opts.Budget)
}

// run validates the object by its schema and then by its rules.
func (w *walk) run() {
	w.enter(&w.root)
	w.ratchetLists()
	if w.v.root.HasRules && !w.tooDeep && !w.blocked() {
		w.applyRules(w.v.root, &w.root, nil)
	}
}

// enter validates the value of a frame and drops its errors if an update left it unchanged.
func (w *walk) enter(f *frame) {
	if f.depth > maxDepth {
		w.tooDeep = true
		site := keyword.Site{Origin: "depth"}
		if w.failed(&site) {
			w.report(f, &site, field.Error{
				Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{},
				Detail: fmt.Sprintf("is nested deeper than %d levels", maxDepth),
			})
		}
		return
	}
	failures, kept := w.failures, len(w.errs)
	w.apply(f.node, f)
	if w.failures > failures && w.ratchets(f) {
		w.drop(failures, kept)
	}
}

// apply checks the value of a frame and its parts against a node.
func (w *walk) apply(n *graph.Node, f *frame) {
	outer := f.node
	f.node = n
	kind := f.val.Kind()
	w.score += n.Score[kind]
	if check := n.Types[kind]; check != nil {
		w.checkType(check, f)
	}
	for _, c := range n.Checks[kind] {
		c.Check(w.subject(f))
	}
	if kind == view.Map {
		w.checkEntries(n, f)
	}
	if kind != view.Null { // as in kube-openapi, null only meets type and enum
		for i := range n.Junctors {
			w.join(&n.Junctors[i], f)
		}
	}
	for _, base := range n.Referenced {
		w.apply(base, f)
	}
	if (kind == view.Map && (n.Properties != nil || n.Additional != nil)) || (kind == view.List && n.Items != nil) {
		above := w.top
		w.top = f
		w.parts(f)
		w.top = above
	}
	f.node = outer
}

// parts validates the parts of a map or list. JSON data is read directly, typed objects
// through the reader.
func (w *walk) parts(f *frame) {
	if m, ok := f.val.Entries(); ok {
		for key, x := range m {
			w.Entry(key, view.OfJSON(x))
		}
		return
	}
	if l, ok := f.val.Items(); ok {
		for i, x := range l {
			w.Item(i, view.OfJSON(x))
		}
		return
	}
	if f.node == f.declaring && f.node.Additional == nil && w.branches == 0 && f.val.Kind() == view.Map {
		checked := f.node.Checked()
		if fields, ok := checked.In(f.val); ok {
			w.fields(checked, fields, f)
			return
		}
	}
	w.read.Each(f.val, w)
}

// fields validates the fields of a Go struct.
func (w *walk) fields(checked *graph.Parts, fields view.Fields, f *frame) {
	for set := fields.MaySet(); set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if v, ok := fields.Get(i); ok {
			part := &checked.All[i]
			w.entry(part.Node, part.Node, graph.ToField, part.Name, v, f)
		}
	}
}

// Entry validates one entry of the map at the top of the walk. The reader calls it.
func (w *walk) Entry(key string, v view.View) bool {
	f := w.top
	child, step := f.node.Properties[key], graph.ToField
	if child == nil {
		child, step = f.node.Additional, graph.ToKey
	}
	if child == nil {
		return true
	}
	part := child
	if f.node != f.declaring {
		if p := f.declaring.Field(key); p != nil {
			part = p
		}
	}
	w.entry(child, part, step, key, v, f)
	return true
}

// entry validates an entry against a node. part is the node that decides whether it is absent.
func (w *walk) entry(child, part *graph.Node, step graph.Step, key string, v view.View, f *frame) {
	if (v.Kind() == view.Null || part.StripZero) && w.absent(part, v) || w.unchecked(child, v, f) {
		return
	}
	in := w.push(f, child, v)
	in.step, in.name, in.declaring = step, key, part
	w.enter(in)
}

// Item validates one item of the list at the top of the walk. The reader calls it.
func (w *walk) Item(index int, v view.View) bool {
	f := w.top
	if w.unchecked(f.node.Items, v, f) {
		return true
	}
	in := w.push(f, f.node.Items, v)
	in.step, in.index = graph.ToItem, index
	if in.declaring = f.declaring.Item(); in.declaring == nil {
		in.declaring = in.node
	}
	w.enter(in)
	return true
}

// unchecked reports whether a value is a scalar without checks and rules, which needs no frame.
func (w *walk) unchecked(n *graph.Node, v view.View, in *frame) bool {
	kind := v.Kind()
	if !n.Idle(kind) || in.depth >= maxDepth {
		return false
	}
	w.score += n.Score[kind]
	return true
}

// push returns the frame of a part of f's value.
func (w *walk) push(f *frame, n *graph.Node, v view.View) *frame {
	in := f.deeper
	if in == nil {
		in = &frame{parent: f}
		f.deeper = in
	}
	in.parent, in.val, in.node, in.declaring, in.depth = f, v, n, n, f.depth+1
	if w.updating { // else nobody asks for it
		in.old = oldValue{}
	}
	return in
}

// part returns the frame of an entry or item that has only a path.
func (w *walk) part(f *frame, step graph.Step, name string, index int) *frame {
	in := w.push(f, f.node, view.View{})
	in.step, in.name, in.index = step, name, index
	return in
}

// maxDepth bounds the nesting of an object in levels, so a recursive schema cannot exhaust
// the stack.
const maxDepth = 1000

// ValidateAllRules is like Validate, but also runs rules on unchanged values. Tests compare the
// two.
func (v *Validator) ValidateAllRules(ctx context.Context, obj, old value.Value) field.ErrorList {
	w := newWalk(v)
	w.start(ctx, v.root, obj, old)
	w.skipUnchanged = false
	w.run()
	return w.finish()
}

// OverBudget reports whether the upper bound of the cost of an object's rules exceeds the budget.
// Validate then counts the exact cost.
func (v *Validator) OverBudget(ctx context.Context, obj value.Value) bool {
	w := newWalk(v)
	w.start(ctx, v.root, obj, nil)
	w.run()
	return w.cel.Over()
}
