package cases

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// kindsKeyword is the extension with the kinds of a definition.
const kindsKeyword = "x-kubernetes-group-version-kind"

// openAPIDocument is an OpenAPI document of version 2 or 3.
type openAPIDocument struct {
	file     string
	document documents.Document
	path     string // of the schemas
	schemas  map[string]*spec.Schema
}

// readOpenAPI decodes a document. The error is a userfile.Mistakes.
func readOpenAPI(file string, data []byte) (*openAPIDocument, error) {
	one, err := documents.One(file, data, "OpenAPI document")
	if err != nil {
		return nil, err
	}
	var mistakes strictyaml.Mistakes
	at := strictyaml.Position{File: file}
	d := &openAPIDocument{file: file, document: one, schemas: map[string]*spec.Schema{}}
	written, isObject := one.Object["definitions"].(map[string]any)
	d.path = "definitions"
	if !isObject {
		components, _ := one.Object["components"].(map[string]any)
		written, isObject = components["schemas"].(map[string]any)
		d.path = "components.schemas"
	}
	if !isObject {
		mistakes.Addf(at, "this is not an OpenAPI document: it has no schemas under components.schemas (version 3) or "+
			"definitions (version 2)")
		return nil, mistakes
	}
	for _, name := range slices.Sorted(maps.Keys(written)) {
		read, err := definitions.ToSchema(written[name])
		if err != nil {
			mistakes.Merge(file, definitions.Placed(file, d.document, d.path+"."+name, err))
			continue
		}
		d.schemas[name] = read
	}
	return d, mistakes.Err()
}

// mistake returns a mistake at a definition.
func (d *openAPIDocument) mistake(name, format string, args ...any) error {
	var mistakes strictyaml.Mistakes
	mistakes.Addf(strictyaml.Position{File: d.file, Line: d.document.LineOf(d.path + "." + name)}, format, args...)
	return mistakes
}

// kindOf returns the kind of a definition.
func (d *openAPIDocument) kindOf(name string, given schema.GroupVersionKind) (schema.GroupVersionKind, error) {
	if !given.Empty() {
		return given, nil
	}
	data, err := json.Marshal(d.schemas[name].Extensions[kindsKeyword])
	var kinds []metav1.GroupVersionKind
	if err == nil {
		err = kjson.UnmarshalCaseSensitivePreserveInts(data, &kinds)
	}
	switch {
	case err != nil:
		return given, d.mistake(name, "%s cannot be read: %v", kindsKeyword, err)
	case len(kinds) != 1:
		return given, d.mistake(name, "%s names %d kinds; name one in the suite, for instance \"kind: apps/v1 Deployment\"",
			kindsKeyword, len(kinds))
	case kinds[0].Version == "" || kinds[0].Kind == "":
		return given, d.mistake(name, "%s has no version or kind; its keys are group, version and kind", kindsKeyword)
	}
	return schema.GroupVersionKind(kinds[0]), nil
}

// addOpenAPI compiles a definition and returns its kind. The error is a userfile.Mistakes.
func (r *resources) addOpenAPI(d *openAPIDocument, wanted *suitefile.OpenAPI) (schema.GroupVersionKind, error) {
	root := d.schemas[wanted.Definition]
	if root == nil {
		var mistakes strictyaml.Mistakes
		mistakes.Addf(wanted.Position, "no definition %q in %s%s", wanted.Definition, wanted.File.Path, d.similar(wanted.Definition))
		return schema.GroupVersionKind{}, mistakes
	}
	kind, err := d.kindOf(wanted.Definition, wanted.Kind.GroupVersionKind)
	if err != nil {
		return kind, err
	}
	if err := r.addReferring(kind, wanted.Resource, root, d.schemas); err != nil {
		return kind, d.placed(wanted.Definition, err)
	}
	return kind, nil
}

// at returns the position of a place in a definition, or in a definition that it refers to.
func (d *openAPIDocument) at(name, place string) strictyaml.Position {
	path := d.path + "[" + name + "]." + place
	if inside, other := strings.CutPrefix(place, "definitions["); other {
		path = d.path + "[" + inside
	}
	return strictyaml.Position{File: d.file, Line: d.document.LineOf(path)}
}

// placed adds lines to the mistakes of a definition and of the definitions that it refers to.
func (d *openAPIDocument) placed(name string, err error) error {
	var mistakes strictyaml.Mistakes
	errs := definitions.FieldErrors(err)
	if len(errs) == 0 {
		return definitions.Placed(d.file, d.document, d.path+"."+name, err)
	}
	for _, one := range errs {
		mistakes.Addf(d.at(name, one.Field), "the schema does not compile: %v", plaintext.Error(one))
	}
	return mistakes.Err()
}

// similar returns the definitions whose names contain the given one, or all if they are few.
func (d *openAPIDocument) similar(wanted string) string {
	const few = 10
	all := slices.Sorted(maps.Keys(d.schemas))
	if len(all) > few {
		all = slices.DeleteFunc(all, func(name string) bool {
			return !strings.Contains(strings.ToLower(name), strings.ToLower(wanted)) || wanted == ""
		})
	}
	if len(all) == 0 || len(all) > few {
		return fmt.Sprintf("; it has %d", len(d.schemas))
	}
	return "; there are: " + strings.Join(all, ", ")
}
