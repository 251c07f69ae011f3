// Package decl has the declared types of values: what rules see of a schema.
//
// The caller fills a Type from a schema. Provider tells the type checker of cel-go about it,
// and SizeEstimator tells the cost estimation how large a value can be.
package decl
