// Package v1 is an API whose validation stands in its comments.
//
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Widget is a root type.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec,omitempty"`
}

// WidgetSpec refers to itself.
// +validationRule="!has(self.inner) || self.inner.size <= self.size",message="inner is larger"
type WidgetSpec struct {
	// +maximum=5
	// +default=1
	Size int32 `json:"size,omitempty"`

	Inner *WidgetSpec `json:"inner,omitempty"`

	// An overlay says more of it.
	Color string `json:"color,omitempty"`
}
