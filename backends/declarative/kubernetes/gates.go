package kubernetes

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// A Gate is a feature gate that overlays name, and whether Kubernetes enables it by default.
type Gate struct {
	Name    string
	Default bool
}

// Gates lists the feature gates that the bundled schemas know, sorted by name. Each gate has a file
// with the definitions that change when it is not in its default state.
func Gates() []Gate {
	return []Gate{
		{Name: "DRAFractionalCapacityRange"},
		{Name: "HPAScaleToZero", Default: true},
		{Name: "MutableCSINodeAllocatableCount", Default: true},
		{Name: "MutablePVNodeAffinity"},
		{Name: "PodLogsQuerySplitStreams"},
		{Name: "RelaxedServiceNameValidation", Default: true},
		{Name: "SELinuxMount", Default: true},
		{Name: "StatefulSetRecreateStrategy"},
		{Name: "StrictIPCIDRValidation", Default: true},
		{Name: "UserNamespacesHostNetworkSupport"},
		{Name: "VolumeLimitScaling", Default: true},
		{Name: "WorkloadWithJob"},
	}
}

// DefaultOptions returns the gates that are enabled by default.
func DefaultOptions() []string {
	var names []string
	for _, gate := range Gates() {
		if gate.Default {
			names = append(names, gate.Name)
		}
	}
	return names
}

// differs reports whether the gate is not in its default state in this process. An unregistered gate
// is in its default state.
func (g Gate) differs(registered map[featuregate.Feature]featuregate.FeatureSpec) bool {
	name := featuregate.Feature(g.Name)
	_, known := registered[name]
	return known && utilfeature.DefaultFeatureGate.Enabled(name) != g.Default
}

// changedBy returns the definitions that change when a gate is not in its default state. l.mu is held.
func (l *Library) changedBy(gate string) (map[string]*spec.Schema, error) {
	if found, ok := l.gates[gate]; ok {
		return found, nil
	}
	name := "gates/" + gate + ".json"
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	var read map[string]*spec.Schema
	if err := json.Unmarshal(data, &read); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	l.gates[gate] = read
	return read, nil
}

// gatesOf lists the gates that change a definition of a kind. Schemas of tags alone have none.
func (l *Library) gatesOf(definitions map[string]*spec.Schema) ([]Gate, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.folders, "schemas") {
		return nil, nil
	}
	var gates []Gate
	for _, gate := range Gates() {
		changed, err := l.changedBy(gate.Name)
		if err != nil {
			return nil, err
		}
		for name := range changed {
			if definitions[name] != nil {
				gates = append(gates, gate)
				break
			}
		}
	}
	return gates, nil
}

// joined returns a list of gates as a key of a map.
func joined(gates []string) string { return strings.Join(gates, ",") }
