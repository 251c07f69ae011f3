package structural

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/api/equality"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// check checks everything. Upstream's own code checks what does not depend on schemas, columns
// and names.
func (c *definition) check(crd *apiextensions.CustomResourceDefinition) {
	name := func(name string, prefix bool) []string {
		msgs := metavalidation.NameIsDNSSubdomain(name, prefix)
		if name != crd.Spec.Names.Plural+"."+crd.Spec.Group {
			msgs = append(msgs, `must be spec.names.plural+"."+spec.group`)
		}
		return msgs
	}
	if c.old == nil {
		c.add(metavalidation.ValidateObjectMeta(&crd.ObjectMeta, false, name, field.NewPath("metadata"))...)
	} else {
		c.add(metavalidation.ValidateObjectMetaUpdate(&crd.ObjectMeta, &c.old.ObjectMeta, field.NewPath("metadata"))...)
		c.unchangeable(crd)
	}
	c.tolerated.structure = c.tolerated.structure && !needsStructure(&crd.Spec)
	c.spec(&crd.Spec, field.NewPath("spec"))
	status := field.NewPath("status")
	c.add(upstream.ValidateCustomResourceDefinitionStatus(&crd.Status, status)...)
	c.add(upstream.ValidateCustomResourceDefinitionStoredVersions(crd.Status.StoredVersions, crd.Spec.Versions, status.Child("storedVersions"))...)
	c.approval(crd)
	if p := crd.Spec.PreserveUnknownFields; p != nil && *p && !c.preservedBefore() {
		c.add(field.Invalid(field.NewPath("spec", "preserveUnknownFields"), true, "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"))
	}
}

// preservedBefore reports whether the old definition preserves unknown fields explicitly.
func (c *definition) preservedBefore() bool {
	return c.old != nil && c.old.Spec.PreserveUnknownFields != nil && *c.old.Spec.PreserveUnknownFields
}

// approval checks that a community API was reviewed, unless the update leaves the approval
// unchanged.
func (c *definition) approval(crd *apiextensions.CustomResourceDefinition) {
	if !apihelpers.IsProtectedCommunityGroup(crd.Spec.Group) {
		return
	}
	at := field.NewPath("metadata", "annotations").Key(apiextensionsv1.KubeAPIApprovedAnnotation)
	state, reason := apihelpers.GetAPIApprovalState(crd.Annotations)
	if c.old != nil {
		if before, _ := apihelpers.GetAPIApprovalState(c.old.Annotations); before == state {
			return
		}
	}
	switch state {
	case apihelpers.APIApproved, apihelpers.APIApprovalBypassed:
	case apihelpers.APIApprovalMissing:
		c.add(field.Required(at, reason))
	default:
		c.add(field.Invalid(at, crd.Annotations[apiextensionsv1.KubeAPIApprovedAnnotation], reason))
	}
}

func (c *definition) spec(s *apiextensions.CustomResourceDefinitionSpec, at *field.Path) {
	c.group(s.Group, at.Child("group"))
	switch s.Scope {
	case apiextensions.ClusterScoped, apiextensions.NamespaceScoped:
	case "":
		c.add(field.Required(at.Child("scope"), ""))
	default:
		c.add(field.NotSupported(at.Child("scope"), s.Scope, []apiextensions.ResourceScope{apiextensions.ClusterScoped, apiextensions.NamespaceScoped}))
	}
	c.schemas(s, at)
	c.versions(s, at)
	c.shared(s, at)
	c.names(s, at.Child("names"))
	c.conversion(s, at.Child("conversion"))
}

func (c *definition) group(group string, at *field.Path) {
	if group == "" {
		c.add(field.Required(at, ""))
	} else if msgs := validation.IsDNS1123Subdomain(group); len(msgs) > 0 {
		c.add(field.Invalid(at, group, strings.Join(msgs, ",")))
	} else if !strings.Contains(group, ".") {
		c.add(field.Invalid(at, group, "should be a domain with at least one dot"))
	}
}

func (c *definition) names(s *apiextensions.CustomResourceDefinitionSpec, at *field.Path) {
	for _, name := range []struct{ field, value string }{
		{"plural", s.Names.Plural}, {"singular", s.Names.Singular}, {"kind", s.Names.Kind}, {"listKind", s.Names.ListKind},
	} {
		if name.value == "" {
			c.add(field.Required(at.Child(name.field), ""))
		}
	}
	c.add(upstream.ValidateCustomResourceDefinitionNames(&s.Names, at)...)
}

// schemas checks that each version has a schema, and that defaults are allowed in it.
func (c *definition) schemas(s *apiextensions.CustomResourceDefinitionSpec, at *field.Path) {
	if !hasSchema(s.Validation) {
		prunes := s.PreserveUnknownFields == nil || !*s.PreserveUnknownFields
		for i, v := range s.Versions {
			where := at.Child("versions").Index(i).Child("schema").Child("openAPIV3Schema")
			switch {
			case hasSchema(v.Schema):
			case !c.tolerated.noSchema:
				c.add(field.Required(where, ""))
			case prunes && v.Served:
				c.add(field.Required(where, "because otherwise all fields are pruned"))
			}
		}
	}
	hasDefault := upstream.HasSchemaWith(s, func(p *apiextensions.JSONSchemaProps) bool {
		return upstream.SchemaHas(p, func(p *apiextensions.JSONSchemaProps) bool { return p.Default != nil })
	})
	if hasDefault && preserves(s) {
		c.add(field.Invalid(at.Child("preserveUnknownFields"), true, "must be false in order to use defaults in the schema"))
	}
}

func hasSchema(v *apiextensions.CustomResourceValidation) bool {
	return v != nil && v.OpenAPIV3Schema != nil
}

// preserves reports whether unknown fields are preserved, which is the default.
func preserves(s *apiextensions.CustomResourceDefinitionSpec) bool {
	return s.PreserveUnknownFields == nil || *s.PreserveUnknownFields
}

func (c *definition) versions(s *apiextensions.CustomResourceDefinitionSpec, at *field.Path) {
	stored, seen, unique := 0, map[string]bool{}, true
	for i := range s.Versions {
		v := &s.Versions[i]
		if v.Storage {
			stored++
		}
		unique = unique && !seen[v.Name]
		seen[v.Name] = true
		c.version(s, v, at.Child("versions").Index(i))
	}
	if !unique {
		c.add(field.Invalid(at.Child("versions"), field.OmitValueType{}, "must contain unique version names"))
	}
	if stored != 1 {
		c.add(field.Invalid(at.Child("versions"), field.OmitValueType{}, "must have exactly one version marked as storage version"))
	}
	if s.Version == "" {
		return
	}
	if msgs := validation.IsDNS1035Label(s.Version); len(msgs) > 0 {
		c.add(field.Invalid(at.Child("version"), s.Version, strings.Join(msgs, ",")))
	}
	if len(s.Versions) > 0 && s.Versions[0].Name != s.Version {
		c.add(field.Invalid(at.Child("version"), s.Version, "must match the first version in spec.versions"))
	}
}

func (c *definition) version(s *apiextensions.CustomResourceDefinitionSpec, v *apiextensions.CustomResourceDefinitionVersion, at *field.Path) {
	if msgs := validation.IsDNS1035Label(v.Name); len(msgs) > 0 {
		c.add(field.Invalid(at.Child("name"), v.Name, strings.Join(msgs, ",")))
	}
	for _, msg := range deprecationMistakes(v) {
		c.add(field.Invalid(at.Child("deprecationWarning"), v.DeprecationWarning, msg))
	}
	sub := s.Subresources
	for i := range s.Versions {
		if s.Versions[i].Subresources != nil {
			sub = v.Subresources // some version has its own: then each does
		}
	}
	c.schema(v.Schema, v.Name, hasStatus(sub), at.Child("schema"))
	c.add(upstream.ValidateCustomResourceDefinitionSubresources(v.Subresources, at.Child("subresources"))...)
	c.columns(v.AdditionalPrinterColumns, at.Child("additionalPrinterColumns"))
	if len(v.SelectableFields) > 0 {
		c.selectable(v.SelectableFields, v.Name, v.Schema, at.Child("selectableFields"), at.Child("schema"))
	}
}

