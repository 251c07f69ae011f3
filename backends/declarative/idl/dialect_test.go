package idl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/idl"
)

// titles is a dialect of one marker, "+my:title=…", as a user could add it.
type titles struct{}

func (titles) Names() []string { return []string{"my:title"} }

func (titles) Parse(text string) (*idl.Marker, error) {
	title, ok := strings.CutPrefix(text, "+my:title=")
	if !ok {
		return nil, nil
	}
	return &idl.Marker{Name: "my:title", Declares: true, Apply: func(target *idl.Target) error {
		if target.Kind() != idl.KindText {
			return fmt.Errorf("+my:title is for text; this is %s", target.Kind())
		}
		target.Schema().Title = title
		return nil
	}}, nil
}

// TestDialects shows that dialects stand side by side, in source and overlays.
func TestDialects(t *testing.T) {
	standard, err := idl.NewKEP4153()
	if err != nil {
		t.Fatal(err)
	}
	config := idl.Config{
		Roots:    roots(testdata+"kep", "FizzBuzzSpec"),
		Dialects: []idl.Dialect{standard, titles{}},
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
	config.Dialects = []idl.Dialect{titles{}}
	if _, err := idl.Generate(config); err == nil || !strings.Contains(err.Error(), "unknown marker +maxLength; accepted: my:title") {
		t.Errorf("a dialect that was left out knows no markers; got %v", err)
	}
}
