package kubernetes

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/diffrun/diffrun/harness"
)

// Defaulted gives an object with the defaults of the SetDefaults functions of a version, and with
// those that declared fills in. It implements harness.Defaulting.
func (s *kindScheme) Defaulted(object any, version schema.GroupVersionKind, declared func(map[string]any) map[string]any) (native, declarative map[string]any, err error) {
	written, err := s.writtenIn(object.(runtime.Object), version)
	if err != nil {
		return nil, nil, err
	}
	document, err := runtime.DefaultUnstructuredConverter.ToUnstructured(written)
	if err != nil {
		return nil, nil, err
	}
	filled, err := legacyscheme.Scheme.New(version)
	if err != nil {
		return nil, nil, err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(declared(document), filled); err != nil {
		return nil, nil, fmt.Errorf("%s cannot hold the defaults that its schema declares: %w", harness.TargetName(version), err)
	}
	if declarative, err = runtime.DefaultUnstructuredConverter.ToUnstructured(filled); err != nil {
		return nil, nil, err
	}
	legacyscheme.Scheme.Default(written)
	native, err = runtime.DefaultUnstructuredConverter.ToUnstructured(written)
	return native, declarative, err
}

// writtenIn gives a decoded object as a client of a version would write it: with the same fields,
// if the version has them, because conversion fills in what the hub type cannot leave out.
func (s *kindScheme) writtenIn(object runtime.Object, version schema.GroupVersionKind) (runtime.Object, error) {
	if object.GetObjectKind().GroupVersionKind() == version {
		return object.DeepCopyObject(), nil
	}
	document, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, err
	}
	document["apiVersion"], document["kind"] = version.GroupVersion().String(), version.Kind
	data, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	if same, _, err := s.decode.Decode(data, &version, nil); err == nil {
		return same, nil
	}
	hub, err := s.kind.hub(object.DeepCopyObject())
	if err != nil {
		return nil, err
	}
	converted, err := legacyscheme.Scheme.New(version)
	if err != nil {
		return nil, err
	}
	if err := legacyscheme.Scheme.Convert(hub, converted, nil); err != nil {
		return nil, err
	}
	converted.GetObjectKind().SetGroupVersionKind(version)
	return converted, nil
}
