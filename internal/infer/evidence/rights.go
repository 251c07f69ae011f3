package evidence

import (
	"strings"

	"github.com/diffrun/diffrun/internal/casecluster"
)

// Right is a question for a right of the user, as a webhook asks it about every object: its verb, group, resource,
// subresource, namespace and name, in this order.
type Right [6]Template

// The parts of a right.
const (
	RightVerb = iota
	RightGroup
	RightResource
	RightSubresource
	RightNamespace
	RightName
)

// Template is a text of constants and fields of an object.
type Template []Piece

// Piece is a field or, if that is nil, a constant.
type Piece struct {
	Constant string
	Field    Place
}

// Of returns the text for an object. A field that is not set is empty, as in Go.
func (t Template) Of(object map[string]any) string {
	var out strings.Builder
	for _, p := range t {
		text := p.Constant
		if p.Field != nil {
			value, _ := p.Field.Path().Get(object)
			text, _ = value.(string)
		}
		out.WriteString(text)
	}
	return out.String()
}

// Fields returns the fields that a template reads.
func (t Template) Fields() (all []Place) {
	for _, p := range t {
		if p.Field != nil {
			all = append(all, p.Field)
		}
	}
	return all
}

// of returns the right that is asked for about an object.
func (r Right) of(object map[string]any) casecluster.Right {
	return casecluster.Right{
		Verb: r[RightVerb].Of(object), Group: r[RightGroup].Of(object), Resource: r[RightResource].Of(object),
		Subresource: r[RightSubresource].Of(object), Namespace: r[RightNamespace].Of(object), Name: r[RightName].Of(object),
	}
}
