package kubebuilder

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/openapi"
)

// dialect is the dialect of controller-gen. Only controller-tools knows the names and arguments of
// its markers, and how they change a schema.
type dialect struct {
	registry *markers.Registry
	names    []string
}

// Prefix is the prefix of all markers of the dialect.
const Prefix = "kubebuilder:"

// New returns the dialect of controller-gen: the markers of v0.21 that begin with +kubebuilder:. The
// others that it reads, such as +optional and +listType, are also KEP-4153's.
func New() (target.Dialect, error) {
	k := &dialect{registry: &markers.Registry{}}
	if err := crdmarkers.Register(k.registry); err != nil {
		return nil, fmt.Errorf("markers of controller-gen: %w", err)
	}
	for _, each := range k.registry.AllDefinitions() {
		if strings.HasPrefix(each.Name, Prefix) && !marker.OfOtherTool(each.Name) {
			k.names = append(k.names, each.Name)
		}
	}
	slices.Sort(k.names)
	k.names = slices.Compact(k.names)
	return k, nil
}

// Names implements Dialect.
func (k *dialect) Names() []string { return k.names }

// Namespace implements Dialect.
func (k *dialect) Namespace() string { return Prefix }

// Parse implements Dialect.
func (k *dialect) Parse(text string) (*target.Marker, error) {
	if !strings.HasPrefix(text, "+"+Prefix) {
		return nil, nil
	}
	found := map[markers.TargetType]*markers.Definition{}
	var any *markers.Definition
	for _, site := range []markers.TargetType{markers.DescribesPackage, markers.DescribesType, markers.DescribesField} {
		if d := k.registry.Lookup(text, site); d != nil {
			found[site], any = d, d
		}
	}
	if any == nil || marker.OfOtherTool(any.Name) {
		return nil, nil
	}
	value, err := any.Parse(text)
	if err != nil {
		return nil, marker.ArgumentError(any, err)
	}
	addition, isSchema := value.(schemaMarker)
	return &target.Marker{
		Name: any.Name, Group: groupOf(any.Name), Declares: isSchema, RecordOrigin: recordOrigin(any.Name, addition),
		Repeats: strings.HasSuffix(any.Name, "XValidation") || !isSchema, First: goesFirst(any.Name),
		Apply: func(t *target.Target) error {
			if _, here := found[describes(t)]; !here {
				return fmt.Errorf("+%s is for %s", any.Name, sites(found))
			}
			return apply(t, any.Name, value)
		},
	}, nil
}

// groupOf returns the group of markers that an overlay replaces together with a marker.
func groupOf(name string) string {
	switch name {
	case "kubebuilder:validation:Required", "kubebuilder:validation:Optional":
		return "presence"
	case "kubebuilder:default":
		return "default"
	}
	return ""
}

// goesFirst reports whether a marker changes the type that the others are checked against.
func goesFirst(name string) bool {
	return name == crdmarkers.SchemalessName || strings.HasSuffix(name, "validation:Type") ||
		strings.HasSuffix(name, "validation:XIntOrString")
}

func sites(found map[markers.TargetType]*markers.Definition) string {
	var all []string
	for _, each := range []struct {
		site markers.TargetType
		name string
	}{{markers.DescribesPackage, "packages"}, {markers.DescribesType, "types"}, {markers.DescribesField, "fields"}} {
		if found[each.site] != nil {
			all = append(all, each.name)
		}
	}
	return strings.Join(all, " and ")
}

// describes returns controller-tools' name for the place of a target.
func describes(t *target.Target) markers.TargetType {
	if t.IsField() || t.Inlined {
		return markers.DescribesField
	}
	return markers.DescribesType
}

// schemaMarker is a marker of controller-tools that changes a schema.
type schemaMarker interface {
	ApplyToSchema(ctx *crdmarkers.SchemaContext, schema *apiextensionsv1.JSONSchemaProps) error
}

// apply lets controller-tools apply a marker to a schema that only has the type of the target, and
// merges the result into the target.
func apply(t *target.Target, name string, value any) error {
	required := name == "kubebuilder:validation:Required"
	switch {
	case required || name == "kubebuilder:validation:Optional":
		t.Field.Required = &required
		return nil
	case name == crdmarkers.SchemalessName:
		*t.Node = spec.Schema{}
		return nil
	}
	written, ok := value.(schemaMarker)
	if !ok {
		return nil // about the definition: names, columns, scope
	}
	if strings.HasPrefix(name, crdmarkers.ValidationItemsPrefix) {
		return t.Below([]string{"items"}, func(items *target.Target) error { return adopt(items, name, written) })
	}
	return adopt(t, name, written)
}

// adopt merges into the target what a marker of controller-tools writes.
func adopt(t *target.Target, name string, written schemaMarker) error {
	added, err := addition(t, name, written)
	if err == nil {
		merge(t, added)
	}
	return err
}

