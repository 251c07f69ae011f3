// Package v1beta1 is of an API whose versions have no hub.
// +groupName=example.com
package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Widget has a size.
// +kubebuilder:object:root=true
// +kubebuilder:resource
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Size int32 `json:"size,omitempty"`
}

// ConvertFrom converts it.
func (w *Widget) ConvertFrom(any) error { return nil }

// ConvertTo does not compile.
func (w *Widget) ConvertTo(any) error { return w.Nothing }
