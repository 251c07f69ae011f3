// Package generate makes objects for the schema of a CustomResourceDefinition, updates of objects,
// and random schemas. Tests compare validators with them, and benchmarks measure validators.
//
// The result depends only on a [Source] of numbers: a random generator, the bytes of a fuzzer, or a
// seed. Zeros make the smallest schemas and objects. [Schema] makes structural schemas with every
// keyword that the API server knows, including CEL rules. [Object] makes objects near the bounds of
// a schema: just valid or, on request, just invalid. [Update] changes an object in a few places,
// [Mend] makes an object valid, and [Grow] makes valid objects of a wanted size.
package generate
