package kep4153

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
)

// definition defines a marker of the dialect.
type definition struct {
	name     string
	group    string
	shape    string        // an example; by default "+name=…"
	argument any           // zero value of the argument's Go type, as controller-tools parses it; nil for none
	on       []target.Kind // kinds of value it can constrain; empty for all
	onField  bool          // it may be written on fields only
	repeats  bool
	remark   bool // it describes structure and is not a validation
	apply    func(*target.Target, any) error
}

// table holds the definitions. The parser of controller-tools reads the markers.
type table struct {
	registry    *markers.Registry
	definitions map[string]*definition
}

func newTable(definitions []definition) (*table, error) {
	t := &table{registry: &markers.Registry{}, definitions: map[string]*definition{}}
	for _, each := range definitions {
		argument := each.argument
		if argument == nil {
			argument = struct{}{}
		}
		if err := t.registry.Define(each.name, markers.DescribesField, argument); err != nil {
			return nil, fmt.Errorf("marker %s: %w", each.name, err)
		}
		t.definitions[each.name] = &each
	}
	return t, nil
}

// Names implements Dialect.
func (t *table) Names() []string {
	var names []string
	for name := range t.definitions {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Namespace implements Dialect.
func (t *table) Namespace() string { return "" }

// Parse implements Dialect. In the KEP, a rule is the marker's own argument, followed by named
// arguments. The parser of controller-tools does not support that, so Parse first gives the rule a
// name.
func (t *table) Parse(text string) (*target.Marker, error) {
	if rest, ok := strings.CutPrefix(text, "+validationRule="); ok {
		text = "+validationRule:rule=" + rest
	}
	found := t.registry.Lookup(text, markers.DescribesField)
	if found == nil {
		return nil, nil
	}
	d := t.definitions[found.Name]
	if err := d.checkArguments(text); err != nil {
		return nil, err
	}
	value, err := found.Parse(text)
	if err != nil {
		return nil, marker.ArgumentError(found, err)
	}
	return &target.Marker{
		Name: d.name, Group: d.group, Repeats: d.repeats, Declares: !d.remark,
		Apply: func(t *target.Target) error { return d.applyTo(t, value) },
	}, nil
}

// checkArguments reports a missing argument, and an argument of a marker that takes none. The
// parser accepts both.
func (d *definition) checkArguments(text string) error {
	_, argument, given := strings.Cut(text, "=")
	switch d.argument.(type) {
	case flag, optionalText:
		return nil
	}
	switch {
	case d.argument == nil && given:
		return fmt.Errorf("+%s takes no argument, got %q", d.name, argument)
	case d.argument != nil && argument == "" && (given || !d.bare()):
		return fmt.Errorf("+%s needs an argument: %s", d.name, d.usage())
	}
	return nil
}

// usage returns an example of the marker.
func (d *definition) usage() string {
	if d.shape != "" {
		return d.shape
	}
	return "+" + d.name + "=…"
}

// bare reports whether the marker may be written without an argument.
func (d *definition) bare() bool {
	_, ok := d.argument.(enumValues)
	return ok
}

func (d *definition) applyTo(t *target.Target, value any) error {
	if t.Inlined && d.name == "optional" {
		return nil // each field of the inlined struct has its own marker; upstream's IngressRule has such a line
	}
	if d.onField && !t.IsField() {
		return fmt.Errorf("+%s applies to fields only", d.name)
	}
	if kind := t.Kind(); len(d.on) > 0 && !slices.Contains(d.on, kind) {
		return fmt.Errorf("+%s applies to %s; this is %s%s", d.name, target.Plurals(d.on), kind.Article(), missingPrefix(d.on, kind))
	}
	return d.apply(t, value)
}

// missingPrefix suggests the prefix that is probably missing.
func missingPrefix(on []target.Kind, kind target.Kind) string {
	switch {
	case kind == target.KindList && !slices.Contains(on, target.KindMap):
		return " (+items:… constrains its items)"
	case kind == target.KindMap:
		return " (+values:… and +keys:… constrain its contents)"
	}
	return ""
}
