package registry_test

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/apis/apps"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/networking"
	"k8s.io/kubernetes/pkg/apis/resource"

	schemas "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/backends/native/kubernetes/gates"
	"github.com/diffrun/diffrun/harness"
)

// TestSchemasFollowGates: the schema of a call is the one for the feature gates of the process at that time,
// even if the backend was created before a gate was set. Each case wants the errors of Kubernetes; Test fails
// where the schema returns others.
func TestSchemasFollowGates(t *testing.T) {
	backend := schemas.NewBackends().Backend
	autoscaler := map[string]any{
		"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
		"metadata": map[string]any{"name": "worker", "namespace": "shop"},
		"spec": map[string]any{
			"scaleTargetRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "worker"},
			"minReplicas":    int64(0), "maxReplicas": int64(10),
			"metrics": []any{map[string]any{"type": "External", "external": map[string]any{
				"metric": map[string]any{"name": "messages"}, "target": map[string]any{"type": "AverageValue", "averageValue": "30"},
			}}},
		},
	}
	pod := func(spec map[string]any) map[string]any {
		spec["containers"] = []any{map[string]any{"name": "nginx", "image": "nginx"}}
		return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "web", "namespace": "shop"},
			"spec": spec}
	}
	policy := func(cidr string) map[string]any {
		return map[string]any{"apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy",
			"metadata": map[string]any{"name": "web", "namespace": "shop"}, "spec": map[string]any{
				"podSelector": map[string]any{},
				"ingress":     []any{map[string]any{"from": []any{map[string]any{"ipBlock": map[string]any{"cidr": cidr}}}}},
			}}
	}
	for _, row := range []struct {
		gate   string
		target *harness.Target
		object map[string]any
		wrong  bool                  // the state of the gate in which the object is invalid
		err    harness.ExpectedError // in that state; in the other one there are none
	}{
		{"HPAScaleToZero", target(t, autoscaling.Kind("HorizontalPodAutoscaler"), backend), autoscaler, false,
			harness.ExpectedError{Type: field.ErrorTypeInvalid, Field: "spec.minReplicas"}},
		{"SELinuxMount", target(t, core.Kind("Pod"), backend),
			pod(map[string]any{"securityContext": map[string]any{"seLinuxChangePolicy": "MountOption"}}), false,
			harness.ExpectedError{Type: field.ErrorTypeNotSupported, Field: "spec.securityContext.seLinuxChangePolicy"}},
		{"UserNamespacesHostNetworkSupport", target(t, core.Kind("Pod"), backend),
			pod(map[string]any{"hostUsers": false, "hostNetwork": true}), false,
			harness.ExpectedError{Type: field.ErrorTypeForbidden, Field: "spec.hostNetwork"}},
		{"StrictIPCIDRValidation", target(t, core.Kind("Pod"), backend),
			pod(map[string]any{"hostAliases": []any{map[string]any{"ip": "10.0.0.01"}}}), true,
			harness.ExpectedError{Type: field.ErrorTypeInvalid, Field: "spec.hostAliases[0].ip", Detail: "must not have leading 0s"}},
		{"StrictIPCIDRValidation", target(t, networking.Kind("NetworkPolicy"), backend), policy("10.0.0.0/08"), true,
			harness.ExpectedError{
				Type:   field.ErrorTypeInvalid,
				Field:  "spec.ingress[0].from[0].ipBlock.cidr",
				Detail: "must not have leading 0s in IP or prefix length",
			}},
		{"PodLogsQuerySplitStreams", target(t, core.Kind("PodLogOptions"), backend),
			map[string]any{"apiVersion": "v1", "kind": "PodLogOptions", "stream": "All", "tailLines": int64(9)}, false,
			harness.ExpectedError{Type: field.ErrorTypeForbidden, Field: "stream", Detail: "may not be specified"}},
		{"StatefulSetRecreateStrategy", target(t, apps.Kind("StatefulSet"), backend), recreated(), false,
			harness.ExpectedError{Type: field.ErrorTypeInvalid, Field: "spec.updateStrategy",
				Detail: "must be 'RollingUpdate' or 'OnDelete'"}},
		{"DRAFractionalCapacityRange", inV1(target(t, resource.Kind("ResourceSlice"), backend)), fractions(), false,
			harness.ExpectedError{Type: field.ErrorTypeDuplicate, Field: "spec.devices[0].capacity[slots].requestPolicy.validValues[1]"}},
	} {
		for _, on := range []bool{false, true, false} {
			restore, err := gates.Set(map[string]bool{row.gate: on})
			if err != nil {
				t.Fatal(err)
			}
			want := []harness.ExpectedError{}
			if on == row.wrong {
				want = append(want, row.err)
			}
			t.Logf("%s=%v", row.gate, on)
			harness.For(t, row.target).Test(t, harness.Case{Object: row.object, Want: want})
			restore()
		}
	}
}

// inV1 returns a target with the version v1 alone. An older one has the fields of a device at another place, which an exception
// is about.
func inV1(of *harness.Target) *harness.Target {
	of.Versions = slices.DeleteFunc(slices.Clone(of.Versions), func(v harness.Version) bool { return v.Version != "v1" })
	return of
}

// recreated returns a StatefulSet whose pods are all replaced at once.
func recreated() map[string]any {
	labels := map[string]any{"app": "web"}
	return map[string]any{"apiVersion": "apps/v1", "kind": "StatefulSet",
		"metadata": map[string]any{"name": "web", "namespace": "shop"}, "spec": map[string]any{
			"selector": map[string]any{"matchLabels": labels}, "updateStrategy": map[string]any{"type": "Recreate"},
			"template": map[string]any{"metadata": map[string]any{"labels": labels}, "spec": map[string]any{
				"containers": []any{map[string]any{"name": "nginx", "image": "nginx"}},
			}},
		}}
}

// fractions returns a ResourceSlice with two valid values that round to the same number.
func fractions() map[string]any {
	return map[string]any{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": map[string]any{"name": "gpus"},
		"spec": map[string]any{
			"nodeName": "node-1", "driver": "gpu.example.com", "pool": map[string]any{
				"name":               "node-1",
				"generation":         int64(1),
				"resourceSliceCount": int64(1),
			},
			"devices": []any{map[string]any{"name": "gpu-1", "allowMultipleAllocations": true,
				"capacity": map[string]any{"slots": map[string]any{
					"value": "8", "requestPolicy": map[string]any{"default": "2", "validValues": []any{"1900m", "2"}},
				}}}},
		}}
}

func TestSetGates(t *testing.T) {
	const gate = "TaintTolerationComparisonOperators"
	enabled := func() bool { return utilfeature.DefaultFeatureGate.Enabled(featuregate.Feature(gate)) }
	before := enabled()
	restore, err := gates.Set(map[string]bool{gate: !before})
	if err != nil {
		t.Fatal(err)
	}
	if enabled() == before {
		t.Error("the gate was not set")
	}
	restore()
	if enabled() != before {
		t.Error("the gate was not put back")
	}

	_, err = gates.Set(map[string]bool{gate: !before, "NoSuchGate": true})
	if err == nil || !strings.Contains(err.Error(), `no feature gate "NoSuchGate"`) {
		t.Errorf("error %v; it should name the gate", err)
	}
	if enabled() != before {
		t.Error("a gate was set although another one does not exist")
	}

	_, err = gates.Set(map[string]bool{gate: !before, "NodeLogQuery": false})
	if err == nil || err.Error() != "the feature gate NodeLogQuery is locked to true in this Kubernetes" {
		t.Errorf("error %v; it should say what the gate is locked to", err)
	}
	if enabled() != before {
		t.Error("a gate was set although another one is locked")
	}
}
