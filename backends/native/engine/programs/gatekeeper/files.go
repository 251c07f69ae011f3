//go:build ignore

package main

import (
	"encoding/json"
	"fmt"

	apiconstraints "github.com/open-policy-agent/frameworks/constraint/pkg/apis/constraints"
	"github.com/open-policy-agent/frameworks/constraint/pkg/apis/templates/v1beta1"
	"github.com/open-policy-agent/frameworks/constraint/pkg/core/templates"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// content is the content of the files.
type content struct {
	templates   []*templates.ConstraintTemplate
	constraints []*unstructured.Unstructured
	// inventory are all other objects, Namespaces among them.
	inventory  []*unstructured.Unstructured
	namespaces namespaces
}

// readFiles reads templates, constraints and the inventory. The error has the mistakes of all files.
func readFiles(names []string) (content, error) {
	read := content{namespaces: namespaces{}}
	if err := readObjects(names, read.take); err != nil {
		return content{}, err
	}
	if len(read.templates) == 0 || len(read.constraints) == 0 {
		return content{}, fmt.Errorf("%d ConstraintTemplates and %d constraints in the files; at least one of each is needed",
			len(read.templates), len(read.constraints))
	}
	return read, nil
}

// take sorts an object by its kind.
func (c *content) take(kind schema.GroupKind, text json.RawMessage) error {
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(text); err != nil {
		return err
	}
	switch {
	case kind.Group == v1beta1.SchemeGroupVersion.Group && kind.Kind == "ConstraintTemplate":
		// The versions have the same fields.
		versioned := &v1beta1.ConstraintTemplate{}
		if err := json.Unmarshal(text, versioned); err != nil {
			return fmt.Errorf("%q: %w", object.GetName(), err)
		}
		template, err := versioned.ToVersionless()
		if err != nil {
			return fmt.Errorf("%q: %w", object.GetName(), err)
		}
		c.templates = append(c.templates, template)
	case kind.Group == apiconstraints.Group:
		c.constraints = append(c.constraints, object)
	case kind.Group == "" && kind.Kind == "Namespace":
		if err := c.namespaces.add(text); err != nil {
			return err
		}
		c.inventory = append(c.inventory, object)
	default:
		c.inventory = append(c.inventory, object)
	}
	return nil
}
