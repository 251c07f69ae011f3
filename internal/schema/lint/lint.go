package lint

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
)

// Severity is how likely it is that a finding is a mistake.
type Severity string

const (
	// Error means that the schema does not express the author's intention.
	Error Severity = "error"
	// Warning means that authors regret this later.
	Warning Severity = "warning"
	// Info means that the author should think about it. Good schemas have many of these.
	Info Severity = "info"
)

// Severities lists all severities, the worst first.
func Severities() []Severity { return []Severity{Error, Warning, Info} }

// Finding is an unwise place of a schema.
type Finding struct {
	// Lint is the name of the lint.
	Lint     string
	Severity Severity
	// At is the place in the schema, such as "properties[spec].pattern".
	At string
	// What was found, Why it matters, and what to Do instead, as phrases.
	What, Why, Do string
}

// Lint is one kind of finding.
type Lint struct {
	Name     string
	Severity Severity
	// Why it matters, and what to Do instead, as sentences without a full stop.
	Why, Do string
	// of finds it in one schema. It is nil if the lint is about the schema as a whole.
	of func(v *visit) []hit
}

// hit is a finding in the schema that is being visited.
type hit struct {
	at   *field.Path
	what string
	// severity is that of this hit; "" for the severity of the lint.
	severity Severity
}

// Options are the options of Check.
type Options struct {
	// Definitions are the targets of $refs.
	Definitions map[string]*spec.Schema
	// Root means that the schema is that of a resource.
	Root bool
	// Costs means that the API server limits the cost of rules, as it does in
	// CustomResourceDefinitions.
	Costs bool
	// StatusSubresource means that the status has its own subresource.
	StatusSubresource bool
	// Kinds are the definitions of resources.
	Kinds []string
	// Written reports whether a marker of a Go source set the keyword at a place. Marker returns
	// its text, or "" if it is unknown. Both are nil without a source.
	Written func(at string) bool
	Marker  func(at string) string
	// Native means that the schema has the semantics of KEP-4153, as those of the built-in kinds.
	Native bool
	// Only lists the names of the lints to run. If it is empty, all run.
	Only []string
	// Disable lists the names of lints not to run.
	Disable []string
}

func (o Options) semantics() declarative.Semantics {
	if o.Native {
		return declarative.NativeTypes
	}
	return declarative.CustomResources
}

// Check returns the findings in a schema, sorted by place. The error reports an unknown lint, or is
// that of declarative.Compile, because only schemas that compile are linted.
func Check(schema *spec.Schema, opts Options) ([]Finding, error) {
	lints, err := Select(opts.Only, opts.Disable)
	if err != nil {
		return nil, err
	}
	if schema == nil {
		return nil, errors.New("there is no schema")
	}
	// A rule that costs too much is also a finding.
	compiled := declarative.Options{
		Root: opts.Root, Semantics: opts.semantics(), Definitions: opts.Definitions, WithoutEstimation: true,
	}
	reports, err := declarative.Rules(schema, compiled)
	if err != nil {
		return nil, err
	}
	validator, err := declarative.Compile(schema, compiled)
	if err != nil {
		return nil, err
	}
	w := &walker{lints: lints, opts: opts, ignored: map[string]bool{}, costs: map[string]uint64{}}
	for _, r := range reports {
		w.costs[r.At] = r.Cost
		w.total += r.Cost
	}
	for _, at := range validator.Ignored() {
		place, _, _ := strings.Cut(at, ": ")
		w.ignored[place] = true
	}
	w.schema(schema, &visit{root: opts.Root, declaring: schema, examples: w.examplesOf(schema, opts.Root)})
	for _, name := range slices.Sorted(maps.Keys(opts.Definitions)) {
		definition, isKind := opts.Definitions[name], slices.Contains(opts.Kinds, name)
		w.schema(definition, &visit{
			root: isKind, required: true, declaring: definition, at: field.NewPath("definitions").Key(name),
			examples: w.examplesOf(definition, isKind),
		})
	}
	w.whole()
	slices.SortStableFunc(w.found, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.At, b.At), strings.Compare(a.Lint, b.Lint))
	})
	return w.found, nil
}

// Select returns the lints with some names, or all if there are none, without the disabled ones.
// The error reports an unknown name.
func Select(only, disabled []string) ([]Lint, error) {
	for _, name := range slices.Concat(only, disabled) {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("unknown lint %q; accepted: %s", name, strings.Join(Names(), ", "))
		}
	}
	return slices.DeleteFunc(All(), func(l Lint) bool {
		return len(only) > 0 && !slices.Contains(only, l.Name) || slices.Contains(disabled, l.Name)
	}), nil
}

// Names returns the names of all lints, in the order of All.
func Names() []string {
	var names []string
	for _, l := range All() {
		names = append(names, l.Name)
	}
	return names
}
