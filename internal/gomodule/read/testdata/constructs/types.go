// Package constructs has a validator for each construct of Go that validators are written in.
package constructs

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Thing is the object that is validated.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec   `json:"spec,omitempty"`
	Needed Needed `json:"needed,omitempty"`
}

// Needed has quantities, and a number or percentage.
type Needed struct {
	Share     intstr.IntOrString  `json:"share,omitempty"`
	Storage   resource.Quantity   `json:"storage,omitempty"`
	Resources corev1.ResourceList `json:"resources,omitempty"`
}

// Mode is an enumeration.
type Mode string

const (
	// Fast and Slow are the modes that are known.
	Fast Mode = "Fast"
	Slow Mode = "Slow"
)

// Common is inlined.
type Common struct {
	Owner string `json:"owner,omitempty"`
}

// Spec has a field of each kind.
type Spec struct {
	Common `json:",inline"`

	Name     string            `json:"name,omitempty"`
	Other    string            `json:"otherName,omitempty"`
	Size     int32             `json:"size,omitempty"`
	Limit    *int32            `json:"limit,omitempty"`
	Mode     Mode              `json:"mode,omitempty"`
	Paused   bool              `json:"paused,omitempty"`
	Enabled  *bool             `json:"enabled,omitempty"`
	Network  *Network          `json:"network,omitempty"`
	Items    []Item            `json:"items,omitempty"`
	Names    []string          `json:"names,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
	Selected *string           `json:"selected,omitempty"`
	Address  string            `json:"address,omitempty"`
	// Keyed has each name once.
	// +listType=map
	// +listMapKey=name
	Keyed []Item `json:"keyed,omitempty"`
}

// Network is a struct behind a pointer.
type Network struct {
	Host string `json:"host,omitempty"`
	Port int32  `json:"port,omitempty"`
}

// Item is an item of a list.
type Item struct {
	Name    string   `json:"name,omitempty"`
	Count   int32    `json:"count,omitempty"`
	Weight  *int32   `json:"weight,omitempty"`
	Needs   []string `json:"needs,omitempty"`
	Network *Network `json:"network,omitempty"`
}
