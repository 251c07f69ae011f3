package kubernetes

import (
	"fmt"
	"maps"
	"slices"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

// SetGates sets feature gates of the API server, which belong to the whole process,
// and gives what puts them back. The error says which of them does not exist or
// cannot be set; then all are as before.
func SetGates(gates map[string]bool) (restore func(), err error) {
	mutable := utilfeature.DefaultMutableFeatureGate
	known := mutable.GetAll()
	before := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		if _, ok := known[featuregate.Feature(name)]; !ok {
			return nil, fmt.Errorf("this Kubernetes has no feature gate %q", name)
		}
		before[name] = mutable.Enabled(featuregate.Feature(name))
	}
	restore = func() { utilruntime.Must(mutable.SetFromMap(before)) }
	if err := mutable.SetFromMap(gates); err != nil {
		restore()
		return nil, err
	}
	return restore, nil
}
