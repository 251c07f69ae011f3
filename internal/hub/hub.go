//go:build go1.22

package hub

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sort"
	"strings"
)

// Versions are the Go types of a kind: for each API version a function that returns a pointer to a new
// object.
type Versions map[string]func() any

// The methods of conversion.Hub and conversion.Convertible. They are called by name, because the
// interfaces belong to the version of controller-runtime that the other module uses.
const (
	methodHub         = "Hub"
	methodConvertTo   = "ConvertTo"
	methodConvertFrom = "ConvertFrom"
)

// Convert converts an object to a version, as the webhook of controller-runtime does: directly if one
// of the versions is the hub, or else through the hub. An object that has the version already is
// decoded and encoded.
func (v Versions) Convert(object []byte, version string) ([]byte, error) {
	var written struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if err := json.Unmarshal(object, &written); err != nil {
		return nil, err
	}
	group, from, ok := strings.Cut(written.APIVersion, "/")
	if !ok {
		return nil, fmt.Errorf("%q is not an apiVersion of a custom resource", written.APIVersion)
	}
	source, err := v.make(from)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(object, source); err != nil {
		return nil, fmt.Errorf("the object is not a %T: %w", source, err)
	}
	target := source
	if from != version {
		if target, err = v.between(source, version); err != nil {
			return nil, err
		}
	}
	return document(target, group+"/"+version, written.Kind)
}

// document returns the JSON of an object with its apiVersion and kind, which methods need not set.
func document(object any, apiVersion, kind string) ([]byte, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	for name, value := range map[string]string{"apiVersion": apiVersion, "kind": kind} {
		if fields[name], err = json.Marshal(value); err != nil {
			return nil, err
		}
	}
	return json.Marshal(fields)
}

func (v Versions) make(version string) (any, error) {
	create := v[version]
	if create == nil {
		return nil, fmt.Errorf("there is no version %q; there are %s", version, strings.Join(v.names(), ", "))
	}
	return create(), nil
}

func (v Versions) names() []string {
	var names []string
	for name := range v {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// between converts an object to another version.
func (v Versions) between(source any, version string) (any, error) {
	target, err := v.make(version)
	if err != nil {
		return nil, err
	}
	if isHub(target) {
		return target, call(source, methodConvertTo, target)
	}
	middle := source
	if !isHub(source) {
		if middle, err = v.hub(); err != nil {
			return nil, err
		}
		if err := call(source, methodConvertTo, middle); err != nil {
			return nil, err
		}
	}
	return target, call(target, methodConvertFrom, middle)
}

func isHub(object any) bool {
	return reflect.ValueOf(object).MethodByName(methodHub).IsValid()
}

// hub returns a new object of the version that has the method Hub.
func (v Versions) hub() (any, error) {
	for _, name := range v.names() {
		if made := v[name](); isHub(made) {
			return made, nil
		}
	}
	return nil, errors.New("no version has the method Hub")
}

// call calls a method of a spoke version with the hub as its argument.
func call(spoke any, name string, hub any) error {
	method, argument := reflect.ValueOf(spoke).MethodByName(name), reflect.ValueOf(hub)
	switch {
	case !method.IsValid():
		return fmt.Errorf("%T has no method %s", spoke, name)
	case method.Type().NumIn() != 1 || !argument.Type().AssignableTo(method.Type().In(0)):
		return fmt.Errorf("%T.%s does not take a %T; it is func%s", spoke, name, hub, strings.TrimPrefix(method.Type().String(), "func"))
	case method.Type().NumOut() != 1:
		return fmt.Errorf("%T.%s does not return just an error", spoke, name)
	}
	if err, failed := method.Call([]reflect.Value{argument})[0].Interface().(error); failed && err != nil {
		return fmt.Errorf("%T.%s: %w", spoke, name, err)
	}
	return nil
}
