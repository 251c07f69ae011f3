package cel

import (
	"context"
	"reflect"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/features"
	"k8s.io/apiextensions-apiserver/pkg/recording"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

// limits maps validators to their limit for one evaluation, which a validator does not keep.
var limits sync.Map

func validator(validationSchema, nodeSchema *schema.Structural, isResourceRoot bool, declType *cel.DeclType,
	perCallLimit uint64) *Validator {
	v := unrecordedvalidator(validationSchema, nodeSchema, isResourceRoot, declType, perCallLimit)
	if v != nil {
		limits.Store(v, perCallLimit)
	}
	return v
}

func (s *Validator) Validate(ctx context.Context, fldPath *field.Path, structural *schema.Structural,
	obj, oldObj interface{}, costBudget int64, opts ...Option) (field.ErrorList, int64) {
	var call *recording.Recorder
	if s != nil {
		o := options{}
		for _, opt := range opts {
			opt(&o)
		}
		call = recording.Start("cel.Validate").Schema(s.Schema.Recorded()).Object(obj).At(fldPath).
			Flag("root", s.isResourceRoot).Flag("budget", costBudget).Flag("cancelled", ctx.Err() != nil).
			Flag("ratcheting", o.currentCorrelation != nil && utilfeature.DefaultFeatureGate.Enabled(features.CRDValidationRatcheting))
		if limit, known := limits.Load(s); known {
			call.Flag("limit", limit)
		}
		if oldObj != nil && !isNilOld(oldObj) {
			call.Old(oldObj)
		}
	}
	errs, remaining := s.unrecordedValidate(ctx, fldPath, structural, obj, oldObj, costBudget, opts...)
	call.Errors(errs).Flag("cost", costBudget-remaining).Write()
	return errs, remaining
}

// isNilOld reports whether there is no old object, whatever its type.
func isNilOld(v any) bool {
	r := reflect.ValueOf(v)
	return (r.Kind() == reflect.Map || r.Kind() == reflect.Slice || r.Kind() == reflect.Pointer) && r.IsNil()
}

func Compile(s *schema.Structural, declType *cel.DeclType, perCallLimit uint64, baseEnvSet *environment.EnvSet,
	envLoader EnvLoader) ([]CompilationResult, error) {
	call := recording.Start("cel.Compile")
	results, err := unrecordedCompile(s, declType, perCallLimit, baseEnvSet, envLoader)
	if err != nil || !call.ByTest() {
		return results, err
	}
	_, isNew := envLoader.(alwaysNewEnvLoader)
	call.Schema(s.Recorded()).Flag("new", isNew).Flag("root", isRoot(declType))
	for i, result := range results {
		rule := recording.Rule{
			Rule: s.XValidations[i].Rule, UsesOldSelf: result.UsesOldSelf,
			Cost: result.MaxCost, MessageCost: result.MessageExpressionMaxCost, Cardinality: result.MaxCardinality,
		}
		if result.Error != nil {
			rule.Error = result.Error.Error()
		}
		if result.MessageExpressionError != nil {
			rule.Message = result.MessageExpressionError.Error()
		}
		call.Rule(rule)
	}
	call.Write()
	return results, nil
}

// isRoot reports whether a type has the fields that the API server adds to the root of a resource.
func isRoot(declType *cel.DeclType) bool {
	if declType == nil || declType.Fields["apiVersion"] == nil || declType.Fields["kind"] == nil || declType.Fields["metadata"] == nil {
		return false
	}
	metadata := declType.Fields["metadata"].Type.Fields
	return metadata["name"] != nil && metadata["generateName"] != nil
}

func ValidFieldPath(jsonPath string, s *schema.Structural, options ...ValidFieldPathOption) (*field.Path, *schema.Structural, error) {
	path, found, err := unrecordedValidFieldPath(jsonPath, s, options...)
	call := recording.Start("ValidFieldPath")
	if !call.ByTest() {
		return path, found, err
	}
	opts := &validFieldPathOptions{allowArrayNotation: true}
	for _, option := range options {
		option(opts)
	}
	call.Schema(s.Recorded()).Flag("path", jsonPath).Flag("brackets", opts.allowArrayNotation).Flag("valid", err == nil)
	if err == nil {
		call.Flag("field", path.String())
	}
	call.Write()
	return path, found, err
}
