package casefile

import (
	"iter"

	"go.yaml.in/yaml/v3"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

func (f *caseFile) path() string { return f.File }

func (f *caseFile) count() (int, bool) { return len(f.Cases), true }

func (f *caseFile) cases() iter.Seq2[harness.Case, error] {
	return func(yield func(harness.Case, error) bool) {
		for i := range f.Cases {
			if !yield(f.build(&f.Cases[i]), nil) {
				return
			}
		}
	}
}

// build returns a case of the file.
func (f *caseFile) build(e *fileCase) harness.Case {
	c := harness.Case{
		ID:           f.id + "#" + e.Name.Text,
		Source:       e.Position.String(),
		Why:          e.Why,
		Version:      e.Target.GroupVersionKind,
		Deletes:      e.Operation == string(admissionv1.Delete),
		Connects:     e.Operation == string(admissionv1.Connect),
		Subresource:  e.Subresource,
		Want:         e.Want.expected(),
		WantDecision: e.Want.decision,
	}
	if c.Version.Empty() {
		c.Version = f.Target.GroupVersionKind
	}
	if e.Request != nil {
		c.RequestName, c.RequestNamespace = e.Request.Name, e.Request.Namespace
	}
	if e.User != nil {
		c.User = &harness.User{Name: e.User.Name, Groups: e.User.Groups}
	}
	object, err := f.make(&e.New)
	if err != nil {
		c.Fault = Faultf("object: %w", err)
		return c
	}
	c.Object = object
	if e.Old != nil {
		old, err := f.make(e.Old)
		if err != nil {
			c.Fault = Faultf("old object: %w", err)
			return c
		}
		c.Old = old
	}
	for _, object := range e.Cluster {
		made, err := f.make(&recipe{Object: object})
		if err != nil {
			c.Fault = Faultf("cluster: %w", err)
			return c
		}
		c.Cluster = append(c.Cluster, documents.AsSent(made))
	}
	return c
}

// expected converts the list of errors. It returns nil without a list, and an empty list for an empty
// one.
func (w want) expected() []harness.ExpectedError {
	if w.node == nil {
		return nil
	}
	all := make([]harness.ExpectedError, len(w.errors))
	for i, want := range w.errors {
		all[i] = harness.ExpectedError{Type: field.ErrorType(want.Type), Field: want.Field, Detail: want.Detail}
	}
	return all
}

// make returns the object of a recipe.
func (f *caseFile) make(r *recipe) (map[string]any, error) {
	node := r.Object.node
	if node == nil {
		node = f.Objects[r.Object.name].node
	}
	object, err := read[map[string]any](f.File, node)
	if err != nil {
		return nil, err
	}
	switch {
	case r.Patch.node != nil:
		patch, err := read[map[string]any](f.File, r.Patch.node)
		if err != nil {
			return nil, err
		}
		return merge(object, patch).(map[string]any), nil
	case r.JSONPatch.node != nil:
		operations, err := read[[]any](f.File, r.JSONPatch.node)
		if err != nil {
			return nil, err
		}
		return applyJSONPatch(object, operations)
	}
	return object, nil
}

// read decodes a part of a case file as a document.
func read[Document any](file string, node *yaml.Node) (document Document, err error) {
	err = strictyaml.DecodeNode(file, node, &document)
	return document, err
}
