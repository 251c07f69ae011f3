// Package generate makes objects for the schema of a CustomResourceDefinition, and changes of objects.
//
// The result depends only on a [Source] of numbers: a random generator, the bytes of a fuzzer, or a
// seed. Zeros make the smallest objects. [Object] makes objects near the bounds of a schema: just valid
// or, on request, just invalid. [Vary] changes an object in a few places, [Mend] makes an object valid,
// and [Grow] makes valid objects of a wanted size.
package generate
