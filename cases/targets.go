package cases

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/cases/internal/casefile"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
)

// targets are the kinds of a suite that cases have named so far.
type targets struct {
	suite   *Suite
	options JobOptions
	// recorded are errors to compare in place of the schema; nil: none.
	recorded *answers
	made     map[schema.GroupKind]*harness.Harness
	// known has all versions of these kinds, compared or not.
	known map[schema.GroupKind][]harness.Version
	// sides are the backends to compare.
	sides harness.Sides
	// events are about schemas that the next job is the first one of.
	events []Event
}

func (s *Suite) targets(options JobOptions) *targets {
	sides, err := s.Comparing(options.Compared)
	if err != nil {
		sides = harness.Sides{} // the caller has asked before
	}
	for _, converter := range s.converters {
		converter.SetTimeout(cmp.Or(options.Harness.Timeout, contract.DefaultTimeout))
	}
	if _, recorded := s.natives.(recordedNatives); recorded || options.CheckRecorded != nil {
		options.Harness.Stored = false // nothing was recorded about other requests
	}
	return &targets{
		suite:   s,
		options: options,
		sides:   sides,
		made:    map[schema.GroupKind]*harness.Harness{},
		known:   map[schema.GroupKind][]harness.Version{},
	}
}

// bind returns the events of a case. If it panics, the next call returns the events that were
// collected.
func (t *targets) bind(c harness.Case) ([]Event, error) {
	if unlooked := (*casefile.UnlookedError)(nil); c.Fault != nil && errors.As(c.Fault.Err, &unlooked) {
		return []Event{Unlooked{Problem: c.Source + ": " + unlooked.Problem}}, nil
	}
	if t.options.Only != nil && !t.options.Only.MatchString(c.ID) {
		return []Event{Skipped{Reason: NotSelected, Case: c.ID}}, nil
	}
	if t.recorded != nil && !t.recorded.has(c.ID) {
		return []Event{Skipped{Reason: NotRecorded, Case: c.ID}}, nil
	}
	if why := (*casefile.NotACaseError)(nil); c.Fault != nil && errors.As(c.Fault.Err, &why) {
		if why.Reason == "" {
			return nil, nil
		}
		return []Event{Skipped{Reason: NotACase, Case: c.ID, Detail: why.Reason}}, nil
	}
	if version, unguarded := t.unguarded(c); unguarded {
		return []Event{Skipped{Reason: NoGuard, Case: c.ID, Version: version}}, nil
	}
	job, err := t.job(c)
	events := t.events
	t.events = nil
	if err != nil {
		return events, err
	}
	if version, missing := missingTarget(job.Case.Fault); missing && t.options.SkipMissing {
		return append(events, Skipped{Reason: NoTarget, Case: c.ID, Version: version}), nil
	}
	return append(events, Job{job}), nil
}

// unguarded reports whether no guard of the suite can see the object of a case.
func (t *targets) unguarded(c harness.Case) (schema.GroupVersionKind, bool) {
	if t.suite.unguarded == nil || c.Fault != nil {
		return schema.GroupVersionKind{}, false
	}
	version := c.Version
	if version.Empty() {
		version, _ = versionOf(c)
	}
	return version, t.suite.unguarded(version.GroupKind())
}

// missingTarget returns the version of a case whose fault is that the suite has no target for it.
func missingTarget(fault *contract.Fault) (schema.GroupVersionKind, bool) {
	unknown := (*unknownTargetError)(nil)
	if fault == nil || !errors.As(fault.Err, &unknown) {
		return schema.GroupVersionKind{}, false
	}
	return unknown.version, true
}

// job returns the job of a case. A case without a harness is a fault.
func (t *targets) job(c harness.Case) (harness.Job, error) {
	if c.Version.Empty() {
		version, fault := versionOf(c)
		c.Version = version
		if c.Fault == nil {
			c.Fault = fault
		}
	}
	if c.Fault == nil {
		c.Fault = otherKind(c)
	}
	if first, _ := t.sides.Names(); first != contract.NativeName {
		c.Want, c.WantDecision = nil, "" // it is about the native validator, which is not called
	}
	compared, err := t.harness(c.Version)
	if c.Fault == nil && err == nil {
		c.Fault = t.suite.uncheckedWant(c)
		if why := lacking(compared.Target(), c.Subresource); why != nil {
			err = &unknownTargetError{version: c.Version, why: why}
		}
	}
	unknown := (*unknownTargetError)(nil)
	switch {
	case c.Fault != nil && err == nil:
		return t.faulty(c, c.Version)
	case c.Fault != nil:
		return t.faulty(c, schema.GroupVersionKind{})
	case errors.As(err, &unknown):
		c.Fault = &contract.Fault{Reason: words.FaultTarget, Err: err}
		return t.faulty(c, schema.GroupVersionKind{})
	}
	return harness.Job{Harness: compared, Case: c}, err
}

