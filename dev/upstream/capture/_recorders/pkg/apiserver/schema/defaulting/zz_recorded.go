package defaulting

import (
	"context"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/recording"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func Default(x interface{}, s *structuralschema.Structural) {
	r := recording.Start("Default").Object(x)
	if s != nil {
		r.Schema(s.Recorded())
	}
	unrecordedDefault(x, s)
	r.After(x).Write()
}

func PruneNonNullableNullsWithoutDefaults(x interface{}, s *structuralschema.Structural) {
	r := recording.Start("PruneNonNullableNullsWithoutDefaults").Object(x)
	if s != nil {
		r.Schema(s.Recorded())
	}
	unrecordedPruneNonNullableNullsWithoutDefaults(x, s)
	r.After(x).Write()
}

func PruneDefaults(s *structuralschema.Structural) error {
	r := recording.Start("PruneDefaults").Schema(s.Recorded())
	err := unrecordedPruneDefaults(s)
	if err == nil {
		r.AfterSchema(s.Recorded()).Write()
	}
	return err
}

func ValidateDefaults(ctx context.Context, pth *field.Path, s *structuralschema.Structural,
	isResourceRoot, requirePrunedDefaults bool) (field.ErrorList, error) {
	r := recording.Start("ValidateDefaults").At(pth).Flag("root", isResourceRoot).Flag("pruned", requirePrunedDefaults)
	if s != nil {
		r.Schema(s.Recorded())
	}
	errs, err := unrecordedValidateDefaults(ctx, pth, s, isResourceRoot, requirePrunedDefaults)
	if err == nil {
		r.Errors(errs).Write()
	}
	return errs, err
}
