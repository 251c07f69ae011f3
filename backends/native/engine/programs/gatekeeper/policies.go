//go:build ignore

package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/open-policy-agent/gatekeeper/v3/pkg/drivers/k8scel/transform"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/util"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// writePolicies writes the policies of the templates, with a binding for each constraint. A template without
// CEL is an error.
func writePolicies(out io.Writer, read content) error {
	var mistakes []error
	var objects []map[string]any
	for _, template := range read.templates {
		policy, err := transform.TemplateToPolicyDefinition(template)
		if err != nil {
			mistakes = append(mistakes, fmt.Errorf("ConstraintTemplate %q: %w", template.Name, err))
			continue
		}
		objects = append(objects, asObject("ValidatingAdmissionPolicy", policy))
	}
	for _, constraint := range read.constraints {
		actions, err := enforcementActions(constraint)
		if err == nil && len(actions) > 0 {
			binding, wrong := transform.ConstraintToBinding(constraint, actions)
			if err = wrong; err == nil {
				objects = append(objects, asObject("ValidatingAdmissionPolicyBinding", binding))
			}
		}
		if err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s %q: %w", constraint.GetKind(), constraint.GetName(), err))
		}
		objects = append(objects, constraint.Object)
	}
	if err := errors.Join(mistakes...); err != nil {
		return err
	}
	for _, object := range objects {
		text, err := yaml.Marshal(object)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "---\n%s", text); err != nil {
			return err
		}
	}
	return nil
}

// enforcementActions returns the actions of a constraint where policies enforce it.
func enforcementActions(constraint *unstructured.Unstructured) ([]string, error) {
	action, err := util.GetEnforcementAction(constraint.Object)
	if err != nil {
		return nil, err
	}
	if action == util.Scoped {
		return util.ScopedActionForEP(util.VAPEnforcementPoint, constraint)
	}
	return []string{string(action)}, nil
}

// asObject returns an object that Gatekeeper makes in a beta version as one of v1, which has the same fields.
func asObject(kind string, made any) map[string]any {
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(made)
	if err != nil {
		panic(err) // a struct of the API can be converted
	}
	delete(object, "status")
	unstructured.RemoveNestedField(object, "metadata", "creationTimestamp")
	object["apiVersion"], object["kind"] = admissionregistrationv1.SchemeGroupVersion.String(), kind
	return object
}
