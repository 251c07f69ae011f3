package generate

import (
	"fmt"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// props is a schema of a CustomResourceDefinition.
type props = apiextensionsv1.JSONSchemaProps

// ObjectOptions are the options of Object. The zero value makes valid objects if possible: they
// satisfy each keyword by itself, and a branch of each junctor unless the branches contradict each
// other. Rules are ignored.
type ObjectOptions struct {
	// Faults is the average number of values for each wrong one. Zero makes no wrong values.
	Faults int
	// Values is the maximum number of values in addition to the required ones. Zero means 40.
	Values int
	// Generous makes nearly all optional values instead of half of them.
	Generous bool
	// Defaulted makes each field that has a default, half of them with the default, because rules
	// rely on the fields that the API server fills in.
	Defaulted bool
	// APIVersion, Kind, Name and Namespace are those of the object. The defaults are
	// "example.dev/v1", "Thing", "thing" and "default".
	APIVersion, Kind, Name, Namespace string
	// ClusterScoped means that the object has no namespace.
	ClusterScoped bool
}

// Object makes an object for the schema of a resource's root. Its JSON values have the types that
// k8s.io/apimachinery/pkg/util/json decodes. The apiVersion, kind, name and namespace are never
// wrong.
func Object(src Source, schema *props, opts ObjectOptions) map[string]any {
	g := newObjects(src, opts)
	obj := map[string]any{}
	if fields, ok := g.object(schema, maxDepth).(map[string]any); ok {
		obj = fields
	}
	return g.identify(obj)
}

// Value makes a value for any schema, in the way that Object makes the values in an object.
func Value(src Source, schema *props, opts ObjectOptions) any {
	return newObjects(src, opts).value(schema, maxDepth)
}

func newObjects(src Source, opts ObjectOptions) *objects {
	if opts.Values == 0 {
		opts.Values = 40
	}
	return &objects{Dice: Dice{src}, opts: opts, left: opts.Values}
}

// identify adds the fields that every resource has.
func (g *objects) identify(obj map[string]any) map[string]any {
	or := func(value, other string) string {
		if value == "" {
			return other
		}
		return value
	}
	obj["apiVersion"] = or(g.opts.APIVersion, "example.dev/v1")
	obj["kind"] = or(g.opts.Kind, "Thing")
	metadata := map[string]any{"name": or(g.opts.Name, "thing"), "resourceVersion": "1"}
	if !g.opts.ClusterScoped {
		metadata["namespace"] = or(g.opts.Namespace, "default")
	}
	obj["metadata"] = metadata
	return obj
}

// maxDepth limits the depth of objects.
const maxDepth = 40

// objects makes the values of one object.
type objects struct {
	Dice
	opts ObjectOptions
	left int // the number of optional values that may still be made
}

func (g *objects) faulty() bool { return g.opts.Faults > 0 && g.OneIn(g.opts.Faults) }

// generous reports whether to make an optional value.
func (g *objects) generous() bool {
	if g.left <= 0 {
		return false
	}
	if g.opts.Generous {
		return !g.OneIn(8)
	}
	return g.IntN(2) == 1
}

// value makes a value for a schema, sometimes a wrong one.
func (g *objects) value(s *props, depth int) any {
	g.left--
	if g.faulty() {
		return g.wrong(s, depth)
	}
	if s.Nullable && g.OneIn(8) {
		return nil
	}
	return g.right(s, depth)
}

// right makes a value that satisfies as much of the schema as possible.
func (g *objects) right(s *props, depth int) any {
	s = g.withBranches(s)
	if len(s.Enum) > 0 {
		return decode(Pick(g.Dice, s.Enum...).Raw)
	}
	switch {
	case s.XIntOrString && (s.Type == "" || s.Type == "integer" || s.Type == "string"):
		if g.IntN(2) == 0 {
			return g.integer(s)
		}
		return g.intOrText(s)
	case s.Type == "string":
		return g.text(s)
	case s.Type == "integer":
		return g.integer(s)
	case s.Type == "number":
		return g.number(s)
	case s.Type == "boolean":
		return g.IntN(2) == 1
	case s.Type == "array":
		return g.list(s, depth)
	case s.Type == "object":
		return g.object(s, depth)
	default:
		return g.any()
	}
}

// any makes an arbitrary JSON value.
func (g *objects) any() any {
	return Pick[any](g.Dice, int64(1), "x", true, 1.5, []any{}, []any{"x", int64(2)}, map[string]any{},
		map[string]any{"x": map[string]any{"y": nil}})
}

// wrong makes a value that breaks a keyword of the schema, if there is one.
func (g *objects) wrong(s *props, depth int) any {
	switch g.IntN(8) {
	case 0:
		return nil
	case 1:
		return g.any() // usually of another type
	}
	switch {
	case s.Type == "string" || s.XIntOrString && g.IntN(2) == 0:
		return g.wrongText(s)
	case s.Type == "integer" || s.XIntOrString:
		return g.wrongInteger(s)
	case s.Type == "number":
		return g.wrongNumber(s)
	case s.Type == "array":
		return g.wrongList(s, depth)
	case s.Type == "object":
		return g.wrongObject(s, depth)
	default:
		return g.any()
	}
}

// withBranches returns a schema that also requires what branches of its junctors require. If two
// branches contradict each other, the later one wins.
func (g *objects) withBranches(s *props) *props {
	if len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) == 0 {
		return s
	}
	joined := *s
	joined.AllOf, joined.AnyOf, joined.OneOf = nil, nil, nil
	branches := s.AllOf
	for _, either := range [][]props{s.AnyOf, s.OneOf} {
		if len(either) > 0 {
			branches = append(branches[:len(branches):len(branches)], Pick(g.Dice, either...))
		}
	}
	for i := range branches {
		join(&joined, g.withBranches(&branches[i]))
	}
	return &joined
}

