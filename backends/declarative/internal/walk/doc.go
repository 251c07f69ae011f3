// Package walk validates objects by a graph of compiled schemas.
//
// Validate takes an object, and the old object for an update, and returns the errors in canonical
// order. The walk visits the object for the schemas, which also proves most rules, and again for the
// rules if one is not proven. It tracks its position (frame), so it can format paths, find old values
// and drop errors at unchanged values (KEP-4008). The checks of keywords see only the value.
package walk
