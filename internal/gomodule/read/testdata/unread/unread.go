// Package unread has validators whose conditions cannot be read whole: they say so.
package unread

import (
	"encoding/json"
	"errors"
	"time"
)

// TypeMeta makes a struct an object.
type TypeMeta struct{}

// Thing is the object.
type Thing struct {
	TypeMeta `json:",inline"`

	Names   []string `json:"names,omitempty"`
	Options string   `json:"options,omitempty"`
	Until   int64    `json:"until,omitempty"`
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

// ValidateRemoved asks a set from which it removes.
func ValidateRemoved(obj *Thing) error {
	names := map[string]bool{}
	for _, name := range obj.Names {
		names[name] = true
	}
	delete(names, "a")
	if names["a"] {
		return errors.New("a is left")
	}
	return nil
}

// ValidateDecoded asks what a function that is not read fills.
func ValidateDecoded(obj *Thing) error {
	var options struct{ Strict bool }
	_ = json.Unmarshal([]byte(obj.Options), &options)
	if !options.Strict {
		return errors.New("must be strict")
	}
	return nil
}

// ValidateDeadline asks the time.
func ValidateDeadline(obj *Thing) error {
	if obj.Until < time.Now().Unix() {
		return errors.New("must be in the future")
	}
	return nil
}
