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
	Status Status `json:"status,omitempty"`
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

	// Big, Small and Port are numbers of other widths, and Ratio is none that is whole.
	Big   int64   `json:"big,omitempty"`
	Small int8    `json:"small,omitempty"`
	Port  uint16  `json:"port,omitempty"`
	Ratio float64 `json:"ratio,omitempty"`
	// Tags, Notes and Replicas are written if they are empty.
	Tags     []string          `json:"tags"`
	Notes    map[string]string `json:"notes"`
	Replicas int32             `json:"replicas"`
	// Groups have lists of their own.
	Groups []Group `json:"groups,omitempty"`
	// Peers has structs by their names.
	Peers   map[string]Network `json:"peers,omitempty"`
	Timeout *metav1.Duration   `json:"timeout,omitempty"`
	Roll    *Roll              `json:"roll,omitempty"`
	Text    string             `json:"text,omitempty"`
	// From and Until are times, of which one is no pointer.
	From  metav1.Time  `json:"from,omitempty"`
	Until *metav1.Time `json:"until,omitempty"`
	Since *metav1.Time `json:"since,omitempty"`
}

// Group is a list in a list, with a struct that is inlined by a pointer.
type Group struct {
	*Common `json:",inline"`

	Name    string `json:"name,omitempty"`
	Members []Item `json:"members,omitempty"`
}

// Roll has pointers behind a pointer.
type Roll struct {
	Step  *Step               `json:"step,omitempty"`
	Surge *intstr.IntOrString `json:"surge,omitempty"`
	Order []Mode              `json:"order,omitempty"`
}

// Step is behind two pointers.
type Step struct {
	At   *int32 `json:"at,omitempty"`
	Kind string `json:"kind,omitempty"`
}

// Phase is an enumeration with an order.
type Phase string

const (
	// Pending, Running and Done follow each other.
	Pending Phase = "Pending"
	Running Phase = "Running"
	Done    Phase = "Done"
)

// Status is what a controller writes.
type Status struct {
	Phase Phase `json:"phase,omitempty"`
	Ready int32 `json:"ready,omitempty"`
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
