package structural

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/api/equality"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// CheckCRDUpdate gives all errors with which the API server refuses to put a
// CustomResourceDefinition in the place of an old one (KEP-2335, "API Compatibility
// Plan"): those of CheckCRD without what the old one has wrong already, and changes of
// what cannot change. Metadata and status that a client does not write, such as the
// resourceVersion, the stored versions and conditions, count as those of the old one
// where the new one says none; the old one counts as established.
func CheckCRDUpdate(ctx context.Context, crd, old *apiextensionsv1.CustomResourceDefinition) (field.ErrorList, error) {
	before, err := internalForm(old)
	if err != nil {
		return nil, err
	}
	if len(before.Status.Conditions) == 0 {
		before.Status.Conditions = []apiextensions.CustomResourceDefinitionCondition{{Type: apiextensions.Established, Status: apiextensions.ConditionTrue}}
	}
	if before.ResourceVersion == "" {
		before.ResourceVersion = "1"
	}
	after, err := internalForm(crd)
	if err != nil {
		return nil, err
	}
	// What the server keeps of the old one, whatever the new one says.
	after.Status = *before.Status.DeepCopy()
	stores := func(v apiextensions.CustomResourceDefinitionVersion) bool { return v.Storage }
	if i := slices.IndexFunc(after.Spec.Versions, stores); i >= 0 && !slices.Contains(after.Status.StoredVersions, after.Spec.Versions[i].Name) {
		after.Status.StoredVersions = append(after.Status.StoredVersions, after.Spec.Versions[i].Name)
	}
	after.UID, after.CreationTimestamp = before.UID, before.CreationTimestamp
	after.DeletionTimestamp, after.DeletionGracePeriodSeconds = before.DeletionTimestamp, before.DeletionGracePeriodSeconds
	after.Generation, after.ResourceVersion = before.Generation, before.ResourceVersion
	return CheckInternalUpdate(ctx, after, before)
}

// CheckInternalUpdate is CheckCRDUpdate for the API server's own form of both, as they
// are (ValidateCustomResourceDefinitionUpdate).
func CheckInternalUpdate(ctx context.Context, crd, old *apiextensions.CustomResourceDefinition) (field.ErrorList, error) {
	was, err := toleratedOf(crd, old)
	if err != nil {
		return nil, err
	}
	c := &definition{ctx: ctx, old: old, tolerated: was}
	c.check(crd)
	return c.sorted()
}

// tolerated is what an update lets pass because the old definition has it already, in
// the words of upstream's validationOptions the other way round. The zero value lets
// nothing pass, as on create.
type tolerated struct {
	noSchema, types, structure, unprunedDefaults, setItems, mapKeys, reviewVersions, caBundle bool
	// The versions with too many selectable fields, and those whose schema is the same;
	// "" is what all have in common.
	selectable, unchanged map[string]bool
	// The rules that are stored.
	rules map[string]bool
}

func toleratedOf(crd, old *apiextensions.CustomResourceDefinition) (tolerated, error) {
	spec := &old.Spec
	structure, unpruned, err := oldSchemas(spec)
	if err != nil {
		return tolerated{}, err
	}
	has := func(is func(*apiextensions.JSONSchemaProps) bool) bool {
		return upstream.HasSchemaWith(spec, func(root *apiextensions.JSONSchemaProps) bool { return upstream.SchemaHas(root, is) })
	}
	t := tolerated{
		noSchema: !allHaveSchemas(spec), structure: structure, unprunedDefaults: unpruned,
		types:    upstream.HasSchemaWith(spec, upstream.SchemaHasInvalidTypes),
		setItems: has(hasLooseSet), mapKeys: has(hasLooseKeys),
		reviewVersions: oldReviewVersions(spec.Conversion), caBundle: oldCABundle(old),
		selectable: oldSelectable(crd, old), unchanged: unchangedVersions(crd, old),
		rules: map[string]bool{},
	}
	has(func(s *apiextensions.JSONSchemaProps) bool {
		for _, rule := range s.XValidations {
			t.rules[rule.Rule] = true
		}
		return false
	})
	return t, nil
}

func allHaveSchemas(spec *apiextensions.CustomResourceDefinitionSpec) bool {
	if hasSchema(spec.Validation) {
		return true
	}
	for i := range spec.Versions {
		if !hasSchema(spec.Versions[i].Schema) {
			return false
		}
	}
	return true
}

// unchangedVersions are those whose schema the update leaves as it is: what their rules
// cost is not asked again.
func unchangedVersions(crd, old *apiextensions.CustomResourceDefinition) map[string]bool {
	same := map[string]bool{}
	for i := range crd.Spec.Versions {
		name := crd.Spec.Versions[i].Name
		after, err := apiextensions.GetSchemaForVersion(crd, name)
		if err != nil {
			continue // a version of no name, which is an error itself
		}
		if before, err := apiextensions.GetSchemaForVersion(old, name); err == nil && equality.Semantic.DeepEqual(after, before) {
			same[name] = true
		}
	}
	return same
}

// unchangeable reports changes of what cannot change.
func (c *definition) unchangeable(crd *apiextensions.CustomResourceDefinition) {
	after, before, at := &crd.Spec, &c.old.Spec, field.NewPath("spec")
	if apiextensions.IsCRDConditionTrue(c.old, apiextensions.Established) {
		c.add(metavalidation.ValidateImmutableField(after.Scope, before.Scope, at.Child("scope"))...)
		c.add(metavalidation.ValidateImmutableField(after.Names.Kind, before.Names.Kind, at.Child("names", "kind"))...)
	}
	c.add(metavalidation.ValidateImmutableField(after.Group, before.Group, at.Child("group"))...)
	c.add(metavalidation.ValidateImmutableField(after.Names.Plural, before.Names.Plural, at.Child("names", "plural"))...)
}

// internalForm gives a definition in the API server's own form, with the defaults of
// its fields.
func internalForm(crd *apiextensionsv1.CustomResourceDefinition) (*apiextensions.CustomResourceDefinition, error) {
	v1 := crd.DeepCopy()
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(v1)
	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(v1, internal, nil); err != nil {
		return nil, fmt.Errorf("%s cannot be converted: %w", crd.Name, err)
	}
	if len(internal.Status.StoredVersions) > 0 {
		return internal, nil
	}
	for _, v := range internal.Spec.Versions {
		if v.Storage {
			internal.Status.StoredVersions = []string{v.Name}
			break
		}
	}
	return internal, nil
}
