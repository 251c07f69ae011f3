package harness

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Documents is the Scheme of a kind that has no Go types: its objects stay
// documents, nothing is defaulted, and an object exists in the version that it
// is written in and in no other.
type Documents struct{}

// Decode copies the document, so that no backend sees the case's own.
func (Documents) Decode(document map[string]any, version schema.GroupVersionKind) (any, error) {
	written := schema.FromAPIVersionAndKind(text(document["apiVersion"]), text(document["kind"]))
	if written != version {
		return nil, fmt.Errorf("the case is written for %s, but its object is a %s", TargetName(version), TargetName(written))
	}
	return runtime.DeepCopyJSON(document), nil
}

// Default changes nothing.
func (Documents) Default(_ context.Context, _ Request, object, old any) (any, any, error) {
	return object, old, nil
}

// Convert gives back the document in its own version.
func (Documents) Convert(object any, version schema.GroupVersionKind) (any, error) {
	document, ok := object.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a %T is no document; this kind has no Go types", object)
	}
	if apiVersion := text(document["apiVersion"]); apiVersion != version.GroupVersion().String() {
		return nil, &InexpressibleError{Version: version, Reason: fmt.Sprintf("it is written in %s, and nothing converts between the versions of this kind", apiVersion)}
	}
	return document, nil
}

func text(value any) string {
	s, _ := value.(string)
	return s
}
