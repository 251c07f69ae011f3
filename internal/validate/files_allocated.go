package validate

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// allocatedPort stands for a port that the API server picks.
const allocatedPort = int64(32000)

// allocate fills in what the API server fills in before it prepares and validates a new
// object, and validation requires (pkg/registry/core/service/storage, beginCreate): the
// list that holds a single clusterIP, None among them, and the port that a load balancer
// asks for the health of a node. The document is changed.
func allocate(document map[string]any, of schema.GroupKind) {
	spec, isObject := document["spec"].(map[string]any)
	if !isObject || of != (schema.GroupKind{Kind: "Service"}) {
		return
	}
	if ip, isText := spec["clusterIP"].(string); isText && ip != "" && isEmpty(spec["clusterIPs"]) {
		spec["clusterIPs"] = []any{ip}
	}
	local := spec["type"] == string(v1.ServiceTypeLoadBalancer) && spec["externalTrafficPolicy"] == string(v1.ServiceExternalTrafficPolicyLocal)
	if port := spec["healthCheckNodePort"]; local && (port == nil || port == int64(0)) {
		spec["healthCheckNodePort"] = allocatedPort
	}
}

// isEmpty says that a list is not there, or has no item.
func isEmpty(value any) bool {
	list, isList := value.([]any)
	return value == nil || isList && len(list) == 0
}
