package main

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun"
	"github.com/diffrun/diffrun/backends/declarative"
	kinded "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	natives "github.com/diffrun/diffrun/backends/native/kubernetes"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/coverage"
)

// benchedSuite is the suite whose runs are measured.
const benchedSuite = "cases/kubernetes/networking"

// runs makes the subject of a whole run of a suite, without and with coverage. Each run
// compiles the schemas and validates all cases, as a process does that runs the suite.
func runs(f flags) ([]subject, error) {
	s := subject{name: "suite " + benchedSuite}
	if !f.only.MatchString(s.name) {
		return nil, nil
	}
	for _, counts := range []bool{false, true} {
		name := plainRun
		if counts {
			name = countedRun
		}
		if err := runSuite(counts, nil); err != nil {
			return nil, err
		}
		s.add(name, func() {
			if err := runSuite(counts, nil); err != nil {
				panic(err) // it ran before
			}
		})
	}
	return []subject{s}, nil
}

// runSuite runs the suite with schemas that nobody has compiled yet. If somebody takes the
// results, no rule and no exception explains them.
func runSuite(counts bool, take func(harness.Result) error) error {
	backends := kinded.NewBackends()
	bundled := &cases.Files{FS: diffrun.Bundle()}
	places, _, err := bundled.Find(benchedSuite)
	if err != nil {
		return err
	}
	plan, err := cases.Load(places, cases.Options{Now: time.Now(), Builtins: map[string]cases.Builtin{
		"kubernetes": {Natives: kindNatives{}, Declaratives: backends.Backend, Counting: backends.Counting, Typed: true, Gates: natives.SetGates},
	}})
	if err != nil {
		return err
	}
	recorder := &coverage.Recorder{}
	for _, suite := range plan.Suites {
		options := cases.JobOptions{Harness: harness.Options{Rules: suite.Rules, Exceptions: suite.Exceptions, Ledger: plan.Ledger()}}
		if counts {
			options.Coverage = func(version schema.GroupVersionKind, subresources []string) *declarative.Coverage {
				return recorder.Of(suite.Of(), version, subresources)
			}
		}
		if take != nil {
			options.Harness = harness.Options{}
		}
		err := harness.Run(context.Background(), suite.Jobs(options), harness.RunOptions{}, func(r harness.Result) error {
			if take != nil {
				return take(r)
			}
			if counts {
				recorder.Add(suite.Of(), &r)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	recorder.Report()
	return plan.Close()
}

// kindNatives are the hand-written validators of Kubernetes.
type kindNatives struct{}

func (kindNatives) Kinds() []schema.GroupKind { return natives.Kinds() }

func (kindNatives) Target(kind schema.GroupKind) (*harness.Target, error) {
	return natives.NewTarget(kind, func(schema.GroupVersionKind) (harness.Backend, error) { return nil, nil })
}

func (kindNatives) Namespaced(kind schema.GroupKind) (bool, error) { return natives.Namespaced(kind) }
