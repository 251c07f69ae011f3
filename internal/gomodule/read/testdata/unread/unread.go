// Package unread has validators whose conditions cannot be read whole: they say so.
package unread

import "errors"

// TypeMeta makes a struct an object.
type TypeMeta struct{}

// Thing is the object.
type Thing struct {
	TypeMeta `json:",inline"`

	Names []string `json:"names,omitempty"`
}

// ValidateSum adds up what a loop reads: that is not read, and no condition is made of the last item.
func ValidateSum(obj *Thing) error {
	total := 0
	for _, name := range obj.Names {
		total += len(name)
	}
	if total > 9 {
		return errors.New("the names are too long")
	}
	return nil
}

// ValidateAfter asks a flag that an earlier item may have set.
func ValidateAfter(obj *Thing) error {
	last := false
	for _, name := range obj.Names {
		if last {
			return errors.New("nothing may follow the last name")
		}
		if name == "last" {
			last = true
		}
	}
	return nil
}
