package proposal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/coverage/conditions"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/search"
	"github.com/diffrun/diffrun/internal/remembered"
)

// Prover makes proposals for a definition, and proves them.
type Prover struct {
	Evidence   *evidence.Evidence
	Finder     *search.Finder
	Definition *definitions.Definition
	version    *definitions.Version
	types      tally.Document // the schema with its references to types
	Scheme     harness.Scheme
	Refuted    []RefutedRule
	// cases are those of the suite, and sentBack the rules whose objects were asked about with other senders.
	cases    []suiteCase
	sentBack map[string]bool
	// save is called while an exploration goes on.
	save func() error
}

// NewProver returns a prover for the definition of a target.
func NewProver(target *evidence.Target, options *evidence.Options, save func() error) (*Prover, error) {
	pr := &Prover{Evidence: &evidence.Evidence{Target: target}, types: target.Document, sentBack: map[string]bool{}, save: save}
	if err := pr.findVersion(); err != nil {
		return nil, err
	}
	var err error
	if pr.Scheme, err = pr.schemeOf(pr.version); err != nil {
		return nil, err
	}
	today, err := pr.ValidatorOf(&Proposal{Version: pr.version})
	if err != nil {
		return nil, err
	}
	// Proposals are compared on the same inputs again and again.
	if target.Harness, err = harness.New(remembered.Target(target.Harness.Target()), target.HarnessOptions); err != nil {
		return nil, err
	}
	pr.Evidence = evidence.New(target, pr.Scheme, today, options)
	pr.Finder = search.NewFinder(pr.Evidence, save)
	target.Document = tally.Document{Root: pr.version.Schema}
	pr.Evidence.FindAbsentInStored()
	return pr, nil
}

// findVersion finds the definition that gets the rules.
func (pr *Prover) findVersion() error {
	if pr.Evidence.Target.GoPackage != "" {
		pr.Evidence.Target.File, pr.version = OverlayFile, versionOfGoType(pr.Evidence.Target)
		return nil
	}
	all, err := definitions.Read(pr.Evidence.Target.File, pr.Evidence.Target.Data)
	if err != nil {
		return err
	}
	for _, d := range all {
		for _, v := range d.Versions {
			if v.GroupVersionKind == pr.Evidence.Target.Version {
				pr.Definition, pr.version = d, v
			}
		}
	}
	if pr.Definition == nil {
		return fmt.Errorf("%s has no definition of %s to add rules to", pr.Evidence.Target.File, pr.Evidence.Target.Version)
	}
	return nil
}

// Explorer returns an explorer that passes all results to observe. It starts from the cases, and from what an earlier
// one found and tried.
func (pr *Prover) Explorer(h *harness.Harness, props *apiextensionsv1.JSONSchemaProps, seed uint64, found []explore.Input,
	tried []uint64, observe func(explore.Input, []harness.Result)) (*explore.Explorer, error) {
	ask, err := asking.Of(h, pr.Evidence.Target.Like, nil)
	if err != nil {
		return nil, err
	}
	return explore.New(explore.Options{
		Fields: pr.ownFields(props), Seed: seed, Parallel: pr.Evidence.Options.Parallel, Schema: props,
		Updates: pr.Evidence.Target.Like.Subresource != "", Object: pr.Evidence.Target.Object,
		Starts: slices.Concat(pr.Evidence.Target.Starts, found), Tried: tried, AnyOld: true, Goals: pr.goals(),
		Ask: func(ctx context.Context, in explore.Input) (explore.Answer, error) {
			answer, err := ask(ctx, in)
			answer.Findings = nil // only the errors count, so nothing is made small
			return answer, err
		},
		Observe: func(in explore.Input, answer explore.Answer) error {
			results, _ := answer.Detail.([]harness.Result)
			observe(in, results)
			return nil
		},
		Found: func(explore.Found) error { return nil },
	}), nil
}

// goals returns the conditions that were read of errors that were not seen: inputs are made for them.
func (pr *Prover) goals() (all []explore.Goal) {
	for _, site := range conditions.Of(pr.Evidence.Unseen()) {
		if site.Whole() {
			all = append(all, site.Goal)
		}
	}
	return all
}

// maxWithoutNews is how many inputs in a row may show nothing new before an exploration ends.
const maxWithoutNews = 2_000

// Explore compares most inputs, or fewer if nothing new is seen for a while.
func (pr *Prover) Explore(ctx context.Context, e *explore.Explorer, most int) error {
	for e.Stats().Inputs < most && !e.Done(maxWithoutNews) {
		pr.Evidence.Progress("exploring: %d inputs, %d errors that %s lacks", e.Stats().Inputs, len(pr.Evidence.Sites),
			pr.Evidence.Schema())
		if err := errors.Join(e.Step(ctx), pr.save()); err != nil {
			return err
		}
	}
	return nil
}

// ownFields returns the fields that are explored; nil: all.
func (pr *Prover) ownFields(props *apiextensionsv1.JSONSchemaProps) (own []string) {
	for _, name := range slices.Sorted(maps.Keys(props.Properties)) {
		if pr.Evidence.Target.GoPackage != "" && name != "apiVersion" && name != "kind" && name != "metadata" && name != "status" {
			own = append(own, name)
		}
	}
	return own
}
