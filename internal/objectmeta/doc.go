// Package objectmeta fills in the metadata of the objects of a request as the API server does
// before it validates them: what it makes up, what it takes from the stored object, and what
// a client may not set.
//
// In goes the metadata of a typed object or of a document (metav1.Object), which the caller
// owns: it is changed in place. What the API server makes up, such as a uid, is a constant
// here, so that runs repeat.
//
// Left to others: the status and the generation of a new object, which belong to the strategy
// of a resource.
package objectmeta

import ()
