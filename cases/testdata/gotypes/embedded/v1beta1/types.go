// Package v1beta1 is of a kubebuilder project and has a type with types of Kubernetes as fields.
// +groupName=example.com
package v1beta1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Runner runs pods.
// +kubebuilder:object:root=true
type Runner struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RunnerSpec `json:"spec,omitempty"`
}

// RunnerSpec says which.
type RunnerSpec struct {
	Template corev1.PodTemplateSpec `json:"template,omitempty"`
	Selector *metav1.LabelSelector  `json:"selector,omitempty"`
}
