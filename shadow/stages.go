package shadow

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// Stages is one schema, compiled three times from the same types: with its stable rules, with stable and
// beta rules, and with all rules (idl.StageStable, idl.StageBeta, idl.StageAlpha). As a harness.Backend,
// it returns the errors of all three, each once, marked with the first stage that has it. Each stage must
// refuse what the previous one refuses, so an object that Alpha accepts costs only one validation.
type Stages struct {
	Stable, Beta, Alpha *declarative.Validator
}

// Name is "declarative".
func (Stages) Name() string { return contract.DeclarativeName }

// Validate returns the errors of all stages.
func (s Stages) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	ofAlpha, err := declarative.Backend{Validator: s.Alpha}.Validate(ctx, in)
	if err != nil || len(ofAlpha) == 0 {
		return nil, err
	}
	ofBeta, err := declarative.Backend{Validator: s.Beta}.Validate(ctx, in)
	if err != nil {
		return nil, err
	}
	errs, err := declarative.Backend{Validator: s.Stable}.Validate(ctx, in)
	if err != nil {
		return nil, err
	}
	errs = append(errs, added(ofBeta, errs).MarkBeta()...)
	return append(errs, added(ofAlpha, errs).MarkAlpha()...), nil
}

// added returns the errors of a stage that earlier stages do not have.
func added(stage, earlier field.ErrorList) field.ErrorList {
	var errs field.ErrorList
	for _, err := range equivalence.CombineAnswers(stage, earlier).Unstable {
		if slices.Contains(stage, err) {
			errs = append(errs, err)
		}
	}
	return errs
}

// Capabilities returns those of the schema with all rules.
func (s Stages) Capabilities() contract.Capabilities {
	return declarative.Backend{Validator: s.Alpha}.Capabilities()
}
