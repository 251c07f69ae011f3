package declarative

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/cel"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// frame is where a walk stands: one value of the object, with the way to it. The
// frames of a walk are a stack that is linked both ways, so that it is made once
// and used again for every value, and so that a path is only written when an
// error needs it.
type frame struct {
	parent, deeper *frame

	step  step
	name  string // of a field or key
	index int    // of an item

	val   view.View
	node  *node // what is being checked: the schema or a branch of it
	spine *node // the schema of this value outside of all branches
	depth int

	old oldValue // see ratchet.go
}

// step is how a frame is reached from its parent.
type step uint8

const (
	toRoot  step = iota
	toField      // a declared property
	toKey        // an entry that additionalProperties covers
	toItem
)

// partNode is the schema of an entry of a map that is checked against n: the one
// outside of all branches if there is one, because what strips zeros is said there.
func partNode(n, spine *node, name string) *node {
	if p := spine.field(name); p != nil {
		return p
	}
	return n.field(name)
}

// partNode is the schema of an entry of this map.
func (f *frame) partNode(name string) *node { return partNode(f.node, f.spine, name) }

// walk is the state of one Validate. It is pooled.
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

	errs     []found
	failures int // including those that were not kept
	quiet    int // > 0: failures are counted, not kept
	score    int
	branches int // > 0: in a branch of a junctor
	tooDeep  bool

	cel     *cel.Evaluator
	stopped bool // the budget for rules is used up
	anyway  bool // rules run on an object that is wrong in other ways

	times map[view.Key]int // see duplicates
}

func newWalk(v *Validator) *walk {
	w := &walk{v: v, opts: &v.opts, read: view.NewReader(value.NewFreelistAllocator()), times: map[view.Key]int{}}
	w.cel = cel.NewEvaluator()
	return w
}

// Validate validates obj, or the update of old to obj when old is not nil. Errors
// come in one order: by field, type, text and value. It is nil when obj is
// valid.
//
// The object is not changed. A typed object is read through value.NewValueReflect
// without a conversion; a nil slice, map or pointer in it counts as absent unless
// the schema is nullable there. A Go value that JSON has no counterpart for, such as a
// channel, is of no type that a schema accepts.
//
// No object makes Validate panic. A panic is a bug, or comes from a value.Value or a
// conversion of a Go type that panics itself. It is not recovered here, because an error
// would count as one of validation: Backend.Validate makes it a fault.
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
	v.walks.Put(w)
	return errs
}

func (w *walk) start(ctx context.Context, root *node, obj, old value.Value) {
	w.ctx = ctx
	deeper := w.root.deeper
	w.root = frame{deeper: deeper, val: w.v.types.Of(obj), node: root, spine: root}
	w.updating = old != nil
	w.ratcheting = w.updating && w.opts.Ratcheting == RatchetingOn
	w.skipUnchanged = w.ratcheting && w.opts.Semantics == NativeTypes
	if w.updating {
		w.root.old = oldValue{state: oldPresent, val: w.v.types.Of(old)}
	}
	w.errs, w.failures, w.quiet, w.score, w.branches = w.errs[:0], 0, 0, 0, 0
	w.stopped, w.tooDeep = false, false
	w.cel.Reset(w.opts.Limits.PerObject)
}

// run does the stages of a validation.
func (w *walk) run() {
	w.enter(&w.root)
	w.ratchetLists()
	if w.v.root.hasRules && !w.tooDeep && !w.blocked() {
		w.applyRules(w.v.root, &w.root, nil)
	}
}

// enter validates the value of a frame, and drops the errors at and below it when
// an update did not change it.
func (w *walk) enter(f *frame) {
	if f.depth > maxDepth {
		w.tooDeep = true
		if w.failed() {
			w.report(f, &site{origin: "depth"}, field.Error{
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

// apply checks the value of a frame, and what is in it, against a node.
func (w *walk) apply(n *node, f *frame) {
	outer := f.node
	f.node = n
	kind := f.val.Kind()
	w.score += n.score[kind]
	for _, c := range n.checks[kind] {
		c.check(w, f)
	}
	for _, base := range n.also {
		w.apply(base, f)
	}
	if (kind == view.Map && (n.properties != nil || n.additional != nil)) || (kind == view.List && n.items != nil) {
		above := w.top
		w.top = f
		w.parts(f)
		w.top = above
	}
	f.node = outer
}

// parts validates what is in a map or list: JSON data directly, which is most of
// what is validated, anything else through the reader.
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
	w.read.Each(f.val, w)
}

// Entry validates one entry of the map at the top of the walk. It is called by
// the reader.
func (w *walk) Entry(key string, v view.View) bool {
	f := w.top
	child, step := f.node.properties[key], toField
	if child == nil {
		child, step = f.node.additional, toKey
	}
	if child == nil {
		return true
	}
	part := child
	if f.node != f.spine {
		if p := f.spine.field(key); p != nil {
			part = p
		}
	}
	if (v.Kind() == view.Null || part.stripZero) && w.absent(part, v) || w.unchecked(child, v, f) {
		return true
	}
	in := w.push(f, child, v)
	in.step, in.name, in.spine = step, key, part
	w.enter(in)
	return true
}

// Item validates one item of the list at the top of the walk. It is called by the
// reader.
func (w *walk) Item(index int, v view.View) bool {
	f := w.top
	if w.unchecked(f.node.items, v, f) {
		return true
	}
	in := w.push(f, f.node.items, v)
	in.step, in.index = toItem, index
	if in.spine = f.spine.item(); in.spine == nil {
		in.spine = in.node
	}
	w.enter(in)
	return true
}

// unchecked says that nothing is asked of a scalar, so that it needs no frame.
func (w *walk) unchecked(n *node, v view.View, in *frame) bool {
	kind := v.Kind()
	if kind == view.Map || kind == view.List || len(n.checks[kind]) > 0 || len(n.also) > 0 || in.depth >= maxDepth {
		return false
	}
	w.score += n.score[kind]
	return true
}

// push makes the frame of a part of f's value.
func (w *walk) push(f *frame, n *node, v view.View) *frame {
	in := f.deeper
	if in == nil {
		in = &frame{parent: f}
		f.deeper = in
	}
	in.parent, in.val, in.node, in.spine, in.depth = f, v, n, n, f.depth+1
	if w.updating { // else nobody asks for it
		in.old = oldValue{}
	}
	return in
}

// child calls fn with the frame of an entry that is not there, for its path.
func (w *walk) child(f *frame, name string, fn func(*frame)) {
	in := w.push(f, f.node, view.View{})
	in.step, in.name = toField, name
	fn(in)
}

// item calls fn with the frame of an item, for its path.
func (w *walk) item(f *frame, index int, fn func(*frame)) {
	in := w.push(f, f.node, view.View{})
	in.step, in.index = toItem, index
	fn(in)
}
