// Package v1 is a version of a kubebuilder project that uses every kind of marker of
// controller-gen.
// +kubebuilder:object:generate=true
// +groupName=example.com
package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Widget is a kind.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
// +kubebuilder:resource:scope=Cluster,shortName=wd,categories=all
// +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=`.spec.size`
// +kubebuilder:storageversion
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec,omitempty"`
	Status WidgetStatus `json:"status,omitempty"`
}

// WidgetSpec is what is wanted.
// +kubebuilder:validation:XValidation:rule="self.size < 100",message="too large",reason=FieldValueForbidden,fieldPath=".size"
// +kubebuilder:validation:AtMostOneOf=left;right
type WidgetSpec struct {
	// Size of it.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum:=50
	// +kubebuilder:validation:ExclusiveMaximum=true
	// +kubebuilder:validation:MultipleOf=2
	// +kubebuilder:default=4
	// +kubebuilder:example=8
	Size int32 `json:"size"`
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=10
	// +kubebuilder:validation:Pattern=`^[a-z]+$`
	// +kubebuilder:validation:Required
	Name string `json:"name,omitempty"`
	// +kubebuilder:validation:Enum=red;green
	// +optional
	Color string `json:"color"`
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=4
	// +kubebuilder:validation:items:MaxLength=5
	// +kubebuilder:validation:items:Enum=a;b
	// +listType=set
	// +kubebuilder:validation:Optional
	Tags []string `json:"tags"`
	// +listType=map
	// +listMapKey=name
	// +optional
	Parts []Part `json:"parts,omitempty"`
	// +mapType=atomic
	// +kubebuilder:validation:MaxProperties=3
	Labels map[string]Short `json:"labels,omitempty"`
	// +kubebuilder:validation:EmbeddedResource
	// +kubebuilder:pruning:PreserveUnknownFields
	Template runtime.RawExtension `json:"template,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Free *Part `json:"free,omitempty"`
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:Format=date-time
	Time metav1.Time          `json:"time,omitempty"`
	JSON apiextensionsv1.JSON `json:"json,omitempty"`
	// +nullable
	Quantity *resource.Quantity    `json:"quantity,omitempty"`
	Port     intstr.IntOrString    `json:"port,omitempty"`
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	Left     *string               `json:"left,omitempty"`
	Right    *string               `json:"right,omitempty"`
	// +default="x"
	Plain string `json:"plain,omitempty"`
	// +kubebuilder:title=Titled
	Titled   string `json:"titled,omitempty"`
	Replicas int32  `json:"replicas,omitempty"`
	Inlined  `json:",inline"`
	// +k8s:immutable
	// +optional
	Fixed string `json:"fixed,omitempty"`
	Mode  Mode   `json:"mode,omitempty"`
}

// Inlined is in the spec.
type Inlined struct {
	// +kubebuilder:validation:UniqueItems=false
	Inner []int64 `json:"inner,omitempty"`
}

// Part of it.
// +structType=atomic
type Part struct {
	Name string `json:"name"`
	// +kubebuilder:validation:MaxLength=3
	Short Short `json:"short,omitempty"`
}

// Short is a text of a few letters.
// +kubebuilder:validation:MaxLength=5
type Short string

// Mode of it.
// +k8s:enum
type Mode string

const (
	Fast Mode = "Fast"
	Slow Mode = "Slow"
)

// WidgetStatus is what is.
type WidgetStatus struct {
	Replicas int32 `json:"replicas,omitempty"`
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
