package scaffold

import (
	"encoding/json"
	"fmt"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Case is a sample, or a sample with one change.
type Case struct {
	Name string
	// Object is the name of the sample.
	Object string
	// Patch is the change, as a JSON patch of one operation or none.
	Patch []operation
	// Update is true if the sample is the old object.
	Update bool
}

type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// MarshalJSON writes the value of all operations that have one, also null and "".
func (o operation) MarshalJSON() ([]byte, error) {
	all := map[string]any{"op": o.Op, "path": o.Path}
	if o.Op != "remove" {
		all["value"] = o.Value
	}
	return json.Marshal(all)
}

// maxCases is the number of changed objects that are written for a kind.
const maxCases = 200

// variations collects changes of samples. A field is changed in the first sample that has it.
type variations struct {
	cases   []Case
	seen    map[string]bool
	dropped int // changes beyond maxCases
}

// add adds the changes of a sample. Fields outside the schema are pruned, so they are not changed.
func (v *variations) add(name string, sample map[string]any, schema *spec.Schema) {
	for _, key := range sortedKeys(sample) {
		if !isOfEveryKind(key) {
			v.visit(name, object.Of(key), sample[key], openapi.Property(schema, key))
		}
	}
}

// visit adds the changes of a value and of its parts.
func (v *variations) visit(name string, at object.Path, value any, schema *spec.Schema) {
	if schema == nil {
		return
	}
	if field := at.General(); !v.seen[field] {
		v.seen[field] = true
		v.change(name, at, "is removed", operation{Op: "remove", Path: at.Pointer()})
		v.changeValue(name, at, value, schema)
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			of := openapi.Property(schema, key)
			if of == nil {
				of = openapi.Additional(schema)
			}
			v.visit(name, at.Field(key), value[key], of)
		}
	case []any:
		for i, item := range value {
			v.visit(name, at.Item(i), item, openapi.Items(schema))
		}
	}
}

// changeValue replaces a value by others of its type: those that end a range, and one that is as good as
// the value, which an update may not be allowed to change.
func (v *variations) changeValue(name string, at object.Path, value any, schema *spec.Schema) {
	replace := func(what string, other any) {
		v.change(name, at, what, operation{"replace", at.Pointer(), other})
	}
	update := func(other any) {
		v.append(Case{
			Name:   name + ": " + at.General() + " is changed by an update",
			Object: name,
			Patch:  []operation{{"replace", at.Pointer(), other}},
			Update: true,
		})
	}
	switch value := value.(type) {
	case string:
		v.changeText(value, schema, replace, update)
	case bool:
		replace(fmt.Sprintf("is %t", !value), !value)
		update(!value)
	case int64:
		for _, other := range []int64{0, -1, 1_000_000} {
			if other != value {
				replace(fmt.Sprintf("is %d", other), other)
			}
		}
		update(value + 1)
	case []any:
		if len(value) > 0 {
			replace("is empty", []any{})
			v.change(name, at, "has its first item twice", operation{"add", at.Field("-").Pointer(), value[0]})
		}
	}
}

func (v *variations) changeText(value string, schema *spec.Schema, replace func(string, any), update func(any)) {
	others := slices.DeleteFunc(slices.Clone(schema.Enum), func(other any) bool { return other == any(value) })
	for _, other := range others {
		replace(fmt.Sprintf("is %v", other), other)
	}
	if len(others) > 0 {
		update(others[0])
		return
	}
	if len(schema.Enum) == 0 {
		replace("is empty", "")
		replace("is not a name", "not/a name!")
		update(value + "1")
	}
}

func (v *variations) change(name string, at object.Path, what string, patch operation) {
	v.append(Case{Name: name + ": " + at.General() + " " + what, Object: name, Patch: []operation{patch}})
}

func (v *variations) append(c Case) {
	switch {
	case len(v.cases) == maxCases:
		v.dropped++
	case !slices.ContainsFunc(v.cases, func(other Case) bool { return other.Name == c.Name }):
		v.cases = append(v.cases, c)
	}
}