func hasStatus(s *apiextensions.CustomResourceSubresources) bool {
	return s != nil && s.Status != nil
}

func (c *definition) columns(columns []apiextensions.CustomResourceColumnDefinition, at *field.Path) {
	for i := range columns {
		c.add(upstream.ValidateCustomResourceColumnDefinition(&columns[i], at.Index(i))...)
	}
}

func deprecationMistakes(v *apiextensions.CustomResourceDefinitionVersion) []string {
	if v.DeprecationWarning == nil {
		return nil
	}
	if !v.Deprecated {
		return []string{"can only be set for deprecated versions"}
	}
	text := *v.DeprecationWarning
	var msgs []string
	if len(text) > 256 {
		msgs = append(msgs, "must be <= 256 characters long")
	}
	if text == "" {
		msgs = append(msgs, "must not be an empty string")
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
		msgs = append(msgs, fmt.Sprintf("must only contain printable UTF-8 characters; non-printable character found at index %d", i))
	}
	if !utf8.ValidString(text) {
		msgs = append(msgs, "must only contain printable UTF-8 characters")
	}
	return msgs
}

// shared checks fields for all versions at once. They exclude the fields of each version, which
// in turn must not all be the same.
func (c *definition) shared(s *apiextensions.CustomResourceDefinitionSpec, at *field.Path) {
	schemas, subresources, columns := 0, 0, 0
	sameSchema, sameSubresources, sameColumns := len(s.Versions) > 0, len(s.Versions) > 0, len(s.Versions) > 0
	anyStatus := hasStatus(s.Subresources)
	for i := range s.Versions {
		v, first := &s.Versions[i], &s.Versions[0]
		anyStatus = anyStatus || hasStatus(v.Subresources)
		schemas += count(v.Schema != nil)
		subresources += count(v.Subresources != nil)
		columns += count(len(v.AdditionalPrinterColumns) > 0)
		sameSchema = sameSchema && v.Schema != nil && equality.Semantic.DeepEqual(v.Schema, first.Schema)
		sameSubresources = sameSubresources && v.Subresources != nil && equality.Semantic.DeepEqual(v.Subresources, first.Subresources)
		sameColumns = sameColumns && len(v.AdditionalPrinterColumns) > 0 && equality.Semantic.DeepEqual(v.AdditionalPrinterColumns, first.AdditionalPrinterColumns)
	}
	for _, part := range []struct {
		name, top   string
		both, equal bool
	}{
		{"schemas", "validation", s.Validation != nil && schemas > 0, sameSchema},
		{"subresources", "subresources", s.Subresources != nil && subresources > 0, sameSubresources},
		{"additionalPrinterColumns", "additionalPrinterColumns", len(s.AdditionalPrinterColumns) > 0 && columns > 0, sameColumns},
	} {
		if part.both {
			c.add(field.Forbidden(at.Child(part.top), "top-level and per-version "+part.name+" are mutually exclusive"))
		}
		if part.equal {
			c.add(field.Invalid(at.Child("versions"), field.OmitValueType{}, "per-version "+part.name+" may not all be set to identical values (top-level "+part.top+" should be used instead)"))
		}
	}
	c.schema(s.Validation, s.Version, anyStatus, at.Child("validation"))
	c.add(upstream.ValidateCustomResourceDefinitionSubresources(s.Subresources, at.Child("subresources"))...)
	c.columns(s.AdditionalPrinterColumns, at.Child("additionalPrinterColumns"))
	if len(s.SelectableFields) > 0 {
		c.selectable(s.SelectableFields, "", s.Validation, at.Child("selectableFields"), at.Child("schema"))
	}
}

func count(one bool) int {
	if one {
		return 1
	}
	return 0
}