// recordOrigin returns a function that records the line of a marker that controller-tools has applied,
// or nil if the marker does not apply to a schema.
func recordOrigin(name string, written schemaMarker) func(*target.Target) {
	if written == nil {
		return nil
	}
	return func(t *target.Target) {
		if strings.HasPrefix(name, crdmarkers.ValidationItemsPrefix) {
			if t.Node.Items == nil || t.Node.Items.Schema == nil {
				return
			}
			t = &target.Target{Node: t.Node.Items.Schema, Schemas: t.Schemas, Line: t.Line}
		}
		if added, err := addition(t, name, written); err == nil { // controller-tools has reported an error
			t.RecordWritten(added)
		}
	}
}

// addition returns what a marker of controller-tools writes into the schema of the target.
func addition(t *target.Target, name string, written schemaMarker) (*spec.Schema, error) {
	seen := t.Schemas.Resolve(t.Node)
	props := &apiextensionsv1.JSONSchemaProps{Format: seen.Format}
	if len(seen.Type) == 1 {
		props.Type = seen.Type[0]
	}
	props.XIntOrString, _ = seen.Extensions.GetBool(openapi.XIntOrString)
	before := *props
	if err := written.ApplyToSchema(&crdmarkers.SchemaContext{}, props); err != nil {
		return nil, fmt.Errorf("+%s: %w", name, err)
	}
	if props.Type == before.Type {
		props.Type = ""
	}
	if props.Format == before.Format {
		props.Format = ""
	}
	props.XIntOrString = props.XIntOrString && !before.XIntOrString
	data, err := json.Marshal(props)
	if err != nil {
		return nil, fmt.Errorf("+%s: %w", name, err)
	}
	var added spec.Schema
	if err := json.Unmarshal(data, &added); err != nil {
		return nil, fmt.Errorf("+%s: %w", name, err)
	}
	if props.Default != nil {
		if added.Default, err = marker.JSON(props.Default.Raw); err != nil {
			return nil, fmt.Errorf("+%s: %w", name, err)
		}
	}
	return &added, nil
}

// merge adds the keywords of a schema to the target. If one is set to another value, both apply.
func merge(t *target.Target, added *spec.Schema) {
	if added.Default != nil {
		t.Node.Default = added.Default // beside a $ref, as +default
	}
	if len(added.Type) > 0 {
		t.Schema().Type = added.Type
		if added.Type[0] != "object" {
			t.Node.Properties, t.Node.Required = nil, nil
		}
	}
	mergeLimit(t, added.Minimum, func(s *spec.Schema) **float64 { return &s.Minimum })
	mergeLimit(t, added.Maximum, func(s *spec.Schema) **float64 { return &s.Maximum })
	mergeLimit(t, added.MultipleOf, func(s *spec.Schema) **float64 { return &s.MultipleOf })
	for _, size := range []func(*spec.Schema) **int64{
		func(s *spec.Schema) **int64 { return &s.MinLength }, func(s *spec.Schema) **int64 { return &s.MaxLength },
		func(s *spec.Schema) **int64 { return &s.MinItems }, func(s *spec.Schema) **int64 { return &s.MaxItems },
		func(s *spec.Schema) **int64 { return &s.MinProperties }, func(s *spec.Schema) **int64 { return &s.MaxProperties },
	} {
		mergeLimit(t, *size(added), size)
	}
	mergeText(t, added.Pattern, func(s *spec.Schema) *string { return &s.Pattern })
	mergeText(t, added.Format, func(s *spec.Schema) *string { return &s.Format })
	for _, flag := range []func(*spec.Schema) *bool{
		func(s *spec.Schema) *bool { return &s.ExclusiveMinimum }, func(s *spec.Schema) *bool { return &s.ExclusiveMaximum },
		func(s *spec.Schema) *bool { return &s.UniqueItems }, func(s *spec.Schema) *bool { return &s.Nullable },
	} {
		if *flag(added) {
			*flag(t.Schema()) = true
		}
	}
	if len(added.Enum) > 0 {
		t.Conjoin(t.Schema().Enum != nil, func(s *spec.Schema) { s.Enum = added.Enum })
	}
	if added.Title != "" {
		t.Schema().Title = added.Title
	}
	if added.Example != nil {
		t.Schema().Example = added.Example
	}
	mergeExtensions(t, added.Extensions)
}

func mergeExtensions(t *target.Target, added spec.Extensions) {
	for name, value := range added {
		rules, isRules := value.([]any)
		if name != openapi.XValidations || !isRules {
			target.SetExtension(t.Schema(), name, value)
			continue
		}
		for _, rule := range rules {
			if rule, ok := rule.(map[string]any); ok {
				target.AddRule(t.Schema(), rule)
			}
		}
	}
}

func mergeLimit[T comparable](t *target.Target, limit *T, of func(*spec.Schema) **T) {
	if limit == nil {
		return
	}
	current := *of(t.Schema())
	if current == nil || *current != *limit {
		t.Conjoin(current != nil, func(s *spec.Schema) { *of(s) = limit })
	}
}

func mergeText(t *target.Target, text string, of func(*spec.Schema) *string) {
	if current := *of(t.Schema()); text != "" && current != text {
		t.Conjoin(current != "", func(s *spec.Schema) { *of(s) = text })
	}
}
