package exploring

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Target explores a version of a kind of a suite, or a subresource of it.
type Target struct {
	Suite   *cases.Suite
	Version schema.GroupVersionKind
	// Subresource is one that cases of the suite update, or the status of a definition. It is empty for the
	// resource itself.
	Subresource string

	binder   *binder
	starts   []explore.Input
	cases    []harness.Case
	explorer *explore.Explorer // nil before the first step
	like     harness.Case
	check    *harness.Harness
	reach    reach
	// conditions are those of the validators, if they are goals.
	conditions conditionSites
}

// Options are the options of Explore and of each Target.
type Options struct {
	Seed     uint64
	Parallel int
	// Fields are the fields whose values are changed; none: all are.
	Fields []string
	// OldObjects says which old objects updates have; empty: those that today's side would store.
	OldObjects string
	// Jobs returns the options for the jobs of a suite.
	Jobs func(*cases.Suite) cases.JobOptions
	// Corpus is where to go on from; nil: each exploration begins anew.
	Corpus *Corpus
	// Policies loads the policies that are proposed; nil: none are.
	Policies cases.PolicyLoader
	// Conditions returns the error sites of the validators of a suite for a kind; nil: they are no goals.
	Conditions func(suite *cases.Suite, kind string) conditionSites
	// Warn prints a warning.
	Warn func(format string, args ...any)
	// Observe receives the results of each input that is compared. Found receives the results of
	// the small input of each new finding. Their errors end the exploration.
	Observe func(*Target, []harness.Result) error
	Found   func(*Target, explore.Found, []harness.Result) error
}

// String returns the name of the target.
func (t *Target) String() string {
	name := apiname.Target(t.Version)
	if t.Subresource != "" {
		name += "/" + t.Subresource
	}
	return name
}

// Explorer returns the explorer, or nil before the first step.
func (t *Target) Explorer() *explore.Explorer { return t.explorer }

// Step explores a little further. The first step compiles the schema.
func (t *Target) Step(ctx context.Context, options Options) error {
	if t.explorer == nil {
		if err := t.prepare(options); err != nil {
			return fmt.Errorf("%s cannot be explored: %w", t, err)
		}
	}
	return t.explorer.Step(ctx)
}

// Begin asks about one case, so that the programs of the suite are built, which can take minutes, before the time of an
// exploration begins.
func (t *Target) Begin(ctx context.Context, options Options) error {
	if t.explorer == nil {
		if err := t.prepare(options); err != nil {
			return err
		}
	}
	starts := in(t.Version, t.starts)
	if len(starts) == 0 {
		return nil
	}
	_, err := t.check.Check(ctx, asking.Case(t.like, starts[0]))
	return err
}

// prepare creates the explorer.
func (t *Target) prepare(options Options) error {
	compiled, err := t.binder.schema(t.Version)
	if err != nil {
		return err
	}
	props, err := generate.Expand(compiled.Document.Root, compiled.Document.Definitions)
	if err != nil {
		return err
	}
	if err := checkFields(props, options.Fields); err != nil {
		return err
	}
	known, tried, err := options.Corpus.load(t)
	if err != nil {
		return err
	}
	object := generate.ObjectOptions{ClusterScoped: clusterScoped(t.starts)}
	object.APIVersion, object.Kind = t.Version.ToAPIVersionAndKind()
	t.like = harness.Case{ID: "explored " + t.String(), Version: t.Version, Subresource: t.Subresource}
	bound := t.like
	bound.Object = map[string]any{}
	job, err := t.binder.job(bound)
	if err != nil {
		return err
	}
	t.check = job.Harness
	fields := options.Fields
	if len(fields) == 0 && t.Subresource == "status" && explore.HasField(props, "status") {
		fields = []string{"status", "metadata"} // the others of a request are ignored
	}
	var counter asking.Counter
	if linked, err := errorsites.ThisProgram(); err == nil {
		counter = linked
	} else if !errors.Is(err, errorsites.ErrNoCounters) {
		return err
	}
	ask, err := asking.Of(job.Harness, t.like, counter)
	if err != nil {
		return err
	}
	stores, err := t.stores()
	if err != nil {
		return err
	}
	if options.Conditions != nil && t.Subresource == "" {
		t.conditions = options.Conditions(t.Suite, t.Version.Kind)
	}
	t.explorer = explore.New(explore.Options{
		Goals: t.conditions.asGoals(), Confirms: t.conditions.confirms,
		Seed: options.Seed, Parallel: options.Parallel, Fields: fields, Schema: props, Rules: rulesOf(t.Suite),
		Starts: in(t.Version, t.starts), Known: known, Tried: tried, Updates: t.Subresource != "",
		Object: object, Ask: ask, Stores: stores, AnyOld: options.OldObjects == AnyOldObjects,
		Observe: func(_ explore.Input, answer explore.Answer) error {
			results, _ := answer.Detail.([]harness.Result)
			return options.Observe(t, results)
		},
		Found: func(found explore.Found) error {
			results, err := t.check.Check(context.Background(), asking.Case(t.like, found.Input))
			if err != nil {
				return err
			}
			return options.Found(t, found, results)
		},
	})
	return nil
}

// stores returns a function that asks whether today's side would store an object of the kind.
func (t *Target) stores() (explore.Stores, error) {
	of := t.like
	of.Subresource, of.Object = "", map[string]any{}
	job, err := t.binder.job(of)
	if err != nil {
		return nil, err
	}
	var status *harness.Harness
	if t.binder.hasStatus(t.Version) {
		of.Subresource, of.Old = "status", of.Object
		updating, err := t.binder.job(of)
		if err != nil {
			return nil, err
		}
		status = updating.Harness
	}
	return asking.Stores(job.Harness, status, of)
}

