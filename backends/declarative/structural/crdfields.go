package structural

import (
	"fmt"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	upstream "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/util/webhook"
)

// selectable checks the fields that field selectors may use.
func (c *definition) selectable(fields []apiextensions.SelectableField, version string, v *apiextensions.CustomResourceValidation, at, schemaAt *field.Path) {
	if !hasSchema(v) {
		c.add(field.Invalid(at, "", "may only be set when there is a schema"))
		return
	}
	structural, err := schema.NewStructural(v.OpenAPIV3Schema)
	if err != nil {
		c.add(field.Invalid(schemaAt.Child("openAPIV3Schema"), "", err.Error()))
		c.malformed(fields, at)
		return
	}
	seen := map[string]bool{}
	for i, f := range fields {
		where := at.Index(i).Child("jsonPath")
		if f.JSONPath == "" {
			c.add(field.Required(where, ""))
			continue
		}
		path, leaf, err := cel.ValidFieldPath(f.JSONPath, structural, cel.WithFieldPathAllowArrayNotation(false))
		if err != nil {
			c.add(field.Invalid(where, f.JSONPath, fmt.Sprintf("is an invalid path: %v", err)))
			continue
		}
		if path.Root().String() == "metadata" {
			c.add(field.Invalid(where, f.JSONPath, "must not point to fields in metadata"))
		}
		if leaf == nil || (leaf.Type != "string" && leaf.Type != "boolean" && leaf.Type != "integer") {
			c.add(field.Invalid(where, f.JSONPath, "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."))
		}
		if seen[path.String()] {
			c.add(field.Duplicate(where, f.JSONPath))
		}
		seen[path.String()] = true
	}
	if len(seen) > upstream.MaxSelectableFields && !c.tolerated.selectable[version] {
		c.add(field.TooMany(at, len(seen), upstream.MaxSelectableFields))
	}
}

// malformed reports paths that are wrong for any schema. If the schema is not structural, the
// API server checks no other paths: it panics.
func (c *definition) malformed(fields []apiextensions.SelectableField, at *field.Path) {
	for i, f := range fields {
		where := at.Index(i).Child("jsonPath")
		switch {
		case f.JSONPath == "":
			c.add(field.Required(where, ""))
		case f.JSONPath[0] != '.' && f.JSONPath[0] != '[':
			c.add(field.Invalid(where, f.JSONPath, "is an invalid path: it begins with a dot"))
		}
	}
}

// conversion checks how versions are converted.
func (c *definition) conversion(s *apiextensions.CustomResourceDefinitionSpec, at *field.Path) {
	conversion := s.Conversion
	if conversion == nil {
		return
	}
	strategies := []apiextensions.ConversionStrategyType{apiextensions.NoneConverter, apiextensions.WebhookConverter}
	if conversion.Strategy != apiextensions.NoneConverter && preserves(s) {
		c.add(field.Invalid(at.Child("strategy"), conversion.Strategy, "must be None if spec.preserveUnknownFields is true"))
	}
	switch conversion.Strategy {
	case apiextensions.WebhookConverter:
		c.webhook(conversion.WebhookClientConfig, at.Child("webhookClientConfig"))
		c.reviewVersions(conversion.ConversionReviewVersions, at.Child("conversionReviewVersions"))
		return
	case apiextensions.NoneConverter:
	case "":
		c.add(field.Required(at.Child("strategy"), ""))
	default:
		c.add(field.NotSupported(at.Child("strategy"), conversion.Strategy, strategies))
	}
	if conversion.WebhookClientConfig != nil {
		c.add(field.Forbidden(at.Child("webhookClientConfig"), "should not be set when strategy is not set to Webhook"))
	}
	if len(conversion.ConversionReviewVersions) > 0 {
		c.add(field.Forbidden(at.Child("conversionReviewVersions"), "should not be set when strategy is not set to Webhook"))
	}
}

// webhook checks the address of a conversion webhook. A create does not check its CA bundle,
// which may be wrong until the CustomResourceDefinition is established.
func (c *definition) webhook(config *apiextensions.WebhookClientConfig, at *field.Path) {
	if config != nil && len(config.CABundle) > 0 && c.old != nil && !c.tolerated.caBundle {
		c.add(webhook.ValidateCABundle(at.Child("caBundle"), config.CABundle)...)
	}
	switch {
	case config == nil:
		c.add(field.Required(at, "required when strategy is set to Webhook"))
	case (config.URL == nil) == (config.Service == nil):
		c.add(field.Required(at, "exactly one of url or service is required"))
	case config.URL != nil:
		c.add(webhook.ValidateWebhookURL(at.Child("url"), *config.URL, true)...)
	default:
		s := config.Service
		c.add(webhook.ValidateWebhookService(at.Child("service"), s.Name, s.Namespace, s.Path, s.Port)...)
	}
}

func (c *definition) reviewVersions(versions []string, at *field.Path) {
	if len(versions) == 0 {
		c.add(field.Required(at, ""))
		return
	}
	seen, accepted := map[string]bool{}, false
	for i, v := range versions {
		if seen[v] {
			c.add(field.Invalid(at.Index(i), v, "duplicate version"))
			continue
		}
		seen[v] = true
		for _, msg := range validation.IsDNS1035Label(v) {
			c.add(field.Invalid(at.Index(i), v, msg))
		}
		accepted = accepted || v == "v1" || v == "v1beta1"
	}
	if !accepted && !c.tolerated.reviewVersions {
		c.add(field.Invalid(at, strings.Join(versions, ", "), "must include at least one of v1, v1beta1"))
	}
}
