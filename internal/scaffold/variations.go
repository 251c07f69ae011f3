package scaffold

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

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
func (v *variations) add(name string, object map[string]any, schema *spec.Schema) {
	for _, key := range sortedKeys(object) {
		if key != "apiVersion" && key != "kind" && key != "metadata" && key != "status" {
			v.visit(name, "/"+escaped(key), key, object[key], openapi.Property(schema, key))
		}
	}
}

// visit adds the changes of a value and of its parts.
func (v *variations) visit(name, pointer, field string, value any, schema *spec.Schema) {
	if schema == nil {
		return
	}
	if !v.seen[field] {
		v.seen[field] = true
		v.change(name, pointer, field, "is removed", operation{Op: "remove", Path: pointer})
		v.changeValue(name, pointer, field, value, schema)
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			of := openapi.Property(schema, key)
			if of == nil {
				of = openapi.Additional(schema)
			}
			v.visit(name, pointer+"/"+escaped(key), field+"."+key, value[key], of)
		}
	case []any:
		for i, item := range value {
			v.visit(name, pointer+"/"+strconv.Itoa(i), field+"[*]", item, openapi.Items(schema))
		}
	}
}

// changeValue replaces a value by others of its type: those that end a range, and one that is as good as
// the value, which an update may not be allowed to change.
func (v *variations) changeValue(name, pointer, field string, value any, schema *spec.Schema) {
	replace := func(what string, other any) {
		v.change(name, pointer, field, what, operation{"replace", pointer, other})
	}
	update := func(other any) {
		v.append(Case{
			Name:   name + ": " + field + " is changed by an update",
			Object: name,
			Patch:  []operation{{"replace", pointer, other}},
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
			v.change(name, pointer, field, "has its first item twice", operation{"add", pointer + "/-", value[0]})
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

func (v *variations) change(name, pointer, field, what string, patch operation) {
	v.append(Case{Name: name + ": " + field + " " + what, Object: name, Patch: []operation{patch}})
}

func (v *variations) append(c Case) {
	switch {
	case len(v.cases) == maxCases:
		v.dropped++
	case !slices.ContainsFunc(v.cases, func(other Case) bool { return other.Name == c.Name }):
		v.cases = append(v.cases, c)
	}
}

// escaped returns a key as a part of a JSON pointer.
func escaped(key string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }
