package agreement

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/dev/upstream/capture"
)

// definitionAsSent compares the validation of a CustomResourceDefinition that a client writes in
// version v1, as in `diffrun schema check`: a create, or an update if the call has an old one.
func definitionAsSent(ctx context.Context, c *capture.Call) (comparison, error) {
	crd, err := asV1(c.Definition)
	if err != nil {
		return comparison{}, err
	}
	if c.OldDefinition == nil {
		want, err := refusals(ctx, crd, nil)
		if err != nil {
			return comparison{}, err
		}
		errs, err := structural.CheckCRD(ctx, crd)
		return comparison{want: outcome{errs: ownErrors(want)}, got: outcome{errs: ownErrors(errs)}}, err
	}
	old, err := asV1(c.OldDefinition)
	if err != nil {
		return comparison{}, err
	}
	want, err := refusals(ctx, crd, old)
	if err != nil {
		return comparison{}, err
	}
	errs, err := structural.CheckCRDUpdate(ctx, crd, old)
	return comparison{want: outcome{errs: ownErrors(want)}, got: outcome{errs: ownErrors(errs)}}, err
}

// asV1 reads a CustomResourceDefinition in the API server's own form and writes it in
// version v1.
func asV1(text []byte) (*apiextensionsv1.CustomResourceDefinition, error) {
	internal, err := readInternal[apiextensions.CustomResourceDefinition](text)
	if err != nil {
		return nil, err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	return crd, apiextensionsv1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(internal, crd, nil)
}

// refusals returns upstream's errors for a CustomResourceDefinition that a client creates, or
// updates from an old one, in version v1.
func refusals(ctx context.Context, crd, old *apiextensionsv1.CustomResourceDefinition) (field.ErrorList, error) {
	strategy := customresourcedefinition.NewStrategy(nil)
	sent, err := asDecoded(crd)
	if err != nil {
		return nil, err
	}
	if old == nil {
		strategy.PrepareForCreate(ctx, sent)
		return strategy.Validate(ctx, sent), nil
	}
	stored, err := asStored(ctx, old)
	if err != nil {
		return nil, err
	}
	sent.ResourceVersion, sent.Generation = stored.ResourceVersion, stored.Generation
	sent.UID, sent.CreationTimestamp = stored.UID, stored.CreationTimestamp
	sent.DeletionTimestamp, sent.DeletionGracePeriodSeconds = stored.DeletionTimestamp, stored.DeletionGracePeriodSeconds
	strategy.PrepareForUpdate(ctx, sent, stored)
	return strategy.ValidateUpdate(ctx, sent, stored), nil
}

// asStored returns an established CustomResourceDefinition: it has its own status where it is set,
// and otherwise that of any established one.
func asStored(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) (*apiextensions.CustomResourceDefinition, error) {
	stored, err := asDecoded(crd)
	if err != nil {
		return nil, err
	}
	said := stored.Status
	customresourcedefinition.NewStrategy(nil).PrepareForCreate(ctx, stored)
	if len(said.StoredVersions) == 0 {
		said.StoredVersions = stored.Status.StoredVersions
	}
	if len(said.Conditions) == 0 {
		said.Conditions = []apiextensions.CustomResourceDefinitionCondition{
			{Type: apiextensions.Established, Status: apiextensions.ConditionTrue},
		}
	}
	stored.Status = said
	if stored.ResourceVersion == "" {
		stored.ResourceVersion = "1"
	}
	return stored, nil
}

// asDecoded returns a CustomResourceDefinition as the API server decodes it.
func asDecoded(crd *apiextensionsv1.CustomResourceDefinition) (*apiextensions.CustomResourceDefinition, error) {
	defaulted := crd.DeepCopy()
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(defaulted)
	internal := &apiextensions.CustomResourceDefinition{}
	return internal, apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(defaulted, internal, nil)
}
