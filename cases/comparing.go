package cases

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// Scope returns which errors the suite compares: those that are asked for, or else those of the
// suite.
func (s *Suite) Scope(asked words.Compare) words.Compare {
	return cmp.Or(asked, s.scope, words.CompareAll)
}

// Backends returns the names of the backends that the suite can compare, sorted.
func (s *Suite) Backends() []string {
	return slices.Sorted(maps.Keys(s.makers()))
}

// makers are the backends besides the native one, by name. That has none: its target has it.
func (s *Suite) makers() map[string]Declaratives {
	all := map[string]Declaratives{contract.NativeName: nil, contract.DeclarativeName: s.declaratives}
	maps.Copy(all, s.named)
	return all
}

// Comparing returns the names of the two backends that the suite compares: those that are asked
// for, or else those of the suite. The error lists the backends of the suite.
func (s *Suite) Comparing(asked harness.Sides) (harness.Sides, error) {
	if asked == (harness.Sides{}) {
		return s.compare, nil
	}
	for _, name := range []string{asked.First, asked.Second} {
		if _, known := s.makers()[name]; !known {
			return asked, fmt.Errorf("suite %s has no backend %q; it has %s", s.Name, name, strings.Join(s.Backends(), ", "))
		}
	}
	if asked.First == asked.Second {
		return asked, fmt.Errorf("%q is on both sides; name two backends, or compare one with itself with --self", asked.First)
	}
	return asked.Usual(), nil
}

// loadComparing checks the key "compare".
func (l *loader) loadComparing() {
	at := l.file.Compare.Position
	at.File = l.Name
	sides, err := l.suite.Comparing(l.file.Compare.Sides)
	if err != nil {
		l.shared.mistakes.Addf(at, "compare: %v", err)
	}
	l.suite.compare, l.suite.scope = sides, l.file.Compare.Scope
	if worlds, are := l.suite.natives.(*worlds); are && l.suite.scope == "" {
		l.suite.scope = worlds.scope()
	}
}

// withPair sets both backends of each version, and leaves out the versions that one of them does
// not offer.
func (t *targets) withPair(sides harness.Sides, versions []harness.Version) ([]harness.Version, error) {
	first, second := sides.Names()
	var kept []harness.Version
	lacking := ""
	for _, version := range versions {
		native := version.Native
		version.Declarative = nil
		for _, side := range []struct {
			name string
			at   *harness.Backend
		}{{first, &version.Native}, {second, &version.Declarative}} {
			backend, err := t.named(side.name, native, version.GroupVersionKind)
			if errors.Is(err, contract.ErrNotOffered) {
				lacking = side.name
				break
			}
			*side.at = t.orBroken(side.name, version.GroupVersionKind, backend, err)
		}
		if version.Declarative != nil {
			kept = append(kept, version)
		}
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("no version of %s has a backend %q", versions[0].GroupKind(), lacking)
	}
	return kept, nil
}

// named returns the backend of a name. The second side of a comparison counts for coverage, as
// the declarative one does.
func (t *targets) named(name string, native harness.Backend, version schema.GroupVersionKind) (harness.Backend, error) {
	maker := t.suite.makers()[name]
	switch {
	case name == contract.NativeName:
		return native, nil
	case name == contract.DeclarativeName:
		backend, shown, err := t.declarative(version)
		if shown != nil {
			t.events = append(t.events, *shown)
		}
		return backend, err
	}
	backend, err := maker.guarded(version)
	if counts, can := backend.(covering); can && err == nil && t.options.Coverage != nil {
		return counts.Covered(version, t.options.Coverage(version, nil))
	}
	return backend, err
}

// offering is a backend that validates some subresources only.
type offering interface {
	// Offers returns why the backend does not validate a subresource of its kind, or nil.
	Offers(subresource string) error
}

// lacking returns why a backend of a comparison does not validate the subresource of a case.
func lacking(target *harness.Target, subresource string) error {
	for _, version := range target.Versions {
		for _, backend := range []harness.Backend{version.Native, version.Declarative} {
			if offers, some := backend.(offering); some {
				if err := offers.Offers(subresource); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
