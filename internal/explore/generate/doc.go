// Package generate makes random schemas of CustomResourceDefinitions, objects for a schema, and
// updates of objects, to compare validators and to measure them.
//
// The result depends only on a [Source] of numbers: a property test's, a fuzzer's bytes, or a seed.
// Zeros make the smallest schemas and objects. [Schema] makes structural schemas with every keyword
// that the API server knows, including CEL rules. [Object] makes objects near the bounds of a
// schema: just valid or, if requested, just invalid. [Update] changes an object in a few places,
// [Mend] makes an object valid, and [Grow] makes valid objects of a wanted size.
package generate
