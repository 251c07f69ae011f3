package kubernetes_test

import (
	"strings"
	"testing"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"

	"github.com/diffrun/diffrun/backends/native/kubernetes"
)

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
