package graph

import (
	"encoding/binary"

	"github.com/diffrun/diffrun/backends/declarative/cel"
)

// A CRD has no references, so it repeats whole types with their rules. Equal shapes are
// merged, so a rule that appears many times is compiled once.

// internShapes merges equal shapes. It leaves shapes of definitions alone: they are shared
// already and may form cycles.
func (c *compiler) internShapes(visible []*Node) {
	if len(c.opts.Definitions) > 0 {
		return
	}
	in := &interner{known: map[string]*cel.Shape{}, done: map[*cel.Shape]*cel.Shape{}, numbers: map[*cel.Shape]int{}}
	for _, n := range visible {
		c.shapes[n] = in.shape(c.shapes[n])
	}
}

type interner struct {
	known   map[string]*cel.Shape // by what they say
	done    map[*cel.Shape]*cel.Shape
	numbers map[*cel.Shape]int // of those that stay, to name them in keys
	buffer  []byte
}

// shape returns the representative of all shapes equal to s.
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
	stays := in.known[string(key)]
	if stays == nil {
		stays = s
		in.known[string(key)], in.numbers[s] = s, len(in.numbers)
	}
	in.done[s], in.done[stays] = stays, stays
	return stays
}

// key encodes everything about a shape except its name.
func (in *interner) key(s *cel.Shape) []byte {
	b := append(in.buffer[:0], byte(s.Kind), byte(s.ListType), flag(s.Nullable)|flag(s.Opaque)<<1|flag(s.Bound != nil)<<2)
	elem := -1
	if s.Elem != nil {
		elem = in.numbers[s.Elem]
	}
	b = binary.AppendVarint(b, int64(elem))
	if s.Bound != nil {
		b = binary.AppendVarint(b, *s.Bound)
	}
	b = binary.AppendVarint(b, s.Longest)
	b = appendStrings(b, s.Keys)
	for i := range s.Fields {
		f := &s.Fields[i]
		b = append(appendString(b, f.Name), flag(f.Required)|flag(f.StripsZero)<<1)
		b = binary.AppendVarint(b, int64(in.numbers[f.Shape]))
	}
	in.buffer = b
	return b
}
