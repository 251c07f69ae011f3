package engine

import (
	"regexp"
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
		eachKind(object["spec"], func(selector string) {
			if subresource := subresourceOf(selector); subresource != "" {
				resources = append(resources, "*/"+subresource)
			}
		})
	}
	return []admissionregistrationv1.RuleWithOperations{ruleOf(resources, "*")}
}

// version matches what Kyverno reads as the version in the selector of a kind, and not as a group or a kind.
var version = regexp.MustCompile(`^(v\d((alpha|beta)\d)?|\*)$`)

// subresourceOf returns the subresource that a selector of Kyverno has: "exec" for Pod/exec, Pod.exec, v1/Pod/exec and
// apps/v1/Deployment/exec, "*" for */*; empty: it selects a kind. Kyverno reads it in ParseKindSelector of pkg/utils/kube.
func subresourceOf(selector string) string {
	parts := strings.Split(selector, "/")
	last := len(parts) - 1
	parts = append(parts[:last], strings.Split(parts[last], ".")...)
	switch {
	case selector == "*/*":
		return "*"
	case len(parts) == 2 && !version.MatchString(parts[0]), len(parts) == 3 && version.MatchString(parts[0]), len(parts) == 4:
		return parts[len(parts)-1]
	}
	return ""
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
