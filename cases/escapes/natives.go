package escapes

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/harness"
)

// escape is a hand-written validator with the kind that it validates.
type escape struct {
	group, kind string
	versions    []string
	backend     harness.Backend
}

// escapes returns all validators, in the order of the suites.
func escapes() []escape {
	return []escape{
		{"gateway.networking.k8s.io", "Gateway", []string{"v1"}, native.Func[*gateway](validateGateway)},
		{"gateway.networking.k8s.io", "HTTPRoute", []string{"v1"}, native.Func[*httpRoute](validateHTTPRoute)},
		{"karpenter.sh", "BudgetPool", []string{"v1"}, native.Func[*nodePool](validateBudgets)},
		{"karpenter.sh", "SchedulePool", []string{"v1"}, native.Func[*nodePool](validateSchedules)},
		{"karpenter.sh", "NodePool", []string{"v1beta1"}, native.Func[*nodePool](validateNodePool)},
		{"networking.istio.io", "WorkloadGroup", []string{"v1"}, native.Func[*workloadGroup](validateWorkloadGroup)},
		{"readiness.node.x-k8s.io", "NodeReadinessRule", []string{"v1alpha1"}, native.Func[*nodeReadinessRule](validateNodeReadinessRule)},
		{"stas.statnett.no", "Application", []string{"v1beta2"}, native.Func[*application](validateApplication)},
		{"certmanager.k8s.io", "Order", []string{"v1alpha1"}, native.Func[*order](validateOrder)},
		{"infrastructure.cluster.x-k8s.io", "ProxmoxMachine", []string{"v1alpha1", "v1alpha2"},
			native.Func[*proxmoxMachine](validateProxmoxMachine)},
		{"infrastructure.cluster.x-k8s.io", "VSphereMachine", []string{"v1beta1"}, native.Func[*vsphereMachine](validateVSphereMachine)},
	}
}

// Natives provides the validators to suites; the zero value is ready.
type Natives struct{}

// Kinds lists the kinds of the escapes, in the order of the suites.
func (Natives) Kinds() []schema.GroupKind {
	var kinds []schema.GroupKind
	for _, e := range escapes() {
		kinds = append(kinds, schema.GroupKind{Group: e.group, Kind: e.kind})
	}
	return kinds
}

// Target returns the native side of a kind. Its objects are documents. A suite with schemas of a
// CustomResourceDefinition has its own Scheme.
func (n Natives) Target(kind schema.GroupKind) (*harness.Target, error) {
	for _, e := range escapes() {
		if e.group != kind.Group || e.kind != kind.Kind {
			continue
		}
		target := &harness.Target{Kind: kind, Scheme: harness.Documents{}}
		for _, version := range e.versions {
			target.Versions = append(target.Versions, harness.Version{GroupVersionKind: kind.WithVersion(version), Native: e.backend})
		}
		return target, nil
	}
	var known []string
	for _, kind := range n.Kinds() {
		known = append(known, kind.String())
	}
	return nil, fmt.Errorf("no escape has the kind %s; there are %s", kind, strings.Join(known, ", "))
}
