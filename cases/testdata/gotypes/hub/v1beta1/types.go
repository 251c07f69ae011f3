// Package v1beta1 is a version of an API that is converted through the hub.
// +groupName=example.com
package v1beta1

import (
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/conversion"

	v1 "github.com/diffrun/diffrun/cases/testdata/gotypes/hub/v1"
)

// Widget has a size in one number.
// +kubebuilder:object:root=true
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}

// WidgetSpec has a size in one number.
type WidgetSpec struct {
	// +kubebuilder:validation:Maximum=9
	Size int32 `json:"size"`
	// Note is not in v1.
	// +optional
	Note string `json:"note,omitempty"`
}

// ConvertTo implements conversion.Convertible.
func (w *Widget) ConvertTo(hub conversion.Hub) error {
	if w.Spec.Size < 0 {
		return errors.New("no width is negative")
	}
	if w.Spec.Size == 8 {
		panic("eight")
	}
	if w.Spec.Note == "hang" {
		select {}
	}
	fmt.Println("the output of a method is not an answer")
	to := hub.(*v1.Widget)
	to.ObjectMeta, to.Spec.Width = w.ObjectMeta, w.Spec.Size
	return nil
}

// ConvertFrom implements conversion.Convertible.
func (w *Widget) ConvertFrom(hub conversion.Hub) error {
	from := hub.(*v1.Widget)
	w.ObjectMeta, w.Spec.Size = from.ObjectMeta, from.Spec.Width
	return nil
}

// DeepCopyObject implements runtime.Object.
func (w *Widget) DeepCopyObject() runtime.Object {
	copied := *w
	w.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}

var _ conversion.Convertible = (*Widget)(nil)
