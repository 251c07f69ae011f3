// Package kep is the examples of KEP-4153, made to compile.
package kep

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Widget and Contraption: "IDL tags". Widget.component is held to all three
// tags, Contraption.component to +format alone.
type Widget struct {
	// +validationRule="self.matches('[a-z][1-9]+')"
	Component PartId `json:"component,omitempty"`
}

// +maxLength=20
type PartId = Identifier

// +format=dns1123label
type Identifier string

type Contraption struct {
	Component Identifier `json:"component,omitempty"`
}

// FizzBuzzSpec: "CEL Validation".
//
// +validationRule="!(self.widgetType == 'Component') || !['badname2', 'badname2'].exists(notAllowed, self.componentName.contains(notAllowed))",reason=Forbidden
type FizzBuzzSpec struct {
	Type          WidgetType `json:"widgetType,omitempty"`
	ComponentName string     `json:"componentName,omitempty"`
}

// +enum
type WidgetType string

const (
	WidgetTypeComponent WidgetType = "Component"
	WidgetTypeAssembly             = WidgetType("Assembly")
)

// DeploymentSpec: "Unions".
type DeploymentSpec struct {
	// +minimum=0
	Replicas *int32 `json:"replicas,omitempty"`

	// +validationRule="!(self.type == 'Recreate') || !has(self.rollingUpdate)",message="may not be specified when strategy `type` is Recreate",reason=Forbidden,field="rollingUpdate"
	// +validationRule="!(self.type == 'RollingUpdate') || has(self.rollingUpdate)",message="this should be defaulted and never be nil",reason=Required,field="rollingUpdate"
	Strategy DeploymentStrategy `json:"strategy,omitempty"`

	Paused bool `json:"paused,omitempty"`
}

type DeploymentStrategy struct {
	Type          string         `json:"type,omitempty"`
	RollingUpdate *RollingUpdate `json:"rollingUpdate,omitempty"`
}

type RollingUpdate struct {
	MaxSurge int32 `json:"maxSurge,omitempty"`
}

// ExampleSpec: "IDL tags", the rules on a shared type and the tag for them.
type ExampleSpec struct {
	// +validationRule="!has(self.name) || self.name.isFormat('dns1123subdomain')",field="name"
	// +validationRule="!has(self.generateName) || self.generateName.replace('-$', 'a').isFormat('dns1123subdomain')",field="generateName"
	Spelled metav1.ObjectMeta `json:"spelled,omitempty"`

	// +nameFormat='dns1123subdomain'
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// PodSpec: "Summary" and the rule that holds for one use of a shared type.
//
// +validationRule="!self.hostNetwork || self.containers.all(c, c.ports.all(cp, cp.hostPort == cp.containerPort))"
type PodSpec struct {
	HostNetwork bool `json:"hostNetwork,omitempty"`

	// +items:validationRule="!has(self.restartPolicy)"
	Containers []Container `json:"containers"`

	InitContainers []Container `json:"initContainers,omitempty"`
}

type Container struct {
	Name          string          `json:"name"`
	RestartPolicy *string         `json:"restartPolicy,omitempty"`
	Ports         []ContainerPort `json:"ports,omitempty"`
}

type ContainerPort struct {
	// +minimum=1
	// +maximum=65535
	HostPort int32 `json:"hostPort,omitempty"`

	// +minimum=1
	// +maximum=65535
	// +required
	ContainerPort int32 `json:"containerPort"`
}

// Rule: "Add missing required fields".
type Rule struct {
	// +required
	// +listType=atomic
	APIGroups []string `json:"apiGroups,omitempty"`
}
