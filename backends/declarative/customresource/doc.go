// Package customresource validates the objects of a CustomResourceDefinition as the API
// server does, with everything around the schema: pruning, defaulting, conversion, type
// and metadata, and the subresources status and scale.
//
// [NewTarget] is all that a test needs. It takes the definition, as YAML or JSON, and the
// Go validator of its webhook, and gives the target for harness.For:
//
//	target, err := customresource.NewTarget(crdYAML, native.Func[*Widget](validate))
//
// The parts are available one by one. [New] reads a [Resource] from a definition.
// [NewScheme] makes the [Scheme] that prunes, defaults and converts objects and keeps of
// them what a subresource takes. [Compile] makes the [Validator] of one version; its
// methods return the errors of a request to the resource, its status or its scale.
//
// The package does not check whether the API server would store the definition; package
// structural does.
package customresource
