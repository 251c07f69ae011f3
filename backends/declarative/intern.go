package declarative

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/cel"
)

// Schemas without references repeat themselves: a CRD writes the type of a filter in
// full wherever there is one, with its rules. Shapes that say the same are made one,
// so that a rule on them is compiled once.

// internShapes makes equal shapes one. Shapes of definitions are shared already, and
// may be cycles, so they are left alone.
func (c *compiler) internShapes() {
	if len(c.opts.Definitions) > 0 {
		return
	}
	in := &interner{known: map[string]*cel.Shape{}, done: map[*cel.Shape]*cel.Shape{}, numbers: map[*cel.Shape]int{}}
	for _, n := range c.nodes {
		c.shapes[n] = in.shape(c.shapes[n])
	}
}

type interner struct {
	known   map[string]*cel.Shape // by what they say
	done    map[*cel.Shape]*cel.Shape
	numbers map[*cel.Shape]int // of those that stay, to name them in keys
}

// shape gives the one shape that stays of all that are equal to s.
func (in *interner) shape(s *cel.Shape) *cel.Shape {
	if s == nil {
		return nil
	}
	if stays := in.done[s]; stays != nil {
		return stays
	}
	s.Elem = in.shape(s.Elem)
	for i := range s.Fields {
		s.Fields[i].Shape = in.shape(s.Fields[i].Shape)
	}
	key := in.key(s)
	stays := in.known[key]
	if stays == nil {
		stays = s
		in.known[key], in.numbers[s] = s, len(in.numbers)
	}
	in.done[s], in.done[stays] = stays, stays
	return stays
}

// key is all that a shape says, but its name.
func (in *interner) key(s *cel.Shape) string {
	var b strings.Builder
	bound := int64(-1)
	if s.Bound != nil {
		bound = *s.Bound
	}
	elem := -1
	if s.Elem != nil {
		elem = in.numbers[s.Elem]
	}
	fmt.Fprint(&b, s.Kind, s.Nullable, s.Opaque, " ", elem, s.ListType, bound, s.Bound == nil, s.Longest)
	for _, k := range s.Keys {
		fmt.Fprintf(&b, " %q", k)
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		fmt.Fprintf(&b, ";%q%d%t%t", f.Name, in.numbers[f.Shape], f.Required, f.StripsZero)
	}
	return b.String()
}
