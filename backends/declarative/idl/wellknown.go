package idl

import (
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/openapi"
)

// shape is the kind of Go value of a field, as far as zero values and presence are concerned
// (KEP-4153, "Zero-Valued Primitive Fields").
type shape int

const (
	shapeOther     shape = iota // text, lists, maps
	shapeNumber                 // zero can be a value
	shapeBool                   // false can be a value
	shapeStruct                 // always present
	shapePointer                // nil is absence
	shapeInterface              // nil is absence
)

// wellKnown returns the schemas of types with their own JSON encoding, which their Go declarations
// do not show. It follows value.NewValueReflect: a zero Time is null, and a Quantity is a string.
func wellKnown(name string) (spec.Schema, shape, bool) {
	switch name {
	case "k8s.io/apimachinery/pkg/apis/meta/v1.Time", "k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime", "time.Time":
		return nullable(typed("string", "date-time")), shapeStruct, true
	case "k8s.io/apimachinery/pkg/apis/meta/v1.Duration":
		return typed("string", ""), shapeStruct, true
	case "time.Duration":
		return typed("integer", "int64"), shapeNumber, true
	case "k8s.io/apimachinery/pkg/api/resource.Quantity", "k8s.io/apimachinery/pkg/util/intstr.IntOrString":
		return extended("", openapi.XIntOrString), shapeStruct, true
	case "k8s.io/apimachinery/pkg/runtime.RawExtension":
		return extended("object", openapi.XPreserveUnknownFields), shapeStruct, true
	case "k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":
		// Its UnmarshalJSON takes any JSON, and what is inside is never validated.
		return extended("", openapi.XPreserveUnknownFields), shapeStruct, true
	case "k8s.io/apimachinery/pkg/runtime.Object":
		return extended("object", openapi.XPreserveUnknownFields), shapeInterface, true
	case "encoding/json.RawMessage":
		return extended("", openapi.XPreserveUnknownFields), shapeOther, true
	}
	return wellKnownAPIExtensions(name)
}

// wellKnownAPIExtensions returns the schemas of the unions of apiextensions. Their JSON is that of
// one of their fields.
func wellKnownAPIExtensions(name string) (spec.Schema, shape, bool) {
	for _, version := range []string{"v1", "v1beta1"} {
		in := "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/" + version + "."
		switch name {
		case in + "JSON", in + "JSONSchemaPropsOrArray", in + "JSONSchemaPropsOrBool", in + "JSONSchemaPropsOrStringArray":
			return extended("", openapi.XPreserveUnknownFields), shapeStruct, true
		}
	}
	return spec.Schema{}, shapeOther, false
}

func typed(name, format string) spec.Schema {
	return spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{name}, Format: format}}
}

func nullable(s spec.Schema) spec.Schema {
	s.Nullable = true
	return s
}

// extended returns a schema with an extension set to true.
func extended(typeName, extension string) spec.Schema {
	s := spec.Schema{}
	if typeName != "" {
		s.Type = []string{typeName}
	}
	target.SetExtension(&s, extension, true)
	return s
}
