//go:build ignore

package main

import (
	"encoding/json"
	"errors"

	policiesv1beta1 "github.com/kyverno/api/api/policies.kyverno.io/v1beta1"
	kyvernov1 "github.com/kyverno/kyverno/api/kyverno/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// content is what the files have.
type content struct {
	// patterns are ClusterPolicies and Policies, whatever language their rules are in.
	patterns []kyvernov1.PolicyInterface
	// validating are ValidatingPolicies.
	validating  []*policiesv1beta1.ValidatingPolicy
	namespaces  namespaces
	configMaps  configMaps
	definitions []*apiextensionsv1.CustomResourceDefinition
}

// readFiles reads policies. The error has the mistakes of all files.
func readFiles(names []string) (content, error) {
	read := content{namespaces: namespaces{}, configMaps: configMaps{}}
	if err := readObjects(names, read.take); err != nil {
		return content{}, err
	}
	validates := len(read.validating) > 0
	for _, policy := range read.patterns {
		validates = validates || policy.GetSpec().HasValidate()
	}
	switch {
	case len(read.patterns)+len(read.validating) == 0:
		return content{}, errors.New("no ClusterPolicy, Policy or ValidatingPolicy in the files")
	case !validates:
		return content{}, errors.New("no rule of the policies validates; rules that mutate, generate or verify images are not compared")
	}
	return read, nil
}

// take sorts an object by its kind. Kinds that no policy needs are ignored, as a cluster does.
func (c *content) take(kind schema.GroupKind, object json.RawMessage) (err error) {
	switch kind.String() {
	case "ClusterPolicy.kyverno.io":
		policy := &kyvernov1.ClusterPolicy{}
		err = json.Unmarshal(object, policy)
		enforce(&policy.Spec)
		c.patterns = append(c.patterns, policy)
	case "Policy.kyverno.io":
		policy := &kyvernov1.Policy{}
		err = json.Unmarshal(object, policy)
		enforce(&policy.Spec)
		c.patterns = append(c.patterns, policy)
	case "ValidatingPolicy.policies.kyverno.io":
		policy := &policiesv1beta1.ValidatingPolicy{} // the versions before have the same fields
		err = json.Unmarshal(object, policy)
		c.validating = append(c.validating, policy)
	case "Namespace":
		err = c.namespaces.add(object)
	case "ConfigMap":
		configMap := &corev1.ConfigMap{}
		err = json.Unmarshal(object, configMap)
		c.configMaps[configMap.Namespace+"/"+configMap.Name] = configMap
	case "CustomResourceDefinition.apiextensions.k8s.io":
		definition := &apiextensionsv1.CustomResourceDefinition{}
		err = json.Unmarshal(object, definition)
		c.definitions = append(c.definitions, definition)
	default:
		if kind.Group == "kyverno.io" || kind.Group == "policies.kyverno.io" {
			err = errors.New("this kind is not compared; leave it out of the files")
		}
	}
	return err
}

// enforce makes a policy deny what it would only audit.
func enforce(spec *kyvernov1.Spec) {
	action := kyvernov1.Enforce
	spec.ValidationFailureAction, spec.ValidationFailureActionOverrides = action, nil
	for i := range spec.Rules {
		if validation := spec.Rules[i].Validation; validation != nil {
			validation.FailureAction, validation.FailureActionOverrides = &action, nil
		}
	}
}
