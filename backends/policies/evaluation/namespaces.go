package evaluation

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// namespaces holds the Namespace objects of the files by name. It lists them as the API server's
// informer would.
type namespaces map[string]*corev1.Namespace

// add adds a namespace. As in the API server, it has a label with its name.
func (n namespaces) add(namespace *corev1.Namespace) {
	if namespace.Labels == nil {
		namespace.Labels = map[string]string{}
	}
	namespace.Labels[corev1.LabelMetadataName] = namespace.Name
	n[namespace.Name] = namespace
}

// namespacesIn returns the Namespaces among objects.
func namespacesIn(objects []map[string]any) (namespaces, error) {
	found := namespaces{}
	for _, object := range objects {
		if object["apiVersion"] != "v1" || object["kind"] != "Namespace" {
			continue
		}
		namespace := &corev1.Namespace{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, namespace); err != nil {
			return nil, fmt.Errorf("a Namespace of the case: %w", err)
		}
		if namespace.Name == "" {
			return nil, errors.New("a Namespace of the case has no name")
		}
		found.add(namespace)
	}
	return found, nil
}

func (n namespaces) has(name string) bool { return n[name] != nil }

// Get returns a namespace. One that no file has gets only the label that every namespace has.
func (n namespaces) Get(name string) (*corev1.Namespace, error) {
	if namespace, found := n[name]; found {
		return namespace, nil
	}
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelMetadataName: name}}}, nil
}

// List returns the namespaces that match a selector, by name.
func (n namespaces) List(selector labels.Selector) ([]*corev1.Namespace, error) {
	var selected []*corev1.Namespace
	for _, name := range slices.Sorted(maps.Keys(n)) {
		if selector.Matches(labels.Set(n[name].Labels)) {
			selected = append(selected, n[name])
		}
	}
	return selected, nil
}

// selectsByName reports whether a selector uses only the label that every namespace has, so that it
// needs no Namespace object.
func selectsByName(selector *metav1.LabelSelector) bool {
	if selector == nil {
		return true
	}
	for key := range selector.MatchLabels {
		if key != corev1.LabelMetadataName {
			return false
		}
	}
	return !slices.ContainsFunc(selector.MatchExpressions, func(r metav1.LabelSelectorRequirement) bool {
		return r.Key != corev1.LabelMetadataName
	})
}
