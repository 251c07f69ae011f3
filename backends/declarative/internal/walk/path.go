package walk

import (
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
)

// text returns the path of a frame as messages write it, with map keys like fields. A key
// at the root begins with a dot, as in kube-openapi.
func (w *walk) text(f *frame) string {
	return string(appendPath(make([]byte, 0, 64), f, ".", ""))
}

// field returns the path of a frame as field.Path of k8s.io/apimachinery writes it, with map
// keys in brackets. The root is "<nil>".
func (w *walk) field(f *frame) string {
	if f.step == graph.ToRoot {
		return "<nil>"
	}
	return string(appendPath(make([]byte, 0, 64), f, "[", "]"))
}

// appendPath appends the path of a frame. before and after enclose keys of maps.
func appendPath(b []byte, f *frame, before, after string) []byte {
	if f.step == graph.ToRoot {
		return b
	}
	b = appendPath(b, f.parent, before, after)
	switch f.step {
	case graph.ToField:
		if len(b) > 0 {
			b = append(b, '.')
		}
		return append(b, f.name...)
	case graph.ToKey:
		return append(append(append(b, before...), f.name...), after...)
	}
	return append(strconv.AppendInt(append(b, '['), int64(f.index), 10), ']')
}

// schemaField returns the field of a schema error of a custom resource: the path as messages
// write it, without a leading dot. An empty one is written like the root.
func (w *walk) schemaField(f *frame) string {
	if path := strings.TrimPrefix(w.text(f), "."); path != "" {
		return path
	}
	return "<nil>"
}