// join adds the value validations of a branch to a schema, which shares its parts with others.
func join(to, branch *props) {
	if to.Type == "" && branch.Type != "" && !to.XIntOrString {
		to.Type = branch.Type
	}
	override(&to.MinLength, branch.MinLength)
	override(&to.MaxLength, branch.MaxLength)
	override(&to.MinItems, branch.MinItems)
	override(&to.MaxItems, branch.MaxItems)
	override(&to.MinProperties, branch.MinProperties)
	override(&to.MaxProperties, branch.MaxProperties)
	override(&to.MultipleOf, branch.MultipleOf)
	if branch.Minimum != nil {
		to.Minimum, to.ExclusiveMinimum = branch.Minimum, branch.ExclusiveMinimum
	}
	if branch.Maximum != nil {
		to.Maximum, to.ExclusiveMaximum = branch.Maximum, branch.ExclusiveMaximum
	}
	if branch.Pattern != "" {
		to.Pattern = branch.Pattern
	}
	if branch.Format != "" {
		to.Format = branch.Format
	}
	if branch.Enum != nil {
		to.Enum = branch.Enum
	}
	to.Required = append(to.Required[:len(to.Required):len(to.Required)], branch.Required...)
	if branch.Items != nil && branch.Items.Schema != nil && to.Items != nil && to.Items.Schema != nil {
		item := *to.Items.Schema
		join(&item, branch.Items.Schema)
		to.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &item}
	}
	joinProperties(to, branch)
}

func joinProperties(to, branch *props) {
	if len(branch.Properties) == 0 {
		return
	}
	own := make(map[string]props, len(to.Properties))
	for name, property := range to.Properties {
		own[name] = property
	}
	for _, name := range sortedNames(branch) {
		if property, ok := own[name]; ok {
			more := branch.Properties[name]
			join(&property, &more)
			own[name] = property
		}
	}
	to.Properties = own
}

func override[T any](to **T, with *T) {
	if with != nil {
		*to = with
	}
}

func decode(raw []byte) any {
	var value any
	if err := utiljson.Unmarshal(raw, &value); err != nil {
		panic(fmt.Sprintf("generate: a schema holds %q, which is not JSON: %v", raw, err))
	}
	return value
}

func clone(value any) any { return runtime.DeepCopyJSONValue(value) }

func sortedNames(s *props) []string { return slices.Sorted(maps.Keys(s.Properties)) }

// fieldOf returns the schema of a field, or a schema that allows anything if the field is not
// declared.
func fieldOf(s *props, name string) *props {
	if property, ok := s.Properties[name]; ok {
		return &property
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		return s.AdditionalProperties.Schema
	}
	return &props{}
}

// Items returns the schema of the items of a list, or a schema that allows anything.
func Items(s *props) *props {
	if s.Items == nil || s.Items.Schema == nil {
		return &props{}
	}
	return s.Items.Schema
}

func sortedKeys(fields map[string]any) []string { return slices.Sorted(maps.Keys(fields)) }
