package graph

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// The schema of a CustomResourceDefinition cannot refer to itself, so it writes the
// type of a container, a quantity or a selector in full wherever there is one. Equal
// schemas get one node: it is compiled once, and held once.
//
// Schemas with rules below them are left apart, because rules are counted and
// reported by their places, and so are branches of junctors, which belong to the
// schema around them.

// shared is the node of a schema, or that of an equal one that was compiled before.
func (c *compiler) shared(s *spec.Schema) *Node {
	in := c.parts(nil, s)
	key, comparable := appendOwn(c.key[:0], s)
	for i, part := range in.properties {
		key = appendString(key, in.names[i])
		key = appendPart(key, part, s.Properties[in.names[i]].Default != nil)
	}
	key = appendPart(appendPart(key, in.items, false), in.additional, false)
	c.key = key
	if n := c.same[string(key)]; comparable && n != nil {
		return n
	}
	mistakes, ignored := len(c.mistakes), len(c.ignored)
	n := c.newNode()
	c.fill(n, s, in)
	if comparable && mistakes == len(c.mistakes) && ignored == len(c.ignored) {
		c.same[string(key)] = n
	}
	return n
}

// appendPart appends which node a part has. A property with a default is not required to
// rules (see fields).
func appendPart(b []byte, part *Node, defaulted bool) []byte {
	if part == nil {
		return append(b, 0)
	}
	return binary.AppendVarint(append(b, 1+flag(defaulted)), int64(part.id))
}

// appendOwn appends all that a schema says, but what is in its parts. It is false for
// a schema that cannot be compared.
func appendOwn(b []byte, s *spec.Schema) ([]byte, bool) {
	if s.Ref.String() != "" || s.AdditionalItems != nil || len(s.PatternProperties) > 0 || len(s.Dependencies) > 0 || (s.Items != nil && s.Items.Schema == nil) {
		return b, false // what is wrong with it is to be said at each place
	}
	b = append(b,
		flag(s.Nullable)|flag(s.ExclusiveMaximum)<<1|flag(s.ExclusiveMinimum)<<2|flag(s.UniqueItems)<<3|
			flag(s.AdditionalProperties != nil)<<4|flag(s.AdditionalProperties != nil && s.AdditionalProperties.Allows)<<5,
		byte(len(s.Type)))
	b = binary.AppendUvarint(b, uint64(len(s.Properties)))
	for _, t := range s.Type {
		b = appendString(b, t)
	}
	b = appendString(appendString(b, s.Format), s.Pattern)
	for _, n := range [...]*float64{s.Maximum, s.Minimum, s.MultipleOf} {
		if b = append(b, flag(n != nil)); n != nil {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(*n))
		}
	}
	for _, n := range [...]*int64{s.MaxLength, s.MinLength, s.MaxItems, s.MinItems, s.MaxProperties, s.MinProperties} {
		if b = append(b, flag(n != nil)); n != nil {
			b = binary.AppendVarint(b, *n)
		}
	}
	b = appendStrings(b, s.Required)
	var ok bool
	if b, ok = appendEnum(b, s.Enum); !ok {
		return b, false
	}
	if b, ok = appendExtensions(b, s.Extensions); !ok {
		return b, false
	}
	return appendBranches(b, s)
}

func appendBranches(b []byte, s *spec.Schema) ([]byte, bool) {
	ok := true
	for _, branches := range [...][]spec.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		b = binary.AppendUvarint(b, uint64(len(branches)))
		for i := range branches {
			if b, ok = appendWhole(b, &branches[i]); !ok {
				return b, false
			}
		}
	}
	if s.Not == nil {
		return append(b, 0), true
	}
	return appendWhole(append(b, 1), s.Not)
}

// appendWhole appends all that a schema says. Branches are compared by it: they are
// small.
func appendWhole(b []byte, s *spec.Schema) ([]byte, bool) {
	b, ok := appendOwn(b, s)
	if !ok {
		return b, false
	}
	for _, name := range sortedNames(s.Properties) {
		p := s.Properties[name]
		b = append(appendString(b, name), flag(p.Default != nil))
		if b, ok = appendWhole(b, &p); !ok {
			return b, false
		}
	}
	if b = append(b, flag(s.Items != nil)); s.Items != nil {
		if b, ok = appendWhole(b, s.Items.Schema); !ok {
			return b, false
		}
	}
	if s.AdditionalProperties == nil || s.AdditionalProperties.Schema == nil {
		return append(b, 0), true
	}
	return appendWhole(append(b, 1), s.AdditionalProperties.Schema)
}

// appendEnum appends the values of an enum: scalars, as nearly all are. An empty one
// is a mistake of each place.
func appendEnum(b []byte, enum []any) ([]byte, bool) {
	if enum == nil {
		return append(b, 0), true
	}
	b = binary.AppendUvarint(b, uint64(len(enum)))
	ok := len(enum) > 0
	for _, value := range enum {
		b, ok = appendScalar(b, value, ok)
	}
	return b, ok
}

// appendExtensions appends the extensions of Kubernetes, in order. Rules, and whatever
// else is no scalar or list of scalars, cannot be compared.
func appendExtensions(b []byte, extensions spec.Extensions) ([]byte, bool) {
	if len(extensions) == 0 {
		return append(b, 0), true
	}
	var few [4]string
	names := few[:0]
	for name := range extensions {
		if strings.HasPrefix(name, "x-kubernetes-") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	b = binary.AppendUvarint(b, uint64(len(names)))
	ok := true
	for _, name := range names {
		b = appendString(b, name)
		list, isList := extensions[name].([]any)
		if !isList {
			b, ok = appendScalar(b, extensions[name], ok)
			continue
		}
		b = binary.AppendUvarint(append(b, 'l'), uint64(len(list)))
		for _, value := range list {
			b, ok = appendScalar(b, value, ok)
		}
	}
	return b, ok
}

// appendScalar appends a scalar, if all went well so far.
func appendScalar(b []byte, value any, ok bool) ([]byte, bool) {
	switch v := value.(type) {
	case nil:
		return append(b, 'n'), ok
	case string:
		return appendString(append(b, 's'), v), ok
	case bool:
		return append(b, 'b', flag(v)), ok
	case int64:
		return binary.AppendVarint(append(b, 'i'), v), ok
	case float64:
		return binary.LittleEndian.AppendUint64(append(b, 'f'), math.Float64bits(v)), ok
	}
	return b, false
}

// appendString appends a text with its length before it, so that it ends where it ends.
func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendStrings(b []byte, all []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(all)))
	for _, s := range all {
		b = appendString(b, s)
	}
	return b
}

func flag(set bool) byte {
	if set {
		return 1
	}
	return 0
}
