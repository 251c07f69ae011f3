package kubernetes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/apis/batch"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/networking"
	"k8s.io/kubernetes/pkg/apis/policy"
	"k8s.io/kubernetes/pkg/apis/rbac"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/role"

	// The install packages register the versions of each group in legacyscheme.
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/extensions/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
)

// strategy is what the API server's registry asks about a resource.
type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// kind is a kind that this package validates.
type kind struct {
	schema.GroupKind
	// resource is the plural that request paths use.
	resource string
	// internal makes the hub type that all versions convert through.
	internal func() runtime.Object
	// strategies by subresource; "" is the resource itself.
	strategies map[string]strategy
}

// kinds lists every kind that this package validates.
func kinds() []kind {
	return []kind{
		{core.Kind("ConfigMap"), "configmaps", func() runtime.Object { return &core.ConfigMap{} },
			map[string]strategy{"": configmap.Strategy}},
		{core.Kind("Pod"), "pods", func() runtime.Object { return &core.Pod{} },
			map[string]strategy{"": pod.Strategy, "status": pod.StatusStrategy}},
		{core.Kind("Service"), "services", func() runtime.Object { return &core.Service{} },
			map[string]strategy{"": service.Strategy, "status": service.StatusStrategy}},
		{apps.Kind("Deployment"), "deployments", func() runtime.Object { return &apps.Deployment{} },
			map[string]strategy{"": deployment.Strategy, "status": deployment.StatusStrategy}},
		{apps.Kind("StatefulSet"), "statefulsets", func() runtime.Object { return &apps.StatefulSet{} },
			map[string]strategy{"": statefulset.Strategy, "status": statefulset.StatusStrategy}},
		{autoscaling.Kind("HorizontalPodAutoscaler"), "horizontalpodautoscalers", func() runtime.Object { return &autoscaling.HorizontalPodAutoscaler{} },
			map[string]strategy{"": horizontalpodautoscaler.Strategy, "status": horizontalpodautoscaler.StatusStrategy}},
		{batch.Kind("CronJob"), "cronjobs", func() runtime.Object { return &batch.CronJob{} },
			map[string]strategy{"": cronjob.Strategy, "status": cronjob.StatusStrategy}},
		{batch.Kind("Job"), "jobs", func() runtime.Object { return &batch.Job{} },
			map[string]strategy{"": job.Strategy, "status": job.StatusStrategy}},
		{networking.Kind("NetworkPolicy"), "networkpolicies", func() runtime.Object { return &networking.NetworkPolicy{} },
			map[string]strategy{"": networkpolicy.Strategy}},
		{policy.Kind("PodDisruptionBudget"), "poddisruptionbudgets", func() runtime.Object { return &policy.PodDisruptionBudget{} },
			map[string]strategy{"": poddisruptionbudget.Strategy, "status": poddisruptionbudget.StatusStrategy}},
		{rbac.Kind("Role"), "roles", func() runtime.Object { return &rbac.Role{} },
			map[string]strategy{"": role.Strategy}},
	}
}

// Kinds lists the kinds that this package validates, by group and kind.
func Kinds() []schema.GroupKind {
	var all []schema.GroupKind
	for _, k := range kinds() {
		all = append(all, k.GroupKind)
	}
	return all
}

// find gives the kind of a name; a kind that moved between groups (Deployment
// was extensions') is found by each of them.
func find(wanted schema.GroupKind) (kind, error) {
	for _, k := range kinds() {
		for _, version := range k.versions() {
			if version.GroupKind() == wanted {
				return k, nil
			}
		}
	}
	names := make([]string, 0, len(kinds()))
	for _, k := range kinds() {
		names = append(names, k.String())
	}
	return kind{}, fmt.Errorf("no native validator for %s; there are %s", wanted, strings.Join(names, ", "))
}

// versions lists the versions that legacyscheme has of a kind, those of its
// own group first, the preferred ones before the others.
func (k kind) versions() []schema.GroupVersionKind {
	hubs, _, err := legacyscheme.Scheme.ObjectKinds(k.internal())
	if err != nil {
		panic(fmt.Sprintf("kubernetes: %s is not in legacyscheme: %v", k, err)) // the table above is wrong
	}
	slices.SortFunc(hubs, func(a, b schema.GroupVersionKind) int {
		return cmp.Or(btoi(a.Group != k.Group)-btoi(b.Group != k.Group), strings.Compare(a.Group, b.Group))
	})
	var all []schema.GroupVersionKind
	for _, hub := range hubs {
		for _, version := range legacyscheme.Scheme.PrioritizedVersionsForGroup(hub.Group) {
			if gvk := version.WithKind(k.Kind); hub.Kind == k.Kind && legacyscheme.Scheme.Recognizes(gvk) {
				all = append(all, gvk)
			}
		}
	}
	return all
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// strategyFor gives what validates a subresource.
func (k kind) strategyFor(subresource string) (strategy, error) {
	if s, ok := k.strategies[subresource]; ok {
		return s, nil
	}
	var names []string
	for name := range k.strategies {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return nil, fmt.Errorf("no native validator for the subresource %q of %s; there are [%s]", subresource, k.GroupKind, strings.Join(names, ", "))
}
