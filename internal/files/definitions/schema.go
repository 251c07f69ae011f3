package definitions

import (
	"encoding/json"
	"errors"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// Schema is an OpenAPI v3 schema in a file of its own.
type Schema struct {
	*spec.Schema
	File     string
	Document documents.Document
}

// ReadSchema reads a file with one schema. The error is a userfile.Mistakes.
func ReadSchema(file string, data []byte) (*Schema, error) {
	document, err := documents.One(file, data, "schema")
	if err != nil {
		return nil, err
	}
	if isDefinition(document) {
		at := strictyaml.Position{File: file}
		return nil, strictyaml.Mistakes{{Position: at, Message: "this is a CustomResourceDefinition; use it with --crd"}}
	}
	s := &Schema{File: file, Document: document}
	s.Schema, err = ToSchema(document.Object)
	return s, s.Placed(err)
}

// DefinitionsOf returns the schemas under the keyword definitions, which references name.
func DefinitionsOf(s *spec.Schema) map[string]*spec.Schema {
	if len(s.Definitions) == 0 {
		return nil
	}
	all := make(map[string]*spec.Schema, len(s.Definitions))
	for name, definition := range s.Definitions {
		all[name] = &definition
	}
	return all
}

// Placed adds lines to mistakes in the schema. See the function Placed.
func (s *Schema) Placed(err error) error { return Placed(s.File, s.Document, "", err) }

// ToSchema converts a JSON value, whose integers are int64, to a schema. Each unknown keyword is a
// *field.Error with its place in the schema.
func ToSchema(value any) (*spec.Schema, error) {
	written, isObject := value.(map[string]any)
	if !isObject {
		return nil, errors.New("a schema must be an object")
	}
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	read := &spec.Schema{}
	unread := json.Unmarshal(data, read)
	wrong := unknownKeywords(written)
	if unread != nil {
		wrong = append(wrong, wrongKinds(value, ofOpenAPI())...)
	}
	switch {
	case len(wrong) > 0:
		return nil, wrong.ToAggregate()
	case unread != nil:
		return nil, jsonerrors.Of(unread, "the schema")
	}
	exact(read, written)
	return read, nil
}
