// Package broken has no group, and a marker that is wrong.
package broken

// Widget has a bound that is not a number.
type Widget struct {
	// +maximum=many
	Size int32 `json:"size,omitempty"`
}
