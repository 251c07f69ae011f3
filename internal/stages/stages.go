package stages

import (
	"fmt"
	"slices"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/objectmeta"
)

// ScaleKind is the kind of the objects of requests to a scale.
var ScaleKind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")

// Decode copies a document of a version, as the Decode of a harness.Scheme. It must be of that version, which
// must be one of the known ones, or a Scale: whether the request takes one is checked when it is received.
func Decode(document map[string]any, version schema.GroupVersionKind, known []schema.GroupVersionKind) (any, error) {
	if !slices.Contains(known, version) {
		return nil, fmt.Errorf("there is no %s; there are %s", apiname.Target(version), VersionNames(known))
	}
	if apiname.Written(document) != ScaleKind {
		if err := apiname.CheckVersion(document, version); err != nil {
			return nil, err
		}
	}
	return runtime.DeepCopyJSON(document), nil
}

// ReadScale reads a Scale. The error reports an object of another kind, and unknown fields.
func ReadScale(document map[string]any) (*autoscalingv1.Scale, error) {
	if written := apiname.Written(document); written != ScaleKind {
		return nil, fmt.Errorf("the object is %s; the subresource scale takes %s", apiname.Target(written), apiname.Target(ScaleKind))
	}
	scale := &autoscalingv1.Scale{}
	return scale, runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(document, scale, true)
}

// ScaleDocuments returns a Scale and the one before it as admission sees them.
func ScaleDocuments(scale, before *autoscalingv1.Scale) (object, old map[string]any, err error) {
	if object, err = runtime.DefaultUnstructuredConverter.ToUnstructured(scale); err != nil {
		return nil, nil, err
	}
	old, err = runtime.DefaultUnstructuredConverter.ToUnstructured(before)
	return object, old, err
}

// Omissions lists the fields that validation does not see: pruned ones, and those that the request may not set.
func Omissions(pruned, ignored []string) []contract.Omission {
	var omitted []contract.Omission
	for _, path := range pruned {
		omitted = append(omitted, contract.Omission{Field: path, Why: words.Pruned})
	}
	for _, path := range ignored {
		omitted = append(omitted, contract.Omission{Field: path, Why: words.Ignored})
	}
	return omitted
}

// Conflict returns the error of a request with another resourceVersion than the stored object, which
// the API server refuses before it validates (Store.Update of
// k8s.io/apiserver/pkg/registry/generic/registry). A resourceVersion that is missing, or made up
// here, conflicts with nothing.
func Conflict(sent, stored string) field.ErrorList {
	if sent == "" || stored == "" || stored == objectmeta.MadeUpResourceVersion || sent == stored {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("metadata", "resourceVersion"), sent,
		"conflict: the object has been modified; please apply your changes to the latest version and try again")}
}

// VersionNames lists versions, for messages.
func VersionNames(versions []schema.GroupVersionKind) string {
	all := make([]string, len(versions))
	for i, version := range versions {
		all[i] = apiname.Target(version)
	}
	return strings.Join(all, ", ")
}
