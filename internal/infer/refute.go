package infer

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/harness"
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

// refute looks for the rules of a proposal that refuse what the native validator accepts, as its proof found. They are
// not proposed again.
func (i *inference) refute(p *proposal, found *proof) error {
	for _, cause := range found.strict.Order {
		one := found.strict.ByCause[cause]
		at := evidence.PlaceOf(cause.Field)
		for _, in := range one.Some {
			if err := i.refuteBy(p, at, in); err != nil {
				return err
			}
		}
	}
	return nil
}

// refuteBy looks for the rules that refuse an input at a place. If none does so alone, all that are about the place do.
func (i *inference) refuteBy(p *proposal, at evidence.Place, in explore.Input) error {
	s := &evidence.Sample{Input: in}
	if !i.evidence.Decode(s) {
		return nil
	}
	var suspects []*Rule
	known := false
	for _, rule := range p.rules {
		if !rule.at.Has(at) {
			continue
		}
		if i.refutedRule(rule) != nil {
			known = true
			continue
		}
		suspects = append(suspects, rule)
	}
	alone := 0
	for _, rule := range suspects {
		judge, err := i.alone(rule)
		if err != nil {
			return err
		}
		if len(judge(context.Background(), s.Decoded, s.DecodedOld)) > 0 {
			i.refuted = append(i.refuted, RefutedRule{rule, evidence.ExampleOf(in)})
			alone++
		}
	}
	for _, rule := range suspects {
		if alone == 0 && !known {
			i.refuted = append(i.refuted, RefutedRule{rule, evidence.ExampleOf(in)})
		}
	}
	return nil
}

// refutedRule returns what refutes a rule; nil: nothing does.
func (i *inference) refutedRule(rule *Rule) *RefutedRule {
	for n := range i.refuted {
		if i.refuted[n].Rule.String() == rule.String() {
			return &i.refuted[n]
		}
	}
	return nil
}

// refutedAt returns what refutes a rule of a site; nil: nothing does.
func (i *inference) refutedAt(of *evidence.Site) *RefutedRule {
	for n := range i.refuted {
		if slices.Contains(i.refuted[n].Rule.sites, of) {
			return &i.refuted[n]
		}
	}
	return nil
}

// alone returns the schema with one rule.
func (i *inference) alone(rule *Rule) (evidence.Validate, error) {
	p := &proposal{rules: []*Rule{rule}}
	if err := p.write(i); err != nil {
		return nil, err
	}
	return i.validatorOf(p)
}

// validatorOf returns the schema of a proposal as it guards beside the native validator.
func (i *inference) validatorOf(p *proposal) (evidence.Validate, error) {
	if i.evidence.Target.GoPackage != "" {
		document, err := i.withRules(p.rules)
		if err != nil {
			return nil, err
		}
		validator, err := declarative.Compile(document.Root, declarative.Options{Root: true, WithoutEstimation: true, Definitions: document.Definitions})
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
	resource, err := apiresource.New(p.version.Of.CRD, []apiresource.Version{{Name: p.version.Version, Schema: p.version.Schema}})
	if err != nil {
		return nil, err
	}
	backend, err := resource.BesideNative(0)
	if err != nil {
		return nil, err
	}
	return backend.Validator.Validate, nil
}

// schemeOf returns how objects of a version are read. Where defaults are hand-written functions, they are set before the schema
// of the Go type is asked, which may require what they set.
func (i *inference) schemeOf(version *definitions.Version) (harness.Scheme, error) {
	of := i.evidence.Target.Harness.Target().Scheme
	if native, is := of.(harness.CapableScheme); is && i.evidence.Target.GoPackage != "" && native.Capabilities().Defaulted != nil {
		return of, nil
	}
	versions := []apiresource.Version{{Name: version.Version, Schema: version.Schema}}
	if i.evidence.Target.GoPackage != "" {
		versions[0].Schema, versions[0].Definitions = i.types.Root, i.types.Definitions
		return apiresource.NewScheme(apiresource.Resource{Kind: version.GroupKind(), NativeTypes: true, Versions: versions})
	}
	resource, err := apiresource.New(version.Of.CRD, versions)
	if err != nil {
		return nil, err
	}
	return apiresource.NewScheme(resource)
}
