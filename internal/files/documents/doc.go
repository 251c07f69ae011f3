// Package documents reads objects from manifests (YAML documents, JSON documents, and lists of either)
// and from streams of lines. Objects are JSON values (map[string]any, []any, string, bool, int64,
// float64, nil). Each has its line and those of its fields ([Document.LineOf]), or an error: a broken
// object does not hide those after it.
//
// A manifest is read as by kubectl. Content that kubectl ignores silently, such as a second JSON value
// in a YAML document, is an error here. [FindFiles] finds manifests in directories, and [CheckBounds]
// checks the limits of the API server.
package documents
