package graph

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Few places of a schema are ever named in a message. So a draft only links to the schema
// around it, and a path is written on demand.

// draft is one schema while it is compiled.
type draft struct {
	place
	in     int          // the draft that it is a part of, or noDraft
	node   *Node        // nil if the node of an equal schema is used
	schema *spec.Schema // that the node was made from, or nil
}

const noDraft = -1

// place locates a schema in the one around it: a keyword with a key or an index. The zero
// place is the root.
type place struct {
	keyword, key string
	index        int
	indexed      bool
	top          bool // in no other schema: a definition
}

// enter starts a draft and makes it current. It returns the draft that was current, for
// the caller to restore.
func (c *compiler) enter(s *spec.Schema, at place) (outer int) {
	outer = c.current
	c.drafts = append(c.drafts, draft{place: at, in: outer})
	c.current = len(c.drafts) - 1
	return outer
}

// newNode makes the node of the current draft, or of a new one inside it if the current
// one has a node.
func (c *compiler) newNode() *Node {
	if c.drafts[c.current].node != nil {
		outer := c.enter(nil, place{})
		defer func() { c.current = outer }()
	}
	n := &Node{id: int32(c.current), custom: c.opts.CustomResource}
	c.drafts[c.current].node = n
	return n
}

// schema returns the schema that a node was compiled from.
func (c *compiler) schema(n *Node) *spec.Schema { return c.drafts[n.id].schema }

// at returns the path of a draft, nil for the root.
func (c *compiler) at(id int) *field.Path {
	if id == noDraft {
		return nil
	}
	d := &c.drafts[id]
	var in *field.Path
	if !d.top {
		in = c.at(d.in)
	}
	switch {
	case d.keyword == "":
		return in
	case d.key != "" || d.keyword == "properties" || d.top:
		return in.Child(d.keyword).Key(d.key)
	case d.indexed:
		return in.Child(d.keyword).Index(d.index)
	}
	return in.Child(d.keyword)
}

// name returns the place of a node for messages.
func (c *compiler) name(n *Node) string { return text(c.at(int(n.id))) }

// text formats a place in the schema for messages.
func text(at *field.Path) string {
	if at == nil {
		return "the schema"
	}
	return at.String()
}

// parts are the nodes for the properties, entries and items of values.
type parts struct {
	names             []string // of the properties, sorted
	properties        []*Node
	additional, items *Node
}

// parts compiles the schemas of properties, entries and items. n may be nil outside
// branches.
func (c *compiler) parts(n *Node, s *spec.Schema) parts {
	var made parts
	if s.Items != nil && s.Items.Schema != nil {
		made.items = c.part(n, ToItem, "", s.Items.Schema)
	}
	if len(s.Properties) > 0 {
		made.names = sortedNames(s.Properties)
		made.properties = make([]*Node, len(made.names))
		var property *spec.Schema // it is large, so it is reused if nothing keeps it
		for i, name := range made.names {
			if property == nil {
				property = new(spec.Schema)
			}
			*property = s.Properties[name]
			at := len(c.drafts)
			if made.properties[i] = c.part(n, ToField, name, property); c.drafts[at].node != nil {
				property = nil
			}
		}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		made.additional = c.part(n, ToKey, "", s.AdditionalProperties.Schema)
	}
	return made
}

// part compiles the schema of a part of n's values.
func (c *compiler) part(n *Node, step Step, name string, s *spec.Schema) *Node {
	in := branchPlace{}
	if _, inBranch := c.within[n]; inBranch {
		in = branchPlace{of: n, step: step, name: name}
	}
	at := place{keyword: "properties", key: name}
	switch step {
	case ToItem:
		at.keyword = "items"
	case ToKey:
		at.keyword = "additionalProperties"
	}
	return c.node(s, at, in)
}
