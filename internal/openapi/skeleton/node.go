package skeleton

// Node is the structure of one value. Everybody who compiled the schema shares it: do not change
// it.
type Node struct {
	// At is the place in the schema, as in "properties[spec].items".
	At string
	// Properties are the declared fields of an object. References are resolved.
	Properties map[string]*Node
	// Required are the names that "required" lists. They are not structure; a search for fields
	// finds these first.
	Required []string
	// AdditionalDeclared reports whether additionalProperties is present with any value: even
	// "false" prevents pruning (KEP-2332, example 5).
	AdditionalDeclared bool
	// Additional is the schema of additionalProperties. Nil: a boolean, or nothing.
	Additional *Node
	// Items is the schema of a list's items. Nil: there is none.
	Items *Node
	// Default is a JSON value. Nil: there is none.
	Default any

	Nullable  bool
	Preserve  bool // x-kubernetes-preserve-unknown-fields: true
	Embedded  bool // x-kubernetes-embedded-resource: true
	StripZero bool // x-kubernetes-strip-zero: true

	base *Node // what a $ref names, until it is resolved
}

// inherit takes over the structure of the target of a reference, unless the node has its own.
func (n *Node) inherit(base *Node) {
	if n.Properties == nil {
		n.Properties = base.Properties
	} else if len(base.Properties) > 0 {
		own := n.Properties
		n.Properties = make(map[string]*Node, len(own)+len(base.Properties))
		for name, p := range base.Properties {
			n.Properties[name] = p
		}
		for name, p := range own {
			n.Properties[name] = p
		}
	}
	if n.Required == nil {
		n.Required = base.Required
	}
	if !n.AdditionalDeclared {
		n.AdditionalDeclared, n.Additional = base.AdditionalDeclared, base.Additional
	}
	if n.Items == nil {
		n.Items = base.Items
	}
	if n.Default == nil {
		n.Default = base.Default
	}
	n.Nullable = n.Nullable || base.Nullable
	n.Preserve = n.Preserve || base.Preserve
	n.Embedded = n.Embedded || base.Embedded
	n.StripZero = n.StripZero || base.StripZero
}
