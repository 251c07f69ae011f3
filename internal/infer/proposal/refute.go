package proposal

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// RefutedRule is a rule that agrees with all objects that it was made from, but refuses another one that the
// native validator accepts. It is not proposed.
type RefutedRule struct {
	Rule     *Rule             `json:"rule"`
	Accepted *evidence.Example `json:"accepted"`
}

// Refute looks for the rules of a proposal that refuse what the native validator accepts, as its proof found. They are
// not proposed again.
func (pr *Prover) Refute(p *Proposal, found *Proof) error {
	for _, cause := range found.Strict.Order {
		one := found.Strict.ByCause[cause]
		at := evidence.PlaceOf(cause.Field)
		for _, in := range one.Some {
			if err := pr.refuteBy(p, at, one.Text, in); err != nil {
				return err
			}
		}
	}
	return nil
}

// refuteBy looks for the rules that refuse an input at a place, with a text. If none does so alone, those that have the text do
// or, if none has it, all that are about the place.
func (pr *Prover) refuteBy(p *Proposal, at evidence.Place, text string, in explore.Input) error {
	s := &evidence.Sample{Input: in}
	if !pr.Evidence.Decode(s) {
		return nil
	}
	var suspects []*Rule
	known := false
	for _, rule := range p.Rules {
		if !rule.At.Has(at) {
			continue
		}
		if pr.RefutedRule(rule) != nil {
			known = true
			continue
		}
		suspects = append(suspects, rule)
	}
	alone := 0
	for _, rule := range suspects {
		judge, err := pr.Alone(rule)
		if err != nil {
			return err
		}
		if len(judge(context.Background(), s.Decoded, s.DecodedOld)) > 0 {
			pr.Refuted = append(pr.Refuted, RefutedRule{rule, evidence.ExampleOf(in)})
			alone++
		}
	}
	if alone > 0 || known {
		return nil
	}
	if saying := saying(suspects, text); len(saying) > 0 {
		suspects = saying
	}
	for _, rule := range suspects {
		pr.Refuted = append(pr.Refuted, RefutedRule{rule, evidence.ExampleOf(in)})
	}
	return nil
}

// saying returns the rules that report an error with a text.
func saying(all []*Rule, text string) (some []*Rule) {
	for _, rule := range all {
		if rule.Validation != nil && rule.Validation.Message != "" && strings.HasSuffix(text, rule.Validation.Message) {
			some = append(some, rule)
		}
	}
	return some
}

// RefutedRule returns what refutes a rule; nil: nothing does.
func (pr *Prover) RefutedRule(rule *Rule) *RefutedRule {
	for n := range pr.Refuted {
		if pr.Refuted[n].Rule.String() == rule.String() {
			return &pr.Refuted[n]
		}
	}
	return nil
}

// RefutedAt returns what refutes a rule of a site; nil: nothing does.
func (pr *Prover) RefutedAt(of *evidence.Site) *RefutedRule {
	for n := range pr.Refuted {
		if slices.Contains(pr.Refuted[n].Rule.Sites, of) {
			return &pr.Refuted[n]
		}
	}
	return nil
}

// Alone returns the schema with one rule.
func (pr *Prover) Alone(rule *Rule) (evidence.Validate, error) {
	p := &Proposal{Rules: []*Rule{rule}}
	if err := p.Write(pr); err != nil {
		return nil, err
	}
	return pr.ValidatorOf(p)
}

// ValidatorOf returns the schema of a proposal as it guards beside the native validator.
func (pr *Prover) ValidatorOf(p *Proposal) (evidence.Validate, error) {
	if pr.Evidence.Target.GoPackage != "" {
		document, err := pr.withRules(p.Rules)
		if err != nil {
			return nil, err
		}
		validator, err := declarative.Compile(document.Root, declarative.Options{
			Root:              true,
			WithoutEstimation: true,
			Definitions:       document.Definitions,
		})
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, object, old map[string]any) field.ErrorList {
			if old == nil {
				return validator.Validate(ctx, value.NewValueInterface(object), nil)
			}
			return validator.Validate(ctx, value.NewValueInterface(object), value.NewValueInterface(old))
		}, nil
	}
	resource := apiresource.New(p.Version.Of.CRD, apiresource.Version{Name: p.Version.Version, Schema: p.Version.Schema})
	backend, err := resource.Compile(resource.Versions[0])
	if err != nil {
		return nil, err
	}
	return backend.LeavingMetadata().Validator.Validate, nil
}

// schemeOf returns how objects of a version are read. Where defaults are hand-written functions, they are set before the schema
// of the Go type is asked, which may require what they set.
func (pr *Prover) schemeOf(version *definitions.Version) (harness.Scheme, error) {
	of := pr.Evidence.Target.Harness.Target().Scheme
	if native, is := of.(contract.CapableScheme); is && pr.Evidence.Target.GoPackage != "" && native.Capabilities().Defaulted != nil {
		return of, nil
	}
	read := apiresource.Version{Name: version.Version, Schema: version.Schema}
	var resource apiresource.Resource
	if pr.Evidence.Target.GoPackage != "" {
		read.Schema, read.Definitions = pr.types.Root, pr.types.Definitions
		resource = apiresource.Resource{Kind: version.GroupKind(), NativeTypes: true, Versions: []apiresource.Version{read}}
	} else {
		resource = apiresource.New(version.Of.CRD, read)
	}
	definition, err := apiresource.NewDefinition(resource)
	return serving.Scheme{Resource: definition}, err
}
