package idl

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
)

// kubebuilder is the dialect of controller-gen. What its markers are called, what arguments
// they take and what they do to a schema is known to controller-tools alone.
type kubebuilder struct {
	registry *markers.Registry
	names    []string
}

const kubebuilderPrefix = "kubebuilder:"

// NewKubebuilder makes the dialect of controller-gen: the markers of v0.21 that begin with
// +kubebuilder:. The others that it reads, such as +optional and +listType, are also KEP-4153's.
func NewKubebuilder() (Dialect, error) {
	k := &kubebuilder{registry: &markers.Registry{}}
	if err := crdmarkers.Register(k.registry); err != nil {
		return nil, fmt.Errorf("markers of controller-gen: %w", err)
	}
	for _, each := range k.registry.AllDefinitions() {
		if strings.HasPrefix(each.Name, kubebuilderPrefix) && !marker.OfOtherTool(each.Name) {
			k.names = append(k.names, each.Name)
		}
	}
	slices.Sort(k.names)
	k.names = slices.Compact(k.names)
	return k, nil
}

// Names implements Dialect.
func (k *kubebuilder) Names() []string { return k.names }

func (k *kubebuilder) namespace() string { return kubebuilderPrefix }

// Parse implements Dialect.
func (k *kubebuilder) Parse(text string) (*Marker, error) {
	if !strings.HasPrefix(text, "+"+kubebuilderPrefix) {
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
		return nil, fmt.Errorf("+%s: %s", any.Name, withAccepted(scannerMessages(err)[0], any))
	}
	addition, isSchema := value.(schemaMarker)
	return &Marker{
		Name: any.Name, Group: kubebuilderGroup(any.Name), Declares: isSchema, addition: addition,
		Repeats: strings.HasSuffix(any.Name, "XValidation") || !isSchema, First: goesFirst(any.Name),
		Apply: func(t *Target) error {
			if _, here := found[t.describes()]; !here {
				return fmt.Errorf("+%s is for %s", any.Name, sites(found))
			}
			return applyKubebuilder(t, any.Name, value)
		},
	}, nil
}

// kubebuilderGroup says which of our markers an overlay replaces a marker with.
func kubebuilderGroup(name string) string {
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
	return name == crdmarkers.SchemalessName || strings.HasSuffix(name, "validation:Type") || strings.HasSuffix(name, "validation:XIntOrString")
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

// describes is what a marker at this place is about, to controller-tools.
func (t *Target) describes() markers.TargetType {
	if t.isField() || t.inlined {
		return markers.DescribesField
	}
	return markers.DescribesType
}

// schemaMarker is a marker of controller-tools that changes a schema.
type schemaMarker interface {
	ApplyToSchema(ctx *crdmarkers.SchemaContext, schema *apiextensionsv1.JSONSchemaProps) error
}

// applyKubebuilder lets controller-tools apply a marker to a schema that only has the type of
// the target, and adds what it wrote there.
func applyKubebuilder(t *Target, name string, value any) error {
	required := name == "kubebuilder:validation:Required"
	switch {
	case required || name == "kubebuilder:validation:Optional":
		t.field.required = &required
		return nil
	case name == crdmarkers.SchemalessName:
		*t.node = spec.Schema{}
		return nil
	}
	marker, ok := value.(schemaMarker)
	if !ok {
		return nil // about the whole definition: names, columns, scope
	}
	if strings.HasPrefix(name, crdmarkers.ValidationItemsPrefix) {
		return t.builder.descend(t, []string{"items"}, func(items *Target) error { return items.adopt(name, marker) })
	}
	return t.adopt(name, marker)
}

// adopt adds to the target what a marker of controller-tools writes.
func (t *Target) adopt(name string, marker schemaMarker) error {
	added, err := t.addition(name, marker)
	if err == nil {
		t.merge(added)
	}
	return err
}

// addition returns what a marker of controller-tools writes into the schema of the target.
func (t *Target) addition(name string, marker schemaMarker) (*spec.Schema, error) {
	seen := t.builder.resolve(t.node)
	props := &apiextensionsv1.JSONSchemaProps{Format: seen.Format}
	if len(seen.Type) == 1 {
		props.Type = seen.Type[0]
	}
	props.XIntOrString, _ = seen.Extensions.GetBool(extIntOrString)
	before := *props
	if err := marker.ApplyToSchema(&crdmarkers.SchemaContext{}, props); err != nil {
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
		if added.Default, err = parseJSON(props.Default.Raw); err != nil {
			return nil, fmt.Errorf("+%s: %w", name, err)
		}
	}
	return &added, nil
}

// merge adds the keywords of a schema to the target. Where one is set to something else, both
// hold.
func (t *Target) merge(added *spec.Schema) {
	if added.Default != nil {
		t.node.Default = added.Default // beside a $ref, as +default
	}
	if len(added.Type) > 0 {
		t.Schema().Type = added.Type
		if added.Type[0] != "object" {
			t.node.Properties, t.node.Required = nil, nil
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
		t.conjoin(t.Schema().Enum != nil, func(s *spec.Schema) { s.Enum = added.Enum })
	}
	if added.Title != "" {
		t.Schema().Title = added.Title
	}
	if added.Example != nil {
		t.Schema().Example = added.Example
	}
	t.mergeExtensions(added.Extensions)
}

func (t *Target) mergeExtensions(added spec.Extensions) {
	for name, value := range added {
		rules, isRules := value.([]any)
		if name != extValidations || !isRules {
			setExtension(t.Schema(), name, value)
			continue
		}
		for _, rule := range rules {
			if rule, ok := rule.(map[string]any); ok {
				addRule(t.Schema(), rule)
			}
		}
	}
}

func mergeLimit[T comparable](t *Target, limit *T, of func(*spec.Schema) **T) {
	if limit == nil {
		return
	}
	current := *of(t.Schema())
	if current == nil || *current != *limit {
		t.conjoin(current != nil, func(s *spec.Schema) { *of(s) = limit })
	}
}

func mergeText(t *Target, text string, of func(*spec.Schema) *string) {
	if current := *of(t.Schema()); text != "" && current != text {
		t.conjoin(current != "", func(s *spec.Schema) { *of(s) = text })
	}
}
