package idl

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
)

// A Dialect is a family of markers, such as those of KEP-4153, of kubebuilder, or upstream's
// "+k8s:" markers. The dialect defines what a marker means. Where markers are read and how they
// reach their targets is the same for all dialects.
type Dialect interface {
	// Parse parses one marker: "+name=arguments" on one line, without a prefix such as "items:".
	// It returns nil if the marker does not belong to the dialect, and an error if the arguments
	// are wrong.
	Parse(text string) (*Marker, error)
	// Names returns the names of the markers of the dialect, sorted, without "+".
	Names() []string
}

// A Marker is a parsed marker: its name, and how it changes its target.
type Marker struct {
	Name string
	// Repeats allows the marker more than once on one target.
	Repeats bool
	// Group is the name of a group of markers that an overlay replaces together. If empty, it is
	// Name.
	Group string
	// Short is another name by which an overlay removes the marker; "" for none.
	Short string
	// First says that the marker is applied before those that do not say so.
	First bool
	// Declares is true for a validation, and false for a marker that only describes structure.
	Declares bool
	// Apply changes the target. The error says what is wrong and what is accepted.
	Apply func(*Target) error
	// applied says that controller-tools has applied the marker, and addition is what a marker of
	// controller-tools writes.
	applied bool
	// unsilenced is the marker as it is in an overlay, which controller-tools does not read. Nil: it
	// has not been silenced.
	unsilenced *Marker
	addition   schemaMarker
}

func (m *Marker) group() string {
	if m.Group == "" {
		return m.Name
	}
	return m.Group
}

// definition defines one marker of a dialect.
type definition struct {
	name     string
	group    string
	shape    string // how it is written, where that is not "+name=…"
	argument any    // zero value of the argument's Go type, as controller-tools parses it; nil for none
	on       []Kind // kinds of value it can constrain; empty for all
	site     site
	repeats  bool
	remark   bool // no validation of its own
	apply    func(*Target, any) error
}

// site is where a marker may be written.
type site int

const (
	anywhere site = iota
	onFields
)

// table is a dialect made of definitions. The parser of controller-tools reads the markers.
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

// Parse implements Dialect.
func (t *table) Parse(text string) (*Marker, error) {
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
		// The other messages are consequences of the first.
		return nil, fmt.Errorf("+%s: %s", d.name, withAccepted(scannerMessages(err)[0], found))
	}
	return &Marker{
		Name: d.name, Group: d.group, Repeats: d.repeats, Declares: !d.remark,
		Apply: func(target *Target) error { return d.applyTo(target, value) },
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

// withAccepted adds the accepted arguments to a message about an unknown one.
func withAccepted(message string, of *markers.Definition) string {
	if !strings.HasPrefix(message, "unknown argument") {
		return message
	}
	return message + "; accepted: " + strings.Join(slices.Sorted(maps.Keys(of.Fields)), ", ")
}

// bare reports whether the marker may be written without an argument.
func (d *definition) bare() bool {
	_, ok := d.argument.(enumValues)
	return ok
}

func (d *definition) applyTo(target *Target, value any) error {
	if target.inlined && d.name == "optional" {
		return nil // the fields of an inlined struct say themselves whether they are: upstream's IngressRule has such a line
	}
	if d.site == onFields && !target.isField() {
		return fmt.Errorf("+%s applies to fields only", d.name)
	}
	if kind := target.Kind(); len(d.on) > 0 && !slices.Contains(d.on, kind) {
		return fmt.Errorf("+%s applies to %s; this is %s%s", d.name, plurals(d.on), article(kind), elsewhere(d.on, kind))
	}
	return d.apply(target, value)
}

// elsewhere suggests the prefix that is probably missing.
func elsewhere(on []Kind, kind Kind) string {
	switch {
	case kind == KindList && !slices.Contains(on, KindMap):
		return " (+items:… constrains its items)"
	case kind == KindMap:
		return " (+values:… and +keys:… constrain what it holds)"
	}
	return ""
}

// scannerMessages removes positions from the messages of controller-tools. They count from the
// "=", so they would confuse the reader.
func scannerMessages(err error) []string {
	var list loader.ErrList
	if errors.As(err, &list) {
		var all []string
		for _, each := range list {
			all = append(all, scannerMessages(each)...)
		}
		return all
	}
	var scan *markers.ScannerError
	if errors.As(err, &scan) {
		return []string{scan.Msg}
	}
	return []string{err.Error()}
}

// Dialects makes all dialects: KEP-4153's, upstream's +k8s: tags, and kubebuilder's markers.
func Dialects(reading Reading) ([]Dialect, error) {
	standard, err := NewKEP4153()
	if err != nil {
		return nil, err
	}
	upstream, err := NewK8s(reading)
	if err != nil {
		return nil, err
	}
	builder, err := NewKubebuilder()
	if err != nil {
		return nil, err
	}
	return []Dialect{standard, upstream, builder}, nil
}

// namespaced is a dialect that owns all markers with a prefix. An unknown marker with the prefix
// is a mistake, even if no known name is similar.
type namespaced interface {
	namespace() string
}

func vocabularyOf(dialects []Dialect) *marker.Vocabulary {
	var names, namespaces []string
	for _, dialect := range dialects {
		names = append(names, dialect.Names()...)
		if owner, ok := dialect.(namespaced); ok && owner.namespace() != "" {
			namespaces = append(namespaces, owner.namespace())
		}
	}
	return marker.NewVocabulary(names, namespaces)
}