// checkFields returns an error that names the fields that a schema lacks.
func checkFields(schema *apiextensionsv1.JSONSchemaProps, fields []string) error {
	var errs []error
	for _, field := range fields {
		if !explore.HasField(schema, field) {
			errs = append(errs, fmt.Errorf("--field: it has no field %s; write it as in spec.ports[*].port, and select the kinds "+
				"that have it with --kinds", field))
		}
	}
	return errors.Join(errs...)
}

// rulesOf returns the expressions of the policies of a suite.
func rulesOf(suite *cases.Suite) []explore.Rule {
	var all []explore.Rule
	for _, expression := range suite.PolicyExpressions() {
		rule, ok := explore.ParseRule(expression.Text, expression.Variables)
		if !ok {
			continue
		}
		if !expression.Decides {
			rule.Literals, rule.Params = nil, false // they are parts of sentences
		}
		all = append(all, rule.WithParameters(expression.Parameters))
	}
	return all
}

// clusterScoped reports whether no object has a namespace. Without objects it is not known.
func clusterScoped(inputs []explore.Input) bool {
	return len(inputs) > 0 && !slices.ContainsFunc(inputs, func(in explore.Input) bool {
		metadata, _ := in.Object["metadata"].(map[string]any)
		return metadata["namespace"] != nil
	})
}

var errNoSchema = errors.New("no schema")

// extraSubresources returns the subresources of a version that no case updates: those that guards see, and the
// status of kinds in files.
func extraSubresources(suite *cases.Suite, b *binder, version schema.GroupVersionKind, inputs map[string][]explore.Input) []string {
	var names []string
	if len(inputs[""]) > 0 {
		names = slices.Clone(suite.GuardedSubresources(version.GroupKind()))
	}
	if !suite.Bundled() && !slices.Contains(names, "status") && b.hasStatus(version) {
		names = append(names, "status")
	}
	return slices.DeleteFunc(names, func(name string) bool { return inputs[name] != nil })
}

// subresourceEvery is how often subresources are explored after their first inputs: they have fewer fields.
const subresourceEvery, firstInputs = 4, 100

// Due reports whether a target is explored in a round. Subresources are explored less often.
func (t *Target) Due(round int) bool {
	return t.Subresource == "" || t.explorer == nil || t.explorer.Stats().Inputs < firstInputs || round%subresourceEvery == 0
}

// Names lists the names of targets for a sentence.
func Names(targets []*Target) string {
	var names []string
	for _, t := range targets {
		names = append(names, t.String())
	}
	return plaintext.List(names)
}

// Targets returns the targets of all suites of a plan, and warns of targets that cannot be explored.
func Targets(plan *cases.Plan, options Options) (all []*Target, err error) {
	for _, suite := range plan.Suites {
		if suite.Alone() {
			options.Warn("diffrun: warning: suite %s sets feature gates and is left out: objects are made for the default gates\n",
				suite.Name)
			continue
		}
		found, err := targetsOf(plan, suite, options)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, errors.New("nothing to explore: no kind has a schema to make objects from; a suite with cases is explored " +
			"only for their kinds")
	}
	return all, nil
}

// targetsOf returns the targets of a suite: each version that has a schema, and the subresources
// that cases update. A suite with cases has the kinds of its cases alone.
func targetsOf(plan *cases.Plan, suite *cases.Suite, options Options) (all []*Target, err error) {
	binder := newBinder(suite, options.Jobs(suite))
	redundant := plan.Redundant(suite)
	known, err := startsOf(suite)
	if err != nil {
		options.Warn("diffrun: warning: %v\n", err)
	}
	if known.unreadable > 0 {
		cannot := "1 case cannot be read, and nothing starts from it"
		if known.unreadable > 1 {
			cannot = fmt.Sprintf("%d cases cannot be read, and nothing starts from them", known.unreadable)
		}
		options.Warn("diffrun: warning: suite %s: %s; diffrun run says why\n", suite.Name, cannot)
	}
	if known.ofSubresources > 0 {
		options.Warn("diffrun: warning: suite %s: nothing starts from %s of requests that only subresources take, "+
			"such as an Eviction or a CONNECT; diffrun run compares them\n", suite.Name, plaintext.Count(known.ofSubresources, "case"))
	}
	without := 0
	for _, version := range suite.Versions() {
		if redundant(harness.Case{Version: version}) {
			continue
		}
		inputs := known.inputs[version.GroupKind()]
		if inputs == nil && (len(known.inputs) > 0 || suite.HasBuiltInWorlds()) {
			continue
		}
		if !suite.Bundled() { // bundled suites have all schemas
			if _, err := binder.schema(version); errors.Is(err, errNoSchema) {
				without++
				continue
			} else if err != nil {
				return nil, err
			}
		}
		target := Target{Suite: suite, Version: version, binder: binder, starts: inputs[""], cases: known.cases[version.GroupKind()]}
		all = append(all, &target)
		for _, subresource := range slices.Sorted(maps.Keys(inputs)) {
			if subresource != "" {
				of := target
				of.Subresource, of.starts = subresource, inputs[subresource]
				all = append(all, &of)
			}
		}
		for _, subresource := range extraSubresources(suite, binder, version, inputs) {
			of := target
			of.Subresource = subresource
			all = append(all, &of)
		}
	}
	if without > 0 {
		options.Warn("diffrun: warning: suite %s: %d versions of kinds are not explored, because their schemas are not available\n",
			suite.Name, without)
	}
	return all, nil
}
