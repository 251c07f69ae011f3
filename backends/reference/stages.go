package reference

import (
	"context"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// stages validates an object against a schema alone: the stages of
// pkg/registry/customresource/strategy.go without those that need a resource.
type stages struct {
	schema     validation.SchemaValidator
	structural *structuralschema.Structural
	rules      *cel.Validator // nil: the schema has none
}

func newStages(s schemas, root bool) *stages {
	return &stages{
		schema:     s.validator,
		structural: s.structural,
		rules:      cel.NewValidator(s.structural, root, celconfig.PerCallLimit),
	}
}

func (s *stages) create(ctx context.Context, obj map[string]any) field.ErrorList {
	errs := validation.ValidateCustomResource(nil, obj, s.schema)
	errs = append(errs, objectmeta.Validate(ctx, nil, obj, s.structural, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, s.structural, obj)...)
	return s.withRules(ctx, errs, obj, nil)
}

func (s *stages) update(ctx context.Context, obj, old map[string]any) field.ErrorList {
	correlated := common.NewCorrelatedObject(obj, old, &model.Structural{Structural: s.structural})
	errs := validation.ValidateCustomResourceUpdate(nil, obj, old, s.schema, validation.WithRatcheting(correlated))
	errs = append(errs, objectmeta.Validate(ctx, nil, obj, s.structural, false)...)
	if len(listtype.ValidateListSetsAndMaps(nil, s.structural, old)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, s.structural, obj)...)
	}
	return s.withRules(ctx, errs, obj, old, cel.WithRatcheting(correlated))
}

// withRules adds the errors of rules, unless an earlier error keeps them from running.
func (s *stages) withRules(ctx context.Context, errs field.ErrorList, obj, old map[string]any, opts ...cel.Option) field.ErrorList {
	if s.rules == nil {
		return errs
	}
	for _, err := range errs {
		if blocks(err.Type) {
			return append(errs, fielderror.RulesNotChecked())
		}
	}
	var before any
	if old != nil {
		before = old
	}
	more, _ := s.rules.Validate(ctx, nil, s.structural, obj, before, celconfig.RuntimeCELCostBudget, opts...)
	return append(errs, more...)
}

// blocks reports whether an error of this type keeps rules from running, because the object may be
// too large or of the wrong shape for them.
func blocks(t field.ErrorType) bool {
	switch t {
	case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
		return true
	default:
		return false
	}
}
