//go:build ignore

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	policiesv1beta1 "github.com/kyverno/api/api/policies.kyverno.io/v1beta1"
	kyvernov1 "github.com/kyverno/kyverno/api/kyverno/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// content is what the files have.
type content struct {
	// patterns are ClusterPolicies and Policies, whatever language their rules are in.
	patterns []kyvernov1.PolicyInterface
	// validating are ValidatingPolicies.
	validating  []*policiesv1beta1.ValidatingPolicy
	namespaces  map[string]*corev1.Namespace
	configMaps  map[string]*corev1.ConfigMap // by namespace/name
	definitions []*apiextensionsv1.CustomResourceDefinition
}

// readFiles reads policies. The error has the mistakes of all files.
func readFiles(names []string) (content, error) {
	read := content{namespaces: map[string]*corev1.Namespace{}, configMaps: map[string]*corev1.ConfigMap{}}
	var mistakes []error
	for _, name := range names {
		mistakes = append(mistakes, read.file(name))
	}
	if err := errors.Join(mistakes...); err != nil {
		return content{}, err
	}
	if len(read.patterns)+len(read.validating) == 0 {
		return content{}, errors.New("no ClusterPolicy, Policy or ValidatingPolicy in the files")
	}
	return read, nil
}

func (c *content) file(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	documents := yaml.NewYAMLOrJSONDecoder(file, 4096)
	for number := 1; ; number++ {
		var document json.RawMessage
		if err := documents.Decode(&document); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: document %d: %w", name, number, err)
		}
		if err := c.add(document); err != nil {
			return fmt.Errorf("%s: document %d: %w", name, number, err)
		}
	}
}

// add sorts a document by its kind. Kinds that no policy needs are ignored, as a cluster does.
func (c *content) add(document json.RawMessage) error {
	var kind metav1.TypeMeta
	if len(document) == 0 || string(document) == "null" {
		return nil
	}
	if err := json.Unmarshal(document, &kind); err != nil {
		return err
	}
	var err error
	switch kind.GroupVersionKind().GroupKind().String() {
	case "ClusterPolicy.kyverno.io":
		policy := &kyvernov1.ClusterPolicy{}
		err = json.Unmarshal(document, policy)
		enforce(&policy.Spec)
		c.patterns = append(c.patterns, policy)
	case "Policy.kyverno.io":
		policy := &kyvernov1.Policy{}
		err = json.Unmarshal(document, policy)
		enforce(&policy.Spec)
		c.patterns = append(c.patterns, policy)
	case "ValidatingPolicy.policies.kyverno.io":
		policy := &policiesv1beta1.ValidatingPolicy{} // the versions before have the same fields
		err = json.Unmarshal(document, policy)
		c.validating = append(c.validating, policy)
	case "Namespace":
		namespace := &corev1.Namespace{}
		err = json.Unmarshal(document, namespace)
		c.namespaces[namespace.Name] = namespace
	case "ConfigMap":
		configMap := &corev1.ConfigMap{}
		err = json.Unmarshal(document, configMap)
		c.configMaps[configMap.Namespace+"/"+configMap.Name] = configMap
	case "CustomResourceDefinition.apiextensions.k8s.io":
		definition := &apiextensionsv1.CustomResourceDefinition{}
		err = json.Unmarshal(document, definition)
		c.definitions = append(c.definitions, definition)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", kind.Kind, err)
	}
	return nil
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
