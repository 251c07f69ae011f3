package walk

import (
	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
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
	node      *graph.Node // the schema or branch that is being checked
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

func (f *frame) parentFrame() *frame {
	if f.step == graph.ToRoot {
		return nil
	}
	return f.parent
}

// push returns the frame of a part of f's value.
func (w *walk) push(f *frame, n *graph.Node, v view.View) *frame {
	in := f.deeper
	if in == nil {
		in = &frame{parent: f}
		f.deeper = in
	}
	in.parent, in.val, in.node, in.declaring, in.depth = f, v, n, n, f.depth+1
	if w.updating { // otherwise it is not used
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
