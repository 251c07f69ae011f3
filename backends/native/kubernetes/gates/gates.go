// Package gates sets and reads the feature gates of the API server in this process.
package gates

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/klog/v2"
)

// Set sets feature gates of the API server for the whole process, and returns a function that
// restores them. The error names the gate that does not exist or cannot be set; then none changes.
func Set(gates map[string]bool) (restore func(), err error) {
	mutable := utilfeature.DefaultMutableFeatureGate
	known := mutable.GetAll()
	before := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		spec, ok := known[featuregate.Feature(name)]
		switch {
		case !ok:
			return nil, fmt.Errorf("this Kubernetes has no feature gate %q", name)
		case spec.LockToDefault && gates[name] != spec.Default:
			return nil, fmt.Errorf("the feature gate %s is locked to %t in this Kubernetes", name, spec.Default)
		}
		before[name] = mutable.Enabled(featuregate.Feature(name))
	}
	set := func(gates map[string]bool) error {
		// Setting a gate of a stable feature logs a warning that it will be removed.
		defer klog.CaptureState().Restore()
		klog.SetLogger(logr.Discard())
		return mutable.SetFromMap(gates)
	}
	restore = func() { utilruntime.Must(set(before)) }
	if err := set(gates); err != nil {
		restore()
		return nil, err
	}
	return restore, nil
}

// Enabled reports whether a feature gate of the API server is enabled in this process.
func Enabled(gate string) bool {
	return utilfeature.DefaultFeatureGate.Enabled(featuregate.Feature(gate))
}
