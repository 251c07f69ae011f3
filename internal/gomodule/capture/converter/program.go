//go:build go1.22

package converter

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder"
)

// Program is the content of a generated program.
type Program struct {
	// Schemes are values of type *runtime.Scheme, or functions that add types to one.
	Schemes []any
	// Versions are the versions to convert to, by group. The default is the preferred version.
	Versions map[string]string
	// Functions are the validators to call again.
	Functions map[string]Function
	// Gates sets feature gates. It returns a function that restores them, and the gates that
	// cannot be set. It is nil if there are no gates.
	Gates func(map[string]bool) (restore func(), locked []string)
}

// Function is a validator.
type Function struct {
	Call any
	// Parameters are the names of the parameters. Old is true if the old object comes first.
	Parameters []string
	Old        bool
}

// Answer is the result for a line.
type Answer struct {
	// Object and Old are documents of Version, or parts of one.
	Object json.RawMessage `json:"object,omitempty"`
	Old    json.RawMessage `json:"old,omitempty"`
	// Type is the Go type of the documents.
	Type string `json:"type,omitempty"`
	// Group, Version and Kind are empty for parts.
	Group   string `json:"group,omitempty"`
	Version string `json:"version,omitempty"`
	Kind    string `json:"kind,omitempty"`
	// Failed says why there is no document.
	Failed string `json:"failed,omitempty"`
	// Replayed is true if the validator returns the same errors again. Otherwise Differs says
	// why not.
	Replayed bool   `json:"replayed,omitempty"`
	Differs  string `json:"differs,omitempty"`
}

// Run answers lines in order. The error is about an invalid scheme or line.
func (p *Program) Run(in io.Reader, out io.Writer) error {
	scheme, err := p.scheme()
	if err != nil {
		return err
	}
	c := newConversion(scheme, p.Versions)
	decoder := json.NewDecoder(bufio.NewReader(in))
	buffered := bufio.NewWriter(out)
	encoder := json.NewEncoder(buffered)
	for {
		var line recorder.Line
		if err := decoder.Decode(&line); errors.Is(err, io.EOF) {
			return buffered.Flush()
		} else if err != nil {
			return err
		}
		answer := c.answer(&line)
		if answer.Failed == "" {
			answer.Differs = p.replay(c, &line, &answer)
			answer.Replayed = answer.Differs == ""
		}
		if err := encoder.Encode(answer); err != nil {
			return err
		}
	}
}

// scheme returns the given scheme, or one that the functions fill.
func (p *Program) scheme() (*runtime.Scheme, error) {
	made := runtime.NewScheme()
	for _, given := range p.Schemes {
		switch s := given.(type) {
		case *runtime.Scheme:
			return s, nil
		case func(*runtime.Scheme):
			s(made)
		case func(*runtime.Scheme) error:
			if err := s(made); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("the scheme is a %T; name a *runtime.Scheme, or a function such as AddToScheme", given)
		}
	}
	return made, nil
}

// conversion converts the types of a scheme and their parts.
type conversion struct {
	scheme   *runtime.Scheme
	versions map[string]string
	types    map[string]reflect.Type
	// external maps the internal types of a scheme, and their parts, to the types that they are
	// converted to, as far as these are known.
	external map[reflect.Type]reflect.Type
}

func newConversion(scheme *runtime.Scheme, versions map[string]string) *conversion {
	c := &conversion{scheme: scheme, versions: versions, types: map[string]reflect.Type{}, external: map[reflect.Type]reflect.Type{}}
	for kind, t := range scheme.AllKnownTypes() {
		c.add(t)
		if kind.Version != runtime.APIVersionInternal {
			continue
		}
		if to, known := scheme.AllKnownTypes()[c.externalKind(kind)]; known {
			c.pair(t, to)
		}
	}
	return c
}

// externalKind returns the kind that an internal kind is converted to.
func (c *conversion) externalKind(kind schema.GroupVersionKind) schema.GroupVersionKind {
	if version := c.versions[kind.Group]; version != "" {
		return kind.GroupKind().WithVersion(version)
	}
	for _, version := range c.scheme.PrioritizedVersionsForGroup(kind.Group) {
		if c.scheme.Recognizes(version.WithKind(kind.Kind)) {
			return version.WithKind(kind.Kind)
		}
	}
	return schema.GroupVersionKind{}
}

// add adds a type and the types of its fields by their names.
func (c *conversion) add(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		c.add(t.Elem())
	case reflect.Struct:
		name := t.PkgPath() + "." + t.Name()
		if _, known := c.types[name]; known {
			return
		}
		c.types[name] = t
		for i := range t.NumField() {
			c.add(t.Field(i).Type)
		}
	}
}

// pair maps the fields of one type to the fields of another type with the same names.
func (c *conversion) pair(internal, external reflect.Type) {
	for internal.Kind() == external.Kind() {
		if k := internal.Kind(); k != reflect.Pointer && k != reflect.Slice && k != reflect.Map {
			break
		}
		internal, external = internal.Elem(), external.Elem()
	}
	if internal.Kind() != reflect.Struct || external.Kind() != reflect.Struct || internal == external {
		return
	}
	if _, known := c.external[internal]; known {
		return
	}
	c.external[internal] = external
	for i := range internal.NumField() {
		if f, has := external.FieldByName(internal.Field(i).Name); has {
			c.pair(internal.Field(i).Type, f.Type)
		}
	}
}
