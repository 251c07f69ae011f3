// Package names finds names that are known beforehand.
//
// What comes in are the names, once: the properties of a schema, the fields of a Go
// type. What comes out is a Table that gives the number of a name. It is an open
// hash table whose hash reads a few bytes only, and whose seed was chosen for its
// names, so that a name costs one comparison and what is none of them mostly costs
// none. An Order learns which of many names are worth looking up in a map before it is
// ranged over.
//
// Left to others: names that come and go, for which Go has maps.
package names
