//go:build ignore

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	apiconstraints "github.com/open-policy-agent/frameworks/constraint/pkg/apis/constraints"
	"github.com/open-policy-agent/frameworks/constraint/pkg/apis/templates/v1beta1"
	"github.com/open-policy-agent/frameworks/constraint/pkg/core/templates"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// content is the content of the files.
type content struct {
	templates   []*templates.ConstraintTemplate
	constraints []*unstructured.Unstructured
	// inventory are all other objects, such as Namespaces.
	inventory []*unstructured.Unstructured
}

// readFiles reads templates, constraints and the inventory. The error has the mistakes of all files.
func readFiles(names []string) (content, error) {
	var read content
	var mistakes []error
	for _, name := range names {
		mistakes = append(mistakes, read.file(name))
	}
	if err := errors.Join(mistakes...); err != nil {
		return content{}, err
	}
	if len(read.templates) == 0 || len(read.constraints) == 0 {
		return content{}, fmt.Errorf("%d ConstraintTemplates and %d constraints in the files; at least one of each is needed",
			len(read.templates), len(read.constraints))
	}
	return read, nil
}

func (c *content) file(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	documents := yaml.NewYAMLOrJSONDecoder(file, 4096)
	for number := 1; ; number++ {
		object := map[string]any{}
		if err := documents.Decode(&object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: document %d: %w", name, number, err)
		}
		if len(object) == 0 {
			continue
		}
		if err := c.add(object); err != nil {
			return fmt.Errorf("%s: document %d: %w", name, number, err)
		}
	}
}

// add sorts an object by its kind.
func (c *content) add(document map[string]any) error {
	text, err := json.Marshal(document)
	if err != nil {
		return err
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(text); err != nil { // it has integers, which the decoder of YAML has not
		return err
	}
	switch kind := object.GroupVersionKind(); {
	case kind.Group == v1beta1.SchemeGroupVersion.Group && kind.Kind == "ConstraintTemplate":
		// The versions have the same fields.
		versioned := &v1beta1.ConstraintTemplate{}
		if err := json.Unmarshal(text, versioned); err != nil {
			return fmt.Errorf("ConstraintTemplate %q: %w", object.GetName(), err)
		}
		template, err := versioned.ToVersionless()
		if err != nil {
			return fmt.Errorf("ConstraintTemplate %q: %w", object.GetName(), err)
		}
		c.templates = append(c.templates, template)
	case kind.Group == apiconstraints.Group:
		c.constraints = append(c.constraints, object)
	default:
		c.inventory = append(c.inventory, object)
	}
	return nil
}
