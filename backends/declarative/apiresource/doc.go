// Package apiresource validates the objects of a CustomResourceDefinition as the API
// server does, with everything around the schema: pruning, defaulting, conversion, type
// and metadata, and the subresources status and scale. Package customresource is its stable face.
//
// [New] reads a [Resource] from a definition. [NewScheme] makes the [Scheme] that prunes, defaults and
// converts objects and keeps of them what a subresource takes. [Compile] makes the [Validator] of one
// version; its methods return the errors of a request to the resource, its status or its scale. A
// [Definition] has all of them.
package apiresource
