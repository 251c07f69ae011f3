package structural

import (
	"encoding/json"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// leads reports whether a fieldPath leads to a field. It uses upstream's code, also if rules are
// not compiled. It accepts every path if the schema has no structural form.
func leads(s *spec.Schema, path string) bool {
	data, err := json.Marshal(s)
	if err != nil {
		return true
	}
	var props apiextensionsv1.JSONSchemaProps
	var internal apiextensions.JSONSchemaProps
	if json.Unmarshal(data, &props) != nil || apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &internal, nil) != nil {
		return true
	}
	structural, err := schema.NewStructural(&internal)
	if err != nil {
		return true
	}
	_, _, err = cel.ValidFieldPath(path, structural)
	return err == nil
}
