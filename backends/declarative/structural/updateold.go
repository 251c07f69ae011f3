package structural

import (
	"bytes"
	"encoding/json"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/internal/openapi"
)

// oldSchemas says whether a definition has a schema that is not structural, and one
// whose defaults are not pruned.
func oldSchemas(s *apiextensions.CustomResourceDefinitionSpec) (loose, unpruned bool, err error) {
	validations := []*apiextensions.CustomResourceValidation{s.Validation}
	for i := range s.Versions {
		validations = append(validations, s.Versions[i].Schema)
	}
	for _, v := range validations {
		if !hasSchema(v) {
			continue
		}
		root, err := specOf(v.OpenAPIV3Schema)
		if err != nil {
			return false, false, err
		}
		if inconvertible(root) != "" || len(Check(root, Options{Completeness: CompleteAtRoot})) > 0 {
			loose = true
			continue
		}
		pruned, err := defaulting.PruneDefaults(root)
		if err != nil {
			continue // of a root that is not an object, say, which is an error where it stands
		}
		was, errWas := json.Marshal(root)
		is, errIs := json.Marshal(pruned)
		unpruned = unpruned || (errWas == nil && errIs == nil && !bytes.Equal(was, is))
	}
	return loose, unpruned, nil
}

// specOf is a schema of the API server's own form as this package reads schemas.
func specOf(internal *apiextensions.JSONSchemaProps) (*spec.Schema, error) {
	var props apiextensionsv1.JSONSchemaProps
	if err := apiextensionsv1.Convert_apiextensions_JSONSchemaProps_To_v1_JSONSchemaProps(internal, &props, nil); err != nil {
		return nil, err
	}
	return openapi.FromProps(&props)
}

// hasLooseSet finds a set whose items are not compared as a whole.
func hasLooseSet(s *apiextensions.JSONSchemaProps) bool {
	if s.XListType == nil || *s.XListType != "set" || s.Items == nil || s.Items.Schema == nil {
		return false
	}
	switch items := s.Items.Schema; items.Type {
	case "array":
		return items.XListType != nil && *items.XListType != "atomic"
	case "object":
		return items.XMapType == nil || *items.XMapType != "atomic"
	}
	return false
}

// hasLooseKeys finds a set or a list with keys whose items, or keys, may be missing or
// null.
func hasLooseKeys(s *apiextensions.JSONSchemaProps) bool {
	if s.XListType == nil || s.Items == nil || s.Items.Schema == nil {
		return false
	}
	converted, err := specOf(s)
	if err != nil {
		return false
	}
	var f found
	itemsAndKeys(&f, converted, *s.XListType, s.XListMapKeys, nil)
	return len(f.schema) > 0
}

// oldReviewVersions says that the old webhook knows no version of reviews that the API
// server does.
func oldReviewVersions(c *apiextensions.CustomResourceConversion) bool {
	if c == nil || len(c.ConversionReviewVersions) == 0 {
		return false
	}
	for _, v := range c.ConversionReviewVersions {
		if v == "v1" || v == "v1beta1" {
			return false
		}
	}
	return true
}

// oldCABundle says that the CA bundle of a conversion webhook may be wrong: it was
// before, or the definition is not established.
func oldCABundle(old *apiextensions.CustomResourceDefinition) bool {
	if !apiextensions.IsCRDConditionTrue(old, apiextensions.Established) {
		return true
	}
	c := old.Spec.Conversion
	if c == nil || c.WebhookClientConfig == nil || len(c.WebhookClientConfig.CABundle) == 0 {
		return false
	}
	return len(webhook.ValidateCABundle(field.NewPath("caBundle"), c.WebhookClientConfig.CABundle)) > 0
}

// oldSelectable are the versions that have too many selectable fields and had the same
// ones before.
func oldSelectable(crd, old *apiextensions.CustomResourceDefinition) map[string]bool {
	before := map[string][]apiextensions.SelectableField{"": old.Spec.SelectableFields}
	for i := range old.Spec.Versions {
		before[old.Spec.Versions[i].Name] = old.Spec.Versions[i].SelectableFields
	}
	same := map[string]bool{}
	note := func(name string, after []apiextensions.SelectableField) {
		same[name] = len(before[name]) > upstream.MaxSelectableFields && equality.Semantic.DeepEqual(after, before[name])
	}
	note("", crd.Spec.SelectableFields)
	for i := range crd.Spec.Versions {
		note(crd.Spec.Versions[i].Name, crd.Spec.Versions[i].SelectableFields)
	}
	return same
}

// needsStructure says that the schemas of a definition must be structural: something in
// it relies on that.
func needsStructure(s *apiextensions.CustomResourceDefinitionSpec) bool {
	if s.PreserveUnknownFields == nil || !*s.PreserveUnknownFields {
		return true
	}
	return upstream.HasSchemaWith(s, func(root *apiextensions.JSONSchemaProps) bool {
		return upstream.SchemaHas(root, func(p *apiextensions.JSONSchemaProps) bool {
			return p.Default != nil || p.XEmbeddedResource || p.XPreserveUnknownFields != nil || p.XIntOrString ||
				len(p.XListMapKeys) > 0 || p.XListType != nil || len(p.XValidations) > 0
		})
	})
}
