// Package v1alpha1 is an older version of the project.
// +groupName=example.com
// +kubebuilder:validation:Optional
package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Widget is a kind.
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=wd,categories=all
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}

// WidgetSpec is what is wanted.
type WidgetSpec struct {
	Size int32 `json:"size"`
}
