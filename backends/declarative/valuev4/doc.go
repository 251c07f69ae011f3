// Package valuev4 lets a caller that holds objects as values of
// structured-merge-diff v4, the version of Kubernetes up to 1.33, validate them
// with package declarative, which reads values of v6.
//
// [Of] shows a value of v4 as one of v6. The object is not copied: JSON data and
// typed Go objects are handed to v6 as they are, so validation is as fast as for a
// value that v6 made. v6 reads typed objects as encoding/json does; where v4 did
// not (omitzero before v4.7, the option inline on fields that are not embedded),
// the value shows what v6 reads. A value of another implementation is read
// through the interfaces of v4, and null in it means that a field is not set, as
// in a typed object.
package valuev4
