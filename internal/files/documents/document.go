package documents

import (
	"bytes"
	"iter"
	"path"
	"unicode"
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

// Manifest gives the objects of a file, with their numbers as kubectl sends them. Its decoder
// decides what they are (k8s.io/apimachinery/pkg/util/yaml): what begins with a brace is JSON, and
// if that ends after one value or none, the rest is YAML. A file named .json is JSON whatever it
// begins with. What that decoder passes over is an error here.
func Manifest(file string, data []byte) iter.Seq[Document] {
	return sent(objects(file, data, path.Ext(file) == ".json"))
}

// Stream is Manifest of a file whose name says nothing, as a pipe.
func Stream(file string, data []byte) iter.Seq[Document] {
	return sent(objects(file, data, false))
}

func objects(file string, data []byte, isJSON bool) iter.Seq[Document] {
	if isJSON || bytes.HasPrefix(bytes.TrimLeftFunc(withoutMark(data), unicode.IsSpace), []byte("{")) {
		return jsonOrYAML(file, data)
	}
	return YAML(file, data)
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

// withoutMark drops the byte order mark that some editors begin a file with. YAML knows
// it, and RFC 8259 lets who reads JSON pass over it.
func withoutMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }
