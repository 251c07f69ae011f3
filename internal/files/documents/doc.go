// Package documents reads the objects that people keep in files.
//
// In goes the content of a manifest (YAML documents, JSON documents, lists of
// either) or a stream of lines. Out come the objects as values of JSON
// (map[string]any, []any, string, bool, int64, float64, nil), each with the line
// it stands at and those of its fields ([Document.LineOf]), or with what is
// wrong with it: one broken object does not hide those after it.
//
// What a manifest holds is what kubectl's decoder finds in it. What that passes over without
// a word, such as a second value of JSON in YAML, is an error here.
//
// [FindFiles] gives the manifests that a name means, of a file or of a directory.
//
// [CheckBounds] says whether an object is one that the API server would take by
// its size and depth.
//
// What an object means, and what becomes of one that is broken, is left to
// packages cases, validate and cmd/diffrun.
package documents
