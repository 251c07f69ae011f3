package declarative_test

import (
	"context"
	"encoding/json"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/served"
)

// reference validates as the strategy of apiextensions-apiserver does
// (pkg/registry/customresource/strategy.go), without the object's own metadata.
func reference(t *testing.T, schemaYAML string, root bool, obj, old map[string]any) field.ErrorList {
	t.Helper()
	props := served.Props(t, schemaYAML)
	structural := served.Structural(t, props)
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, &internal, nil); err != nil {
		t.Fatal(err)
	}
	schema := &spec.Schema{}
	strip := validation.StripUnsupportedFormatsPostProcessorForVersion(environment.DefaultCompatibilityVersion())
	if err := validation.ConvertJSONSchemaPropsWithPostProcess(&internal, schema, strip); err != nil {
		t.Fatal(err)
	}
	validator := validation.NewSchemaValidatorFromOpenAPI(schema)
	rules := cel.NewValidator(structural, root, celconfig.PerCallLimit)

	var errs field.ErrorList
	var opts []cel.Option
	if old == nil {
		errs = append(errs, validation.ValidateCustomResource(nil, obj, validator)...)
	} else {
		correlated := common.NewCorrelatedObject(obj, old, &model.Structural{Structural: structural})
		opts = append(opts, cel.WithRatcheting(correlated))
		errs = append(errs, validation.ValidateCustomResourceUpdate(nil, obj, old, validator, validation.WithRatcheting(correlated))...)
	}
	errs = append(errs, objectmeta.Validate(nil, obj, structural, false)...)
	if old == nil || len(listtype.ValidateListSetsAndMaps(nil, structural, old)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, obj)...)
	}
	if rules == nil {
		return errs
	}
	for _, e := range errs {
		switch e.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return append(errs, field.Invalid(nil, nil, "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"))
		}
	}
	var before any
	if old != nil {
		before = old
	}
	more, _ := rules.Validate(context.Background(), nil, structural, obj, before, celconfig.RuntimeCELCostBudget, opts...)
	return append(errs, more...)
}

// declared validates the same with the package under test.
func declared(t *testing.T, schemaYAML string, opts declarative.Options, obj, old map[string]any) field.ErrorList {
	t.Helper()
	v := compile(t, schemaYAML, opts)
	var before value.Value
	if old != nil {
		before = value.NewValueInterface(old)
	}
	return v.Validate(context.Background(), value.NewValueInterface(obj), before)
}

func compile(t testing.TB, schemaYAML string, opts declarative.Options) *declarative.Validator {
	t.Helper()
	v, err := declarative.Compile(served.Schema(t, schemaYAML), opts)
	if err != nil {
		t.Fatalf("compile: %v", err)
	}
	return v
}

// object reads an object as an API server does; a text that is empty is none.
func object(t testing.TB, text string) map[string]any {
	t.Helper()
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return served.Object(t, text)
}

// lines writes errors one a line, sorted: type, field, bad value and detail.
func lines(errs field.ErrorList) []string {
	all := []string{}
	for _, e := range errs {
		var bad strings.Builder
		enc := json.NewEncoder(&bad)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(e.BadValue); err != nil {
			bad.WriteString(err.Error())
		}
		all = append(all, string(e.Type)+" "+e.Field+" "+strings.TrimSpace(bad.String())+" "+e.Detail)
	}
	sort.Strings(all)
	return all
}

// TestReference holds the package against apiextensions-apiserver: under
// CustomResources every error is the same in type, field, bad value and detail.
func TestReference(t *testing.T) {
	for _, tt := range referenceCases() {
		t.Run(tt.name, func(t *testing.T) {
			obj, old := object(t, tt.object), object(t, tt.old)
			want := lines(reference(t, tt.schema, tt.root, obj, old))
			got := lines(declared(t, tt.schema, declarative.Options{
				Semantics: declarative.CustomResources, Root: tt.root, Estimation: declarative.EstimationOff,
			}, obj, old))
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s (-reference +declarative):\n%s", tt.why, d)
			}
			if (len(want) == 0) != tt.valid {
				t.Errorf("%s: valid is %t in the reference: %v", tt.why, len(want) == 0, want)
			}
		})
	}
}
