// Package broken has no group, and markers that are wrong.
package broken

// Widget has a bound that is not a number, and a misspelled marker.
type Widget struct {
	// +maximum=many
	Size int32 `json:"size,omitempty"`
	// +minLenght=1
	Name string `json:"name,omitempty"`
}
