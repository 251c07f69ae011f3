package structural

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// CheckCRD returns all errors with which the API server refuses to create a
// CustomResourceDefinition, with their paths as it writes them: a schema that all versions share is
// at spec.validation.openAPIV3Schema. They are ordered by field, and their texts say more than
// those of the API server (see explain). The CustomResourceDefinition is not changed: the defaults
// of its own fields (names.listKind, …) are set in a copy first, as the API server does.
//
// ctx bounds the rules that validate defaults. The error reports a CustomResourceDefinition that
// cannot be converted, or that the API server's code panics on.
func CheckCRD(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) (field.ErrorList, error) {
	created := crd.DeepCopy()
	created.Status = apiextensionsv1.CustomResourceDefinitionStatus{}
	internal, err := internalForm(created)
	if err != nil {
		return nil, err
	}
	return check(internal, func(crd *apiextensions.CustomResourceDefinition) field.ErrorList {
		return validation.ValidateCustomResourceDefinition(ctx, crd)
	})
}

// CheckCRDUpdate returns all errors with which the API server refuses to replace a
// CustomResourceDefinition (KEP-2335, "API Compatibility Plan"): those of CheckCRD
// that the old one does not have, and changes of fields that cannot change. Metadata and status
// that a client does not write, such as the resourceVersion, the stored versions and conditions,
// are those of the old one. The old one counts as established if it has no conditions.
func CheckCRDUpdate(ctx context.Context, crd, old *apiextensionsv1.CustomResourceDefinition) (field.ErrorList, error) {
	before, err := internalForm(old)
	if err != nil {
		return nil, err
	}
	if len(before.Status.Conditions) == 0 {
		before.Status.Conditions = []apiextensions.CustomResourceDefinitionCondition{{Type: apiextensions.Established,
			Status: apiextensions.ConditionTrue}}
	}
	if before.ResourceVersion == "" {
		before.ResourceVersion = "1"
	}
	after, err := internalForm(crd)
	if err != nil {
		return nil, err
	}
	after.Status = *before.Status.DeepCopy()
	if name := storageVersion(after); name != "" && !slices.Contains(after.Status.StoredVersions, name) {
		after.Status.StoredVersions = append(after.Status.StoredVersions, name)
	}
	after.UID, after.CreationTimestamp = before.UID, before.CreationTimestamp
	after.DeletionTimestamp, after.DeletionGracePeriodSeconds = before.DeletionTimestamp, before.DeletionGracePeriodSeconds
	after.Generation, after.ResourceVersion = before.Generation, before.ResourceVersion
	return check(after, func(crd *apiextensions.CustomResourceDefinition) field.ErrorList {
		return validation.ValidateCustomResourceDefinitionUpdate(ctx, crd, before)
	})
}

func check(crd *apiextensions.CustomResourceDefinition,
	validate func(*apiextensions.CustomResourceDefinition) field.ErrorList) (errs field.ErrorList, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the API server's own code panics on the definition: %v", cause)
		}
	}()
	errs = explain(crd, validate(withoutPanics(crd)))
	fielderror.Sort(errs)
	return errs, nil
}

// withoutPanics returns a definition without the selectable fields that the API server's code
// panics on: paths in a schema that has no structural form. That is an error of the schema.
func withoutPanics(crd *apiextensions.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	safe := *crd
	safe.Spec.Versions = slices.Clone(crd.Spec.Versions)
	remove := func(fields *[]apiextensions.SelectableField, v *apiextensions.CustomResourceValidation) {
		if len(*fields) == 0 || v == nil {
			return
		}
		if _, err := schema.NewStructural(v.OpenAPIV3Schema); err != nil {
			*fields = slices.DeleteFunc(slices.Clone(*fields), func(f apiextensions.SelectableField) bool {
				return strings.HasPrefix(f.JSONPath, ".") || strings.HasPrefix(f.JSONPath, "[")
			})
		}
	}
	remove(&safe.Spec.SelectableFields, crd.Spec.Validation)
	for i := range safe.Spec.Versions {
		remove(&safe.Spec.Versions[i].SelectableFields, safe.Spec.Versions[i].Schema)
	}
	return &safe
}

// internalForm returns a definition in the API server's own form, with the defaults of its fields.
func internalForm(crd *apiextensionsv1.CustomResourceDefinition) (*apiextensions.CustomResourceDefinition, error) {
	v1 := crd.DeepCopy()
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(v1)
	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(v1, internal, nil); err != nil {
		return nil, fmt.Errorf("%s cannot be converted: %w", crd.Name, err)
	}
	if name := storageVersion(internal); name != "" && len(internal.Status.StoredVersions) == 0 {
		internal.Status.StoredVersions = []string{name}
	}
	return internal, nil
}

// storageVersion returns the name of the first version that is marked as stored, or "".
func storageVersion(crd *apiextensions.CustomResourceDefinition) string {
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return ""
}
