// Package unread has validators whose conditions cannot be read whole: they say so.
package unread

import (
	"encoding/json"
	"errors"
	"strings"
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

// ValidateConstantKeys counts keys that several items put into a map: once.
func ValidateConstantKeys(obj *Thing) error {
	kinds := map[string]bool{}
	for _, name := range obj.Names {
		if name == "" {
			kinds["empty"] = true
		} else {
			kinds["other"] = true
		}
	}
	if len(kinds) > 1 {
		return errors.New("all names or none must be empty")
	}
	return nil
}

// ValidateAfterLoop comes after a loop over what is not read, which may return.
func ValidateAfterLoop(obj *Thing) error {
	for _, word := range strings.Fields(obj.Options) {
		if word == "free" {
			return nil
		}
	}
	return errors.New("must have the word free")
}

// ValidateRunes loops over the characters of a text.
func ValidateRunes(obj *Thing) error {
	for _, r := range obj.Options {
		if r == ' ' {
			return errors.New("must have no blank")
		}
	}
	return nil
}

var limits = map[string]int32{"a": 1}

var enabled = false

func init() {
	limits["b"] = 2
	pointTo(&enabled)
}

func pointTo(to *bool) { *to = true }

// ValidateChangedEntry looks up a variable of which a function changes an entry.
func ValidateChangedEntry(obj *Thing) error {
	if _, ok := limits[obj.Options]; ok {
		return errors.New("must be free")
	}
	return nil
}

// ValidatePointedTo asks a variable to which a function gets a pointer.
func ValidatePointedTo(obj *Thing) error {
	if enabled {
		return errors.New("must not be there")
	}
	return nil
}

func checkName(name string) error {
	if name == "" {
		return errors.New("a name is empty")
	}
	return nil
}

// ValidateLastError returns the error of the last name.
func ValidateLastError(obj *Thing) (err error) {
	for _, name := range obj.Names {
		err = checkName(name)
	}
	return err
}

var problems = map[string]error{}

func note(name string, err error) { problems[name] = err }

// ValidateNotedError appends an error that may be that of a variable which a function changes.
func ValidateNotedError(obj *Thing) []error {
	var err error
	if obj.Until > 0 {
		err = problems[obj.Options]
	}
	return append([]error(nil), err)
}

// ValidateBesideNoted keeps the errors of before beside those that are not known.
func ValidateBesideNoted(obj *Thing) []error {
	errs := []error{problems[obj.Options]}
	for range obj.Names {
		errs = append(errs, nil)
	}
	return errs
}
