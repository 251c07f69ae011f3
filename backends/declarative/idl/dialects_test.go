package idl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
)

// titles is a dialect of one marker, "+my:title=…".
type titles struct{}

func (titles) Names() []string { return []string{"my:title"} }

func (titles) Namespace() string { return "" }

func (titles) Parse(text string) (*target.Marker, error) {
	title, ok := strings.CutPrefix(text, "+my:title=")
	if !ok {
		return nil, nil
	}
	return &target.Marker{Name: "my:title", Declares: true, Apply: func(t *target.Target) error {
		if t.Kind() != target.KindText {
			return fmt.Errorf("+my:title is for text; this is %s", t.Kind())
		}
		t.Schema().Title = title
		return nil
	}}, nil
}

// TestDialects shows that dialects can be combined, in source and in overlays.
func TestDialects(t *testing.T) {
	standard, err := idl.NewKEP4153()
	if err != nil {
		t.Fatal(err)
	}
	config := idl.Config{
		Roots:    roots(testdata+"kep", "FizzBuzzSpec"),
		Dialects: []idl.Dialect{standard, idl.CustomDialect(titles{})},
		Overlays: []*idl.Overlay{overlay(t, `
package: `+testdata+`kep
types:
  FizzBuzzSpec:
    fields:
      componentName: [+my:title=Name, +maxLength=5]
      widgetType: [+my:title=Type]
`)},
	}
	result, err := idl.Generate(config)
	if err != nil {
		t.Fatal(err)
	}
	got := plain(t, result.Definitions)["FizzBuzzSpec"].(map[string]any)["properties"]
	want := parse(t, `{
		"componentName": {"type": "string", "title": "Name", "maxLength": 5, "x-kubernetes-strip-zero": true},
		"widgetType": {"type": "string", "title": "Type", "enum": ["Assembly", "Component"], "x-kubernetes-strip-zero": true}}`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	config.Dialects = []idl.Dialect{idl.CustomDialect(titles{})}
	if _, err := idl.Generate(config); err == nil || !strings.Contains(err.Error(), "unknown marker +maxLength; accepted: my:title") {
		t.Errorf("a dialect that was left out knows no markers; got %v", err)
	}
}

// TestTagsOfSomePackages: a dialect that is limited to packages is read only there, and its markers are not
// mistakes elsewhere. Overlays remove a tag of any stage by its name.
func TestTagsOfSomePackages(t *testing.T) {
	for _, row := range []struct {
		why      string
		packages []string
		overlay  string
		field    string
		want     string
	}{
		{"the package itself", []string{testdata + "k8s"}, "", "staged",
			`{"type": "integer", "format": "int32", "minimum": 1, "maximum": 10}`},
		{"the folder of the package", []string{strings.TrimSuffix(testdata, "/")}, "", "staged",
			`{"type": "integer", "format": "int32", "minimum": 1, "maximum": 10}`},
		{"a different package", []string{testdata + "other"}, "", "staged", `{"type": "integer", "format": "int32"}`},
		{"an overlay removes a tag although it is after its stage", []string{strings.TrimSuffix(testdata, "/")},
			"[-k8s:maximum]", "staged", `{"type": "integer", "format": "int32", "minimum": 1}`},
		{"a marker that replaces it", []string{strings.TrimSuffix(testdata, "/")}, "[-k8s:maximum, +maximum=12]", "staged",
			`{"type": "integer", "format": "int32", "minimum": 1, "maximum": 12}`},
	} {
		t.Run(row.why, func(t *testing.T) {
			standard, err := idl.NewKEP4153()
			if err != nil {
				t.Fatal(err)
			}
			tags, err := idl.NewK8s(idl.Reading{Stage: idl.StageAlpha})
			if err != nil {
				t.Fatal(err)
			}
			config := idl.Config{Roots: roots(testdata+"k8s", "Root"), Dialects: []idl.Dialect{standard, idl.Only(row.packages, tags)}}
			if row.overlay != "" {
				config.Overlays = []*idl.Overlay{
					overlay(t, "package: "+testdata+"k8s\ntypes:\n  Root:\n    fields:\n      "+row.field+": "+row.overlay+"\n"),
				}
			}
			result, err := idl.Generate(config)
			if err != nil {
				t.Fatal(err)
			}
			got := plain(t, result.Definitions)["Root"].(map[string]any)["properties"].(map[string]any)[row.field]
			if diff := cmp.Diff(parse(t, row.want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
