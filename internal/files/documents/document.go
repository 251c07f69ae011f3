package documents

import (
	"bytes"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"unicode"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// Document is one object of a file, or the reason why there is none.
type Document struct {
	// Line is the first line of the object, counted from one.
	Line int
	// Object is nil if there is none or if it is null. If the object has mistakes, it is the
	// part that could be read.
	Object map[string]any
	// Err has the mistakes, on one or more lines.
	Err error

	places func() *place // nil where there is no object
}

// Manifest returns the objects of a file, with the numbers that kubectl sends. It decides like
// kubectl's decoder (k8s.io/apimachinery/pkg/util/yaml): text that begins with a brace is JSON, and if
// the JSON ends after one value or none, the rest is YAML. A file named .json is always JSON. Content
// that the decoder ignores is an error.
func Manifest(file string, data []byte) iter.Seq[Document] {
	return sent(objects(file, data, path.Ext(file) == ".json"))
}

// One returns the one object of a file, which should be what is named. The error is a userfile.Mistakes.
func One(file string, data []byte, what string) (Document, error) {
	all := slices.Collect(Manifest(filepath.ToSlash(file), data))
	var mistakes strictyaml.Mistakes
	for _, one := range all {
		mistakes.Merge(file, one.Err)
	}
	if len(all) != 1 && len(mistakes) == 0 {
		mistakes.Addf(strictyaml.Position{File: file}, "expected one %s in this file, got %d", what, len(all))
	}
	if len(mistakes) > 0 {
		return Document{}, mistakes
	}
	return all[0], nil
}

// Stream is Manifest for a file whose name does not show the format, such as a pipe.
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

// withoutMark removes the byte order mark that some editors write. YAML allows it, and RFC 8259 lets
// JSON parsers ignore it.
func withoutMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }
