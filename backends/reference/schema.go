package reference

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// schemas are the two forms in which the API server holds one schema.
type schemas struct {
	validator  validation.SchemaValidator
	structural *structuralschema.Structural
}

// newSchemas compiles a schema as the API server does when it starts to serve a version
// (pkg/apiserver/customresource_handler.go, getOrCreateServingInfoFor).
func newSchemas(v1 *apiextensionsv1.JSONSchemaProps) (schemas, error) {
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v1, &internal, nil); err != nil {
		return schemas{}, fmt.Errorf("a value in the schema is not JSON: %w", err)
	}
	structural, err := structuralschema.NewStructural(&internal)
	if err != nil {
		return schemas{}, err
	}
	// Pruning the defaults changes the schema, and its values are shared.
	structural = structural.DeepCopy()
	if err := defaulting.PruneDefaults(structural); err != nil {
		return schemas{}, err
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		return schemas{}, err
	}
	return schemas{validator: validator, structural: structural}, nil
}

// newSchemaValidator returns only the form that validates values.
func newSchemaValidator(v1 *apiextensionsv1.JSONSchemaProps) (validation.SchemaValidator, error) {
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v1, &internal, nil); err != nil {
		return nil, fmt.Errorf("a value in the schema is not JSON: %w", err)
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	return validator, err
}

// props converts a schema of kube-openapi to one of a CustomResourceDefinition. A keyword that the
// latter lacks is an error, not silently dropped.
func props(schema *spec.Schema) (*apiextensionsv1.JSONSchemaProps, error) {
	if schema == nil {
		return nil, errors.New("no schema to compile")
	}
	data, err := schema.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("the schema cannot be written as JSON: %w", err)
	}
	var v1 apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(data, &v1); err != nil {
		return nil, fmt.Errorf("this is not a schema of a CustomResourceDefinition: %w", err)
	}
	kept, err := json.Marshal(&v1)
	if err != nil {
		return nil, err
	}
	var before, after any
	if err := errors.Join(utiljson.Unmarshal(data, &before), utiljson.Unmarshal(kept, &after)); err != nil {
		return nil, err
	}
	if lost := lost("", before, after); len(lost) > 0 {
		slices.Sort(lost)
		return nil, fmt.Errorf("apiextensions-apiserver does not know %s", strings.Join(lost, ", "))
	}
	return &v1, nil
}

// lost returns the paths that are in before and not in after. False, zero and empty values equal
// absent ones.
func lost(at string, before, after any) []string {
	var places []string
	switch before := before.(type) {
	case map[string]any:
		after, _ := after.(map[string]any)
		for key, value := range before {
			in := strings.TrimPrefix(at+"."+key, ".")
			other, found := after[key]
			switch {
			case !found && !empty(value) && !harmless(key):
				places = append(places, in)
			case found:
				places = append(places, lost(in, value, other)...)
			}
		}
	case []any:
		after, _ := after.([]any)
		for i := range min(len(before), len(after)) {
			places = append(places, lost(fmt.Sprintf("%s[%d]", at, i), before[i], after[i])...)
		}
	}
	return places
}

func empty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case bool:
		return !value
	case int64:
		return value == 0
	case string:
		return value == ""
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	default:
		return false
	}
}

// harmless reports whether an extension does not affect which values are valid.
func harmless(key string) bool {
	return key == "x-kubernetes-group-version-kind" || strings.HasPrefix(key, "x-kubernetes-patch-")
}
