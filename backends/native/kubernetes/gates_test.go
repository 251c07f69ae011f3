package kubernetes_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/apis/core"

	schemas "github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
	"github.com/diffrun/diffrun/backends/native/kubernetes"
	"github.com/diffrun/diffrun/harness"
)

// TestSchemasFollowGates: the schema of a call is that of the gates of the process at that time, for
// backends that were made before a gate was set. Each case wants the errors that Kubernetes gives;
// Test fails where the schema gives others.
func TestSchemasFollowGates(t *testing.T) {
	backend := schemas.NewBackends().Backend
	autoscaler := map[string]any{
		"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": map[string]any{"name": "worker", "namespace": "shop"},
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
		return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "web", "namespace": "shop"}, "spec": spec}
	}
	for _, row := range []struct {
		gate   string
		target *harness.Target
		object map[string]any
		off    harness.ExpectedError // with the gate off; with it on there is none
	}{
		{"HPAScaleToZero", target(t, autoscaling.Kind("HorizontalPodAutoscaler"), backend), autoscaler,
			harness.ExpectedError{Type: field.ErrorTypeInvalid, Field: "spec.minReplicas"}},
		{"SELinuxMount", target(t, core.Kind("Pod"), backend), pod(map[string]any{"securityContext": map[string]any{"seLinuxChangePolicy": "MountOption"}}),
			harness.ExpectedError{Type: field.ErrorTypeNotSupported, Field: "spec.securityContext.seLinuxChangePolicy"}},
		{"UserNamespacesHostNetworkSupport", target(t, core.Kind("Pod"), backend), pod(map[string]any{"hostUsers": false, "hostNetwork": true}),
			harness.ExpectedError{Type: field.ErrorTypeForbidden, Field: "spec.hostNetwork"}},
	} {
		for _, on := range []bool{false, true, false} {
			restore, err := kubernetes.SetGates(map[string]bool{row.gate: on})
			if err != nil {
				t.Fatal(err)
			}
			want := []harness.ExpectedError{}
			if !on {
				want = append(want, row.off)
			}
			t.Logf("%s=%v", row.gate, on)
			harness.For(t, row.target).Test(t, harness.Case{Object: row.object, Want: want})
			restore()
		}
	}
}

func TestSetGates(t *testing.T) {
	const gate = "TaintTolerationComparisonOperators"
	enabled := func() bool { return utilfeature.DefaultFeatureGate.Enabled(featuregate.Feature(gate)) }
	before := enabled()
	restore, err := kubernetes.SetGates(map[string]bool{gate: !before})
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

	_, err = kubernetes.SetGates(map[string]bool{gate: !before, "NoSuchGate": true})
	if err == nil || !strings.Contains(err.Error(), `no feature gate "NoSuchGate"`) {
		t.Errorf("error %v; it should name the gate", err)
	}
	if enabled() != before {
		t.Error("a gate was set although another one does not exist")
	}

	_, err = kubernetes.SetGates(map[string]bool{gate: !before, "NodeLogQuery": false})
	if err == nil || err.Error() != "the feature gate NodeLogQuery is locked to true in this Kubernetes" {
		t.Errorf("error %v; it should say what the gate is locked to", err)
	}
	if enabled() != before {
		t.Error("a gate was set although another one is locked")
	}
}
