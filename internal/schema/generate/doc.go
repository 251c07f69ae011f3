// Package generate makes random schemas of CustomResourceDefinitions, objects for a
// schema, and updates of objects, to hold one validator against another and to
// measure them.
//
// What comes in is a [Source] of numbers: a property test's, a fuzzer's bytes, or a
// seed. What comes out depends on those numbers alone. A Source that gives only
// zeros gives the smallest schemas and objects.
//
//   - [Schema] makes structural schemas (KEP-2335) of all keywords that the API
//     server knows: types, nullable, int-or-string, preserve-unknown-fields, embedded
//     resources, bounds, patterns, formats, enums, list types, the junctors in the
//     form that is structural, and CEL rules that compile, of old objects too.
//   - [Object] makes objects for a schema, this package's or a real one. They sit on
//     the bounds: just valid, and where the options ask for faults just invalid, of
//     the wrong type, null, without what is required, with what is unknown, or twice
//     in a list that forbids it.
//   - [Update] changes an object in a few places.
//   - [Grow] makes objects of a wanted size that a validator finds valid.
//
// Left to others: comparing validators, and judging whether a schema would be
// stored.
package generate
