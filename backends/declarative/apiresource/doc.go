// Package apiresource validates the objects of a CustomResourceDefinition as the API
// server does, with everything around the schema: pruning, defaulting, conversion, type
// and metadata, and the subresources status and scale. Package customresource is its stable face.
//
// [New] reads a [Resource] from a definition, and [NewDefinition] makes its [Definition]. A [Request] to it
// goes through the stages of package serving: it is decoded (by a [Reader], which prunes and defaults),
// prepared (by a [Preparation], which keeps what a subresource takes) and validated (by a [Validator], whose
// methods return the errors of a request to the resource, its status or its scale), and stored. The
// [Scheme] of a definition takes the objects of the harness through the same stages, up to validation.
package apiresource
