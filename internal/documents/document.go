package documents

import (
	"bytes"
	"iter"
	"path"
)

// Document is one object of a file, or why there is none.
type Document struct {
	// Line is where the object begins; lines count from one.
	Line int
	// Object is nil when there is none, or null. Of one with mistakes it is
	// what could be read.
	Object map[string]any
	// Err says on one or more lines what is wrong with it.
	Err error

	places func() *place // nil where there is no object
}

// Manifest gives the objects of a file by its name, with their numbers as kubectl sends them:
// .json is JSON, all else YAML.
func Manifest(file string, data []byte) iter.Seq[Document] {
	if path.Ext(file) == ".json" {
		return sent(JSON(data))
	}
	return sent(YAML(file, data))
}

func sent(all iter.Seq[Document]) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		for document := range all {
			if document.Object != nil {
				document.Object = AsSent(document.Object)
			}
			if !yield(document) {
				return
			}
		}
	}
}

// Stream gives the objects of a file whose name says nothing, as a pipe: what
// begins with a brace is JSON, as kubectl has it, all else YAML.
func Stream(file string, data []byte) iter.Seq[Document] {
	if bytes.HasPrefix(bytes.TrimLeft(withoutMark(data), " \t\r\n"), []byte("{")) {
		return sent(JSON(data))
	}
	return sent(YAML(file, data))
}

// withoutMark drops the byte order mark that some editors begin a file with. YAML knows
// it, and RFC 8259 lets who reads JSON pass over it.
func withoutMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }
