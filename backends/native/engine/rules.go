package engine

import (
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// Rules returns the requests that the webhook of the engine gets. objects are the documents of the policies.
func (e Engine) Rules(objects []map[string]any) []admissionregistrationv1.RuleWithOperations {
	if e.Name == "gatekeeper" {
		return []admissionregistrationv1.RuleWithOperations{ruleOf(gatekeeperResources, "CREATE", "UPDATE")}
	}
	resources := []string{"*", "pods/ephemeralcontainers"}
	for _, object := range objects {
		eachKind(object["spec"], func(kind string) {
			if _, subresource, has := strings.Cut(kind, "/"); has && strings.Count(kind, "/") == 1 && !strings.Contains(subresource, "*") {
				resources = append(resources, "*/"+subresource)
			}
		})
	}
	return []admissionregistrationv1.RuleWithOperations{ruleOf(resources, "*")}
}

// gatekeeperResources are those of the webhook that Gatekeeper is deployed with (config/webhook/manifests.yaml of its
// module, at v3.23.1). It reviews no deletions unless it is asked to.
var gatekeeperResources = []string{
	"*", "pods/ephemeralcontainers", "pods/exec", "pods/log", "pods/eviction", "pods/portforward", "pods/proxy", "pods/attach",
	"pods/binding", "pods/resize", "deployments/scale", "replicasets/scale", "statefulsets/scale", "replicationcontrollers/scale",
	"services/proxy", "nodes/proxy", "services/status",
}

func ruleOf(resources []string, operations ...admissionregistrationv1.OperationType) admissionregistrationv1.RuleWithOperations {
	all := []string{"*"}
	return admissionregistrationv1.RuleWithOperations{
		Operations: operations,
		Rule:       admissionregistrationv1.Rule{APIGroups: all, APIVersions: all, Resources: resources},
	}
}

// eachKind visits the kinds that a policy of Kyverno names, at any depth: Kyverno asks the API server for the subresources
// that one names, as in "Pod/exec", and for those of ephemeral containers.
func eachKind(value any, visit func(kind string)) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			eachKind(item, visit)
		}
	case map[string]any:
		kinds, _ := value["kinds"].([]any)
		for _, kind := range kinds {
			if text, is := kind.(string); is {
				visit(text)
			}
		}
		for _, item := range value {
			eachKind(item, visit)
		}
	}
}
