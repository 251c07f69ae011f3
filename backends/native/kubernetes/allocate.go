package kubernetes

import (
	"k8s.io/apimachinery/pkg/runtime"
	serviceutil "k8s.io/kubernetes/pkg/api/service"
	"k8s.io/kubernetes/pkg/apis/core"
)

// allocatedPort stands for a port that the API server picks.
const allocatedPort = 32000

// allocate fills in what the storage of a kind fills in before it prepares and validates a new
// object, and validation requires (pkg/registry/core/service/storage, beginCreate): the list that
// holds a single clusterIP, None among them, and the port that a load balancer asks for the health
// of a node.
func allocate(object runtime.Object) {
	service, isService := object.(*core.Service)
	if !isService {
		return
	}
	if spec := &service.Spec; spec.ClusterIP != "" && len(spec.ClusterIPs) == 0 {
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
	if serviceutil.NeedsHealthCheck(service) && service.Spec.HealthCheckNodePort == 0 {
		service.Spec.HealthCheckNodePort = allocatedPort
	}
}
