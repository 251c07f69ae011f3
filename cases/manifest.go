package cases

import (
	"fmt"
	"io/fs"
	"iter"
	"path"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// manifest is a file of plain objects: one or more YAML documents, or what
// kubectl get prints as YAML or JSON. Each object is a create; the items of a
// list are objects of their own.
type manifest struct {
	fsys fs.FS
	name string
	id   string
}

func (manifest) count() (int, bool) { return 0, false }

func (s manifest) cases() iter.Seq2[harness.Case, error] {
	return func(yield func(harness.Case, error) bool) {
		data, err := fs.ReadFile(s.fsys, s.name)
		if err != nil {
			yield(harness.Case{}, err)
			return
		}
		objects := yamlObjects(s.name, data)
		if path.Ext(s.name) == ".json" {
			objects = jsonObjects(data)
		}
		for found := range objects {
			if !yield(s.build(found), nil) {
				return
			}
		}
	}
}

// found is an object of a manifest, or why there is none, at a line.
type found struct {
	line   int
	object map[string]any
	err    error
}

func (s manifest) build(f found) harness.Case {
	at := strictyaml.Position{File: s.name, Line: f.line}
	c := harness.Case{ID: fmt.Sprintf("%s:%d", s.id, f.line), Source: at.String()}
	switch {
	case f.err != nil:
		c.Fault = faultf("%w", f.err)
	case f.object == nil:
		c.Fault = faultf("no object but null")
	}
	if f.object == nil {
		return c
	}
	c.Object = f.object // of a broken one, what says its kind
	if name := nameOf(f.object); name != "" {
		c.ID = s.id + "#" + name
	}
	return c
}

// nameOf is "Pod default/web", the name that kubectl would use for an object;
// empty where it has none.
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
