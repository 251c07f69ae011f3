package agreement

import (
	"context"
	"encoding/json"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	upstreamschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/dev/upstream/capture"
)

// structure compares whether a schema is structural.
func structure(_ context.Context, c *capture.Call) (comparison, error) {
	if c.Flag("widened") {
		return comparison{apart: "upstream widens the language with options that no CustomResourceDefinition is checked with"}, nil
	}
	schema, err := readSchema(c)
	if err != nil {
		return comparison{}, err
	}
	errs := structural.Check(schema, structural.Options{Completeness: structural.CompleteAtRoot})
	return comparison{want: outcome{errs: captured(c)}, got: outcome{errs: ownErrors(errs)}}, nil
}

// structureAsConverted compares whether a schema is structural that a test asks
// another question about. Upstream is asked after it converted the schema.
func structureAsConverted(_ context.Context, c *capture.Call) (comparison, error) {
	schema, err := readSchema(c)
	if err != nil {
		return comparison{}, err
	}
	props, isProps := asProps(schema)
	if !isProps {
		return comparison{apart: "the schema cannot stand in a CustomResourceDefinition"}, nil
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, &internal, nil); err != nil {
		return comparison{}, err
	}
	converted, err := upstreamschema.NewStructural(&internal)
	if err != nil {
		return comparison{apart: "upstream does not convert the schema"}, nil
	}
	errs := structural.Check(schema, structural.Options{Completeness: structural.CompleteAtRoot})
	return comparison{
		want: outcome{errs: ownErrors(upstreamschema.ValidateStructural(nil, converted))},
		got:  outcome{errs: ownErrors(errs)},
	}, nil
}

// readInternal reads a definition, or a part of one, in the API server's own form.
func readInternal[T any](text json.RawMessage) (*T, error) {
	into := new(T)
	return into, kjson.UnmarshalCaseSensitivePreserveInts(text, into)
}

// definition compares the validation of a CustomResourceDefinition that is created, in
// the API server's own form.
func definition(ctx context.Context, c *capture.Call) (comparison, error) {
	crd, err := readInternal[apiextensions.CustomResourceDefinition](c.Definition)
	if err != nil {
		return comparison{}, err
	}
	errs, err := structural.CheckInternal(ctx, crd)
	return comparison{want: outcome{errs: captured(c)}, got: outcome{errs: ownErrors(errs)}}, err
}

// definitionUpdate compares the validation of a CustomResourceDefinition that takes the
// place of an old one.
func definitionUpdate(ctx context.Context, c *capture.Call) (comparison, error) {
	crd, err := readInternal[apiextensions.CustomResourceDefinition](c.Definition)
	if err != nil {
		return comparison{}, err
	}
	old, err := readInternal[apiextensions.CustomResourceDefinition](c.OldDefinition)
	if err != nil {
		return comparison{}, err
	}
	errs, err := structural.CheckInternalUpdate(ctx, crd, old)
	return comparison{want: outcome{errs: captured(c)}, got: outcome{errs: ownErrors(errs)}}, err
}

// definitionOfSchema compares the validation of a schema of a CustomResourceDefinition.
// The tests call upstream with the options of an update from something that was
// stored before, each of which leaves something out; what is compared is a create, in
// which nothing is, of a definition that is right but for the schema.
func definitionOfSchema(ctx context.Context, c *capture.Call) (comparison, error) {
	schema, err := readInternal[apiextensions.CustomResourceValidation](c.Definition)
	if err != nil {
		return comparison{}, err
	}
	want := validation.ValidateCustomResourceDefinition(ctx, around(schema, c.Flag("status")))
	errs, err := structural.CheckInternal(ctx, around(schema, c.Flag("status")))
	return comparison{want: outcome{errs: ownErrors(want)}, got: outcome{errs: ownErrors(errs)}}, err
}

// around is a CustomResourceDefinition that has a schema.
func around(schema *apiextensions.CustomResourceValidation, status bool) *apiextensions.CustomResourceDefinition {
	preserve := false
	crd := &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "things.example.dev"},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: "example.dev", Version: "v1", Scope: apiextensions.NamespaceScoped,
			Names: apiextensions.CustomResourceDefinitionNames{
				Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList",
			},
			Versions:              []apiextensions.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true}},
			Conversion:            &apiextensions.CustomResourceConversion{Strategy: apiextensions.NoneConverter},
			Validation:            schema.DeepCopy(),
			PreserveUnknownFields: &preserve,
		},
		Status: apiextensions.CustomResourceDefinitionStatus{StoredVersions: []string{"v1"}},
	}
	if status {
		crd.Spec.Subresources = &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}}
	}
	return crd
}
