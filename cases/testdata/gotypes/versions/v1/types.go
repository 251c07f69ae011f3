// Package v1 is a version of an API of a kubebuilder project.
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Widget has a size.
// +kubebuilder:object:root=true
// +kubebuilder:storageversion
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}

// WidgetSpec has a size.
type WidgetSpec struct {
	// +kubebuilder:validation:Maximum=5
	Size int32 `json:"size"`
	// +immutable
	// +optional
	Name string `json:"name,omitempty"`
}
