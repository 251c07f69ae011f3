package openapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	kjson "sigs.k8s.io/json"
)

// The vendor extensions that describe the structure of values.
const (
	XPreserveUnknownFields = "x-kubernetes-preserve-unknown-fields"
	XEmbeddedResource      = "x-kubernetes-embedded-resource"
	XIntOrString           = "x-kubernetes-int-or-string"
	XListMapKeys           = "x-kubernetes-list-map-keys"
	XListType              = "x-kubernetes-list-type"
	XMapType               = "x-kubernetes-map-type"
	XStripZero             = "x-kubernetes-strip-zero"
	XUnions                = "x-kubernetes-unions"
	XValidations           = "x-kubernetes-validations"
	XValidationErrors      = "x-kubernetes-validation-errors"
)

// Origins of the errors of a definition whose rules may cost more than the API server allows. It checks the
// estimated cost only for schemas that are new or changed.
const (
	// OriginRuleCost: one expression is over the limit of an expression.
	OriginRuleCost = XValidations + " cost"
	// OriginTotalCost: all rules of a schema together are over its limit.
	OriginTotalCost = XValidations + " total cost"
)

// IsCost reports whether an error of a definition is about the estimated cost of its rules.
func IsCost(err *field.Error) bool {
	return err.Origin == OriginRuleCost || err.Origin == OriginTotalCost
}

// Extensions are the vendor extensions of one schema. A nil pointer means that the
// extension is not there.
type Extensions struct {
	PreserveUnknownFields *bool
	EmbeddedResource      bool
	IntOrString           bool
	ListMapKeys           []string
	ListType              *string
	MapType               *string
	StripZero             bool
	Unions                []Union
	Validations           []Rule
}

// Union is an entry of x-kubernetes-unions: fields that exclude each other (KEP-2335, "Formal
// Definition"). Fields maps each field to the value that the discriminator has if the field is set.
type Union struct {
	Discriminator string            `json:"discriminator,omitempty"`
	Fields        map[string]string `json:"fields,omitempty"`
}

// Rule is an entry of x-kubernetes-validations.
type Rule struct {
	Rule              string  `json:"rule"`
	Message           string  `json:"message,omitempty"`
	MessageExpression string  `json:"messageExpression,omitempty"`
	Reason            *string `json:"reason,omitempty"`
	FieldPath         string  `json:"fieldPath,omitempty"`
	OptionalOldSelf   *bool   `json:"optionalOldSelf,omitempty"`
	// OnlySubresources and ExceptSubresources limit rules of native types.
	OnlySubresources   []string `json:"onlySubresources,omitempty"`
	ExceptSubresources []string `json:"exceptSubresources,omitempty"`
}

// Preserves reports whether x-kubernetes-preserve-unknown-fields is true.
func (x Extensions) Preserves() bool {
	return x.PreserveUnknownFields != nil && *x.PreserveUnknownFields
}

// ReadExtensions reads the extensions of a schema. Values of the wrong kind are
// errors of type TypeInvalid at the extension.
func ReadExtensions(s *spec.Schema, at *field.Path) (Extensions, field.ErrorList) {
	var x Extensions
	if len(s.Extensions) == 0 {
		return x, nil
	}
	targets := map[string]any{
		XPreserveUnknownFields: &x.PreserveUnknownFields, XEmbeddedResource: &x.EmbeddedResource,
		XIntOrString: &x.IntOrString, XListMapKeys: &x.ListMapKeys, XListType: &x.ListType,
		XMapType: &x.MapType, XStripZero: &x.StripZero, XUnions: &x.Unions, XValidations: &x.Validations,
	}
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		value, ok := s.Extensions[name]
		if !ok || value == nil {
			continue
		}
		if err := decode(value, targets[name]); err != nil {
			errs = append(errs, field.TypeInvalid(at.Child(name), value, fmt.Sprintf("cannot be read: %v", err)))
		}
	}
	return x, errs
}

func decode(value, out any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	unknown, err := kjson.UnmarshalStrict(data, out)
	return errors.Join(append(unknown, err)...)
}

// JSON returns a value of a schema (a default, an element of an enum) as Kubernetes decodes JSON:
// kube-openapi's own decoder makes every number a float64, here an integer is an int64. The value
// is a copy.
func JSON(value any) (any, error) {
	if value == nil {
		return nil, nil
	}
	data, err := utiljson.Marshal(value)
	if err != nil {
		return nil, err
	}
	var out any
	if err := utiljson.Unmarshal(data, &out); err != nil {
		return nil, err
	}
	return out, nil
}
