// Package v1 is the version of an API that the others are converted to.
// +groupName=example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Widget has a size in two parts.
// +kubebuilder:object:root=true
// +kubebuilder:storageversion
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}

// WidgetSpec has a size in two parts.
type WidgetSpec struct {
	// +kubebuilder:validation:Maximum=5
	Width int32 `json:"width"`
	// +optional
	Height int32 `json:"height,omitempty"`
}

// Hub implements conversion.Hub.
func (*Widget) Hub() {}

// DeepCopyObject implements runtime.Object.
func (w *Widget) DeepCopyObject() runtime.Object {
	copied := *w
	w.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}
