package infer

import (
	"strings"

	"github.com/diffrun/diffrun/internal/casecluster"
)

// right is a question for a right of the user, as a webhook asks it about every object: its verb, group, resource,
// subresource, namespace and name, in this order.
type right [6]template

// The parts of a right.
const (
	rightVerb = iota
	rightGroup
	rightResource
	rightSubresource
	rightNamespace
	rightName
)

// template is a text of constants and fields of an object.
type template []piece

// piece is a field or, if that is nil, a constant.
type piece struct {
	constant string
	field    place
}

// of returns the text for an object. A field that is not set is empty, as in Go.
func (t template) of(object map[string]any) string {
	var out strings.Builder
	for _, p := range t {
		text := p.constant
		if p.field != nil {
			value, _ := p.field.names().at(object)
			text, _ = value.(string)
		}
		out.WriteString(text)
	}
	return out.String()
}

// fields returns the fields that a template reads.
func (t template) fields() (all []place) {
	for _, p := range t {
		if p.field != nil {
			all = append(all, p.field)
		}
	}
	return all
}

// of returns the right that is asked for about an object.
func (r right) of(object map[string]any) casecluster.Right {
	return casecluster.Right{
		Verb: r[rightVerb].of(object), Group: r[rightGroup].of(object), Resource: r[rightResource].of(object),
		Subresource: r[rightSubresource].of(object), Namespace: r[rightNamespace].of(object), Name: r[rightName].of(object),
	}
}
