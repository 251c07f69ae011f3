package types

import (
	"github.com/google/cel-go/checker"
	"k8s.io/apiserver/pkg/cel"
)

// SizeEstimator limits the size of values to what fits into a request to the API server, as
// k8s.io/apiserver/pkg/cel/common/schemas.go does. The estimated worst case of a rule depends on
// it, and decides whether the rule is accepted.

// size is the size of a type. It is computed on first use.
type size struct {
	known    bool
	elements int64 // most items, entries or bytes
	bytes    int64 // fewest bytes in JSON
}

// MinBytes returns the least number of bytes that a value takes in JSON.
func (s *Type) MinBytes() int64 {
	s.measure()
	return s.size.bytes
}

// MaxElements returns the maximum number of items, entries or bytes of a value.
func (s *Type) MaxElements() int64 {
	s.measure()
	return s.size.elements
}

func (s *Type) measure() {
	if s.size.known {
		return
	}
	// A recursive type is at least as large as the smallest object.
	s.size = size{known: true, bytes: 2}
	const request = cel.DefaultMaxRequestSizeBytes
	switch s.Kind {
	case Dyn:
		s.size.bytes, s.size.elements = 1, s.text(request-2)
	case List:
		s.size.elements = s.bound((request - 2) / (s.Elem.MinBytes() + 1))
	case Map:
		s.size.elements = s.bound((request - 2) / (s.Elem.MinBytes() + 6))
	case Object:
		s.size.bytes = s.objectBytes()
	case String:
		s.size.bytes, s.size.elements = cel.MinStringSize, s.text(request-2)
	case Bytes:
		s.size.bytes, s.size.elements = cel.MinStringSize, s.bound(request-2)
	case Duration:
		s.size.bytes, s.size.elements = cel.MinDurationSizeJSON, cel.MaxDurationSizeJSON
	case Date:
		s.size.bytes, s.size.elements = cel.JSONDateSize, cel.JSONDateSize
	case DateTime:
		s.size.bytes, s.size.elements = cel.MinDatetimeSizeJSON, cel.MaxDatetimeSizeJSON
	case Bool:
		s.size.bytes = cel.MinBoolSize
	case Int, Double:
		s.size.bytes = cel.MinNumberSize
	}
}

func (s *Type) bound(otherwise int64) int64 {
	if s.Bound == nil {
		return otherwise
	}
	return max(*s.Bound, 0)
}

// text returns the maximum bytes of a string. A code point may take four.
func (s *Type) text(otherwise int64) int64 {
	switch {
	case s.Bound != nil:
		return s.bound(0) * 4
	case s.Longest > 0:
		return s.Longest
	}
	return otherwise
}

func (s *Type) objectBytes() int64 {
	total := int64(2)
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Required && f.Type.CEL() != nil {
			total += int64(len(f.Name)) + f.Type.MinBytes() + 4
		}
	}
	return total
}

// MaxCardinality returns how many values of the type fit into a request. That is how often a rule
// can run if the lists and maps around it have no maximum.
func (s *Type) MaxCardinality() uint64 {
	return uint64(cel.DefaultMaxRequestSizeBytes / (s.MinBytes() + 1))
}

// SizeEstimator tells CEL's cost estimation the maximum size of the parts of self.
type SizeEstimator struct{ Self *Type }

// EstimateSize implements checker.CostEstimator. The path of an element begins with self or
// oldSelf, which have the same type.
func (z SizeEstimator) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	path := element.Path()
	if len(path) == 0 {
		return nil
	}
	at := z.Self
	for _, step := range path[1:] {
		if at = at.step(step); at == nil {
			break
		}
	}
	if at == nil {
		return nil
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(at.MaxElements())}
}

func (s *Type) step(name string) *Type {
	switch name {
	case "@items", "@values":
		return s.Elem
	case "@keys":
		if s.Kind != Map {
			return nil
		}
		return &Type{Kind: None, size: size{known: true}}
	}
	if s.Kind != Object {
		return nil
	}
	// The API server looks up sizes by escaped names only. So a field with a reserved name that a
	// rule uses unescaped, such as self.namespace, has no size.
	if f := s.Field(name); f != nil && f.Ident == name && f.Type.CEL() != nil {
		return f.Type
	}
	return nil
}

// EstimateCallCost implements checker.CostEstimator.
func (SizeEstimator) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
