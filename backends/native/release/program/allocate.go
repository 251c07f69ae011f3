package program

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	serviceutil "k8s.io/kubernetes/pkg/api/service"
	"k8s.io/kubernetes/pkg/apis/core"
)

// allocatedPort represents a port that the API server picks.
const allocatedPort = 32000

// Allocate fills in what the storage of a kind fills in before preparation and validation
// (pkg/registry/core/service/storage, beginCreate and beginUpdate): the list that holds a single
// clusterIP, even None, the health check node port of a load balancer, and allocated values that an
// update leaves out. old is nil for a create.
func Allocate(object, old runtime.Object) {
	service, isService := object.(*core.Service)
	if !isService {
		return
	}
	before, isUpdate := old.(*core.Service)
	if isUpdate {
		listAddress(&before.Spec)
		keepAllocated(&service.Spec, &before.Spec)
	} else {
		listAddress(&service.Spec)
	}
	hadHealthCheck := isUpdate && serviceutil.NeedsHealthCheck(before)
	if serviceutil.NeedsHealthCheck(service) && !hadHealthCheck && service.Spec.HealthCheckNodePort == 0 {
		service.Spec.HealthCheckNodePort = allocatedPort
	}
}

// listAddress fills in clusterIPs if a client, or an old object, set clusterIP alone.
func listAddress(spec *core.ServiceSpec) {
	if spec.ClusterIP != "" && len(spec.ClusterIPs) == 0 {
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
}

// keepAllocated does for an update what patchAllocatedValues and normalizeClusterIPs do.
func keepAllocated(spec, old *core.ServiceSpec) {
	if spec.Type != core.ServiceTypeExternalName && old.Type != core.ServiceTypeExternalName {
		if spec.ClusterIP == "" {
			spec.ClusterIP = old.ClusterIP
		}
		if len(spec.ClusterIPs) == 0 {
			spec.ClusterIPs = slices.Clone(old.ClusterIPs)
		}
	}
	if hasNodePorts(spec) && hasNodePorts(old) {
		keepNodePorts(spec.Ports, old.Ports)
	}
	if hasHealthCheck(spec) && hasHealthCheck(old) && spec.HealthCheckNodePort == 0 {
		spec.HealthCheckNodePort = old.HealthCheckNodePort
	}
	switch {
	case spec.ClusterIP == old.ClusterIP && len(spec.ClusterIPs) == 0:
		spec.ClusterIPs = slices.Clone(old.ClusterIPs)
	case spec.ClusterIP == old.ClusterIP || !slices.Equal(spec.ClusterIPs, old.ClusterIPs):
	case spec.ClusterIP == "":
		spec.ClusterIPs = nil
	default:
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
}

// keepNodePorts fills in node ports by the names of the service ports.
func keepNodePorts(ports, old []core.ServicePort) {
	byName, kept := map[string]int32{}, map[int32]bool{}
	for _, port := range old {
		byName[port.Name] = port.NodePort
		if port.NodePort != 0 && slices.ContainsFunc(ports, func(p core.ServicePort) bool { return p.NodePort == port.NodePort }) {
			kept[port.NodePort] = true
		}
	}
	for i := range ports {
		if before := byName[ports[i].Name]; ports[i].NodePort == 0 && !kept[before] {
			ports[i].NodePort = before
		}
	}
}

func hasNodePorts(spec *core.ServiceSpec) bool {
	return spec.Type == core.ServiceTypeNodePort || spec.Type == core.ServiceTypeLoadBalancer &&
		(spec.AllocateLoadBalancerNodePorts == nil || *spec.AllocateLoadBalancerNodePorts)
}

func hasHealthCheck(spec *core.ServiceSpec) bool {
	return spec.Type == core.ServiceTypeLoadBalancer && spec.ExternalTrafficPolicy == core.ServiceExternalTrafficPolicyLocal
}
