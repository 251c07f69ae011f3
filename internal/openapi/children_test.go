package openapi_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// everywhere has a schema in each keyword that may contain one.
const everywhere = `{properties: {b: {title: properties b}, a: {title: properties a}}, additionalProperties: {title: additionalProperties},
  allOf: [{title: allOf 0}, {title: allOf 1}], anyOf: [{title: anyOf 0}], oneOf: [{title: oneOf 0}], not: {title: not},
  items: [{title: items 0}], additionalItems: {title: additionalItems}, patternProperties: {p: {title: patternProperties p}},
  definitions: {d: {title: definitions d}}, dependencies: {e: {title: dependencies e}, f: [g]}}`

func TestChildren(t *testing.T) {
	s := served.Schema(t, everywhere)
	s.Items.Schema = served.Schema(t, `{title: items}`) // JSON has only one of them
	var got []string
	for child := range openapi.Children(s) {
		got = append(got, child.At(nil).String()+": "+child.Schema.Title)
	}
	want := []string{
		"properties[a]: properties a", "properties[b]: properties b", "additionalProperties: additionalProperties", "items: items",
		"allOf[0]: allOf 0", "allOf[1]: allOf 1", "anyOf[0]: anyOf 0", "oneOf[0]: oneOf 0", "not: not", "items[0]: items 0",
		"additionalItems: additionalItems", "patternProperties[p]: patternProperties p", "definitions[d]: definitions d",
		"dependencies[e]: dependencies e",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for child := range openapi.Children(s) {
		if child.Name == "a" {
			break // an early end must not panic
		}
	}
}

// TestChildrenSeeEachField fails if the library's type gets a new field with schemas.
func TestChildrenSeeEachField(t *testing.T) {
	var holding []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[spec.SchemaProps]()) {
		switch field.Type {
		case reflect.TypeFor[*spec.Schema](), reflect.TypeFor[[]spec.Schema](), reflect.TypeFor[map[string]spec.Schema](),
			reflect.TypeFor[*spec.SchemaOrBool](),
			reflect.TypeFor[*spec.SchemaOrArray](), reflect.TypeFor[spec.Dependencies](), reflect.TypeFor[spec.Definitions]():
			holding = append(holding, field.Name)
		}
	}
	want := []string{
		"AllOf",
		"OneOf",
		"AnyOf",
		"Not",
		"Properties",
		"AdditionalProperties",
		"PatternProperties",
		"Dependencies",
		"AdditionalItems",
		"Definitions",
	}
	if diff := cmp.Diff(append([]string{"Items"}, want...), holding); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestMapChildren(t *testing.T) {
	s := served.Schema(t, everywhere)
	before := served.Text(s)
	renamed := openapi.MapChildren(s, func(c openapi.Child) *spec.Schema {
		changed := *c.Schema
		changed.Title += "!"
		return &changed
	})
	if diff := cmp.Diff(before, served.Text(s)); diff != "" {
		t.Errorf("the schema was changed (-before +after):\n%s", diff)
	}
	for child := range openapi.Children(renamed) {
		if title := child.Schema.Title; title[len(title)-1] != '!' {
			t.Errorf("%s was not changed", child.At(nil))
		}
	}
	if diff := cmp.Diff(before, served.Text(openapi.MapChildren(s, func(c openapi.Child) *spec.Schema { return c.Schema }))); diff != "" {
		t.Errorf("the identity changes something:\n%s", diff)
	}
}

func TestKeywords(t *testing.T) {
	full := &spec.Schema{SchemaProps: spec.SchemaProps{
		MaxLength: new(int64), MinLength: new(int64), Pattern: "p", Format: "f", Maximum: new(float64), ExclusiveMaximum: true,
		Minimum: new(float64), ExclusiveMinimum: true, MultipleOf: new(float64), MaxItems: new(int64), MinItems: new(int64),
		UniqueItems: true,
		Items:       &spec.SchemaOrArray{}, MaxProperties: new(int64), MinProperties: new(int64), Required: []string{"r"},
		Properties: map[string]spec.Schema{"p": {}}, AdditionalProperties: &spec.SchemaOrBool{}, Enum: []any{1},
		AllOf: []spec.Schema{{}}, AnyOf: []spec.Schema{{}}, OneOf: []spec.Schema{{}}, Not: &spec.Schema{},
	}}
	cleared := *full
	for _, k := range openapi.Keywords() {
		if !k.Has(full) || k.Has(&spec.Schema{}) {
			t.Errorf("%s: Has does not see the keyword", k.Name)
		}
		only := &spec.Schema{}
		k.Copy(only, full)
		for _, other := range openapi.Keywords() {
			if other.Has(only) != (other.Name == k.Name) {
				t.Errorf("a copy of %s has %s: %t", k.Name, other.Name, other.Has(only))
			}
		}
		k.Clear(&cleared)
	}
	if !reflect.DeepEqual(cleared, spec.Schema{}) {
		t.Errorf("keywords are left: %s", served.Text(&cleared))
	}
}
