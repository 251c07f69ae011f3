package walk

import (
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
)

// text is the path of a frame as messages have it: the keys of a map are written
// like fields. At the root of the object such a key begins with a dot, as in
// kube-openapi.
func (w *walk) text(f *frame) string {
	return string(appendText(make([]byte, 0, 64), f))
}

func appendText(b []byte, f *frame) []byte {
	if f.step == graph.ToRoot {
		return b
	}
	b = appendText(b, f.parent)
	switch f.step {
	case graph.ToField:
		if len(b) > 0 {
			b = append(b, '.')
		}
		return append(b, f.name...)
	case graph.ToKey:
		return append(append(b, '.'), f.name...)
	}
	return appendIndex(b, f.index)
}

// field is the path of a frame as errors have it: as k8s.io/apimachinery's
// field.Path writes it, with the keys of a map in brackets. The root is "<nil>",
// like a nil field.Path.
func (w *walk) field(f *frame) string {
	if f.step == graph.ToRoot {
		return "<nil>"
	}
	return string(appendField(make([]byte, 0, 64), f))
}

func appendField(b []byte, f *frame) []byte {
	if f.step == graph.ToRoot {
		return b
	}
	b = appendField(b, f.parent)
	switch f.step {
	case graph.ToField:
		if len(b) > 0 {
			b = append(b, '.')
		}
		return append(b, f.name...)
	case graph.ToKey:
		b = append(b, '[')
		return append(append(b, f.name...), ']')
	}
	return appendIndex(b, f.index)
}

func appendIndex(b []byte, index int) []byte {
	b = append(b, '[')
	return append(strconv.AppendInt(b, int64(index), 10), ']')
}

// schemaField is the path of a schema error under CustomResources: the text, with
// the leading dot of a key at the root cut off. What is empty then, as where that key is,
// is written like the root.
func (w *walk) schemaField(f *frame) string {
	if path := strings.TrimPrefix(w.text(f), "."); path != "" {
		return path
	}
	return "<nil>"
}
