// Package v1 has widgets.
// +groupName=widgets.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec `json:"spec"`
}

type WidgetSpec struct {
	// +k8s:minimum=0
	// +k8s:maximum=10
	Size  int32  `json:"size"`
	Color string `json:"color,omitempty"`
}

func (w *Widget) DeepCopyObject() runtime.Object { c := *w; return &c }