func (t *targets) harness(version schema.GroupVersionKind) (*harness.Harness, error) {
	compared := t.made[version.GroupKind()]
	if compared == nil {
		target, err := t.target(version)
		if err != nil {
			return nil, err
		}
		if compared, err = harness.New(target, t.options.Harness); err != nil {
			return nil, err
		}
		t.made[version.GroupKind()] = compared
	}
	known := t.known[version.GroupKind()]
	for _, known := range known {
		if known.GroupVersionKind == version {
			return compared, nil
		}
	}
	return nil, &unknownTargetError{version: version, accepted: versionNames(known)}
}

// target returns the kind of a version with the validators of the suite.
func (t *targets) target(version schema.GroupVersionKind) (*harness.Target, error) {
	target, err := t.suite.natives.Target(version.GroupKind())
	switch kinds := t.suite.natives.Kinds(); {
	case err != nil && slices.Contains(kinds, version.GroupKind()): // it has the kind, and no validator of it
		return nil, &unknownTargetError{version: version, why: err}
	case err != nil:
		return nil, &unknownTargetError{version: version, accepted: nearKinds(kinds, version)}
	}
	target.Suite, target.Sides = t.suite.Name, t.suite.Sides
	t.known[version.GroupKind()] = target.Versions
	if target.Versions = t.suite.narrow(target.Versions); len(target.Versions) == 0 {
		return nil, &unknownTargetError{version: version, accepted: []string{"none of the kind among the versions of this set of options"}}
	}
	if t.options.Native != nil {
		target.Versions = slices.Clone(target.Versions)
		for i := range target.Versions {
			target.Versions[i].Native = t.options.Native(target.Versions[i].Native)
		}
	}
	if t.recorded != nil {
		return target, t.recorded.check(target)
	}
	if t.sides != (harness.Sides{}) {
		if target.Versions, err = t.withPair(t.sides, target.Versions); err != nil {
			return nil, &unknownTargetError{version: version, why: err}
		}
		return target, nil
	}
	if target.Versions, err = t.compile(target.Versions); err != nil {
		return nil, &unknownTargetError{version: version, why: err}
	}
	return target, nil
}

// compile sets the declarative backend of each version, or broken. It compiles all of them
// concurrently, because large schemas are slow to compile. If cases without a target are left
// out, so are versions without a schema; the error is that of a kind without any.
func (t *targets) compile(versions []harness.Version) ([]harness.Version, error) {
	failed, shown := make([]error, len(versions)), make([]*CompiledSchema, len(versions))
	var compiling sync.WaitGroup
	for i := range versions {
		compiling.Go(func() {
			version := versions[i].GroupVersionKind
			versions[i].Declarative, shown[i], failed[i] = t.declarative(version)
			versions[i].Position = func(place string) string { return t.suite.SchemaLine(version, place) }
		})
	}
	compiling.Wait()
	var compiled []harness.Version
	for i, version := range versions {
		if shown[i] != nil {
			t.events = append(t.events, *shown[i])
		}
		if t.options.SkipMissing && errors.Is(failed[i], contract.ErrNotOffered) {
			continue
		}
		version.Declarative = t.orBroken(contract.DeclarativeName, version.GroupVersionKind, version.Declarative, failed[i])
		compiled = append(compiled, version)
	}
	switch {
	case len(versions) > 0 && len(compiled) == 0:
		return nil, failed[0]
	case len(compiled) < len(versions):
		t.known[versions[0].GroupKind()] = compiled
	}
	return compiled, nil
}

// orBroken replaces a backend that could not be made, and adds an event.
func (t *targets) orBroken(name string, version schema.GroupVersionKind, backend harness.Backend, err error) harness.Backend {
	if err == nil {
		return backend
	}
	t.events = append(t.events, BrokenSchema{version, err})
	return broken{name, fmt.Errorf("%s has no usable schema; the problems of the run say why", apiname.Target(version))}
}

// otherKind reports an object whose kind is not the one that the case names. Otherwise only its unknown
// fields would be reported, which does not show the cause.
func otherKind(c harness.Case) *contract.Fault {
	for _, part := range []struct {
		name   string
		object any
	}{{"object", c.Object}, {"old object", c.Old}} {
		object, _ := part.object.(map[string]any)
		kind, _ := object["kind"].(string)
		if kind != "" && kind != c.Version.Kind && !(c.Subresource == subresource.ScaleName && kind == "Scale") {
			return casefile.Faultf("the %s is a %s; the case is about %s", part.name, kind, apiname.Target(c.Version))
		}
	}
	return nil
}

// versionOf returns the version of a case's object. For a scale it is the version of the old
// object, which is the resource that is scaled.
func versionOf(c harness.Case) (schema.GroupVersionKind, *contract.Fault) {
	object, _ := c.Object.(map[string]any)
	if old, isObject := c.Old.(map[string]any); isObject && c.Subresource == subresource.ScaleName {
		object = old
	}
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	if apiVersion == "" || kind == "" {
		return schema.GroupVersionKind{}, casefile.Faultf("the case names no target, and its object has no apiVersion and kind")
	}
	if _, err := schema.ParseGroupVersion(apiVersion); err != nil {
		return schema.GroupVersionKind{}, casefile.Faultf("apiVersion of the object: %w", err)
	}
	return schema.FromAPIVersionAndKind(apiVersion, kind), nil
}
