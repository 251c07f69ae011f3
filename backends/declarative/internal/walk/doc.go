// Package walk validates an object by a graph of compiled schemas.
//
// An object comes in, for an update with the old object (Validate). Out come the errors
// in canonical order. The walk visits the object twice: once for the schemas, once for
// the rules. It knows where it stands (frame), so it writes paths, finds old values and
// drops errors at unchanged values (KEP-4008); the checks of keywords know none of that.
package walk
