//go:build ignore

package main

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// namespaces are Namespaces by name. As in the API server, each has a label with its name.
type namespaces map[string]*corev1.Namespace

func (n namespaces) add(object json.RawMessage) error {
	of := &corev1.Namespace{}
	if err := json.Unmarshal(object, of); err != nil {
		return err
	}
	if of.Labels == nil {
		of.Labels = map[string]string{}
	}
	of.Labels[corev1.LabelMetadataName] = of.Name
	n[of.Name] = of
	return nil
}

// named returns the Namespace of a name: that of the case, which has the objects of its cluster, or of the files, or one that has
// only the label that all have; nil: the object is in none.
func (n namespaces) named(name string, cluster []json.RawMessage) (*corev1.Namespace, error) {
	if name == "" {
		return nil, nil
	}
	ofCase := namespaces{}
	for _, object := range cluster {
		err := takeObject(object, func(kind schema.GroupKind, object json.RawMessage) error {
			if kind.Group == "" && kind.Kind == "Namespace" {
				return ofCase.add(object)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, known := range []namespaces{ofCase, n} {
		if known[name] != nil {
			return known[name], nil
		}
	}
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelMetadataName: name}}}, nil
}
