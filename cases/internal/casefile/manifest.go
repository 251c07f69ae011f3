package casefile

import (
	"fmt"
	"io/fs"
	"iter"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// manifest is a file of plain objects: YAML documents, or the output of kubectl get as YAML or
// JSON. Each object, and each item of a list, is a create. An AdmissionReview is its request.
type manifest struct {
	fsys fs.FS
	name string
	id   string
}

func (s manifest) path() string { return s.name }

func (manifest) count() (int, bool) { return 0, false }

func (s manifest) cases() iter.Seq2[harness.Case, error] {
	return func(yield func(harness.Case, error) bool) {
		data, err := infile.Read(s.fsys, s.name)
		if err != nil {
			yield(harness.Case{}, err)
			return
		}
		for document := range documents.Manifest(s.name, data) {
			if !yield(s.build(document), nil) {
				return
			}
		}
	}
}

func (s manifest) build(d documents.Document) harness.Case {
	at := strictyaml.Position{File: s.name, Line: d.Line}
	c := harness.Case{ID: fmt.Sprintf("%s:%d", s.id, d.Line), Source: at.String()}
	switch {
	case d.Err != nil:
		c.Fault = Faultf("%w", d.Err)
	case d.Object == nil:
		c.Fault = Faultf("no object but null")
	}
	if d.Object == nil {
		return c
	}
	if isReview(d.Object) && d.Err == nil {
		return reviewed(c, d.Object)
	}
	c.Object = d.Object // the kind of a broken document
	if name := nameOf(d.Object); name != "" {
		c.ID = s.id + "#" + name
	}
	return c
}

// nameOf returns the name that kubectl uses for an object, such as "Pod default/web", or "".
func nameOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	kind, _ := object["kind"].(string)
	name, _ := metadata["name"].(string)
	namespace, _ := metadata["namespace"].(string)
	switch {
	case kind == "" || name == "":
		return ""
	case namespace == "":
		return kind + " " + name
	}
	return kind + " " + namespace + "/" + name
}
