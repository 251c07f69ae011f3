// Package leftout has a validator with a jump that is not read.
package leftout

import "errors"

// TypeMeta makes a struct an object.
type TypeMeta struct{}

// Thing is the object.
type Thing struct {
	TypeMeta `json:",inline"`

	Names []string `json:"names,omitempty"`
}

// Validate looks for an empty name.
func Validate(thing *Thing) error {
	i := 0
next:
	if i < len(thing.Names) {
		if thing.Names[i] == "" {
			return errors.New("a name is empty")
		}
		i++
		goto next
	}
	return nil
}
