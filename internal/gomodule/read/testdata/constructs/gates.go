package constructs

import (
	"k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-base/featuregate"
)

const (
	// Off, On and Locked are feature gates.
	Off    featuregate.Feature = "Off"
	On     featuregate.Feature = "On"
	Locked featuregate.Feature = "Locked"
)

var gates = featuregate.NewFeatureGate()

// depends is another table of gates, which says nothing of defaults.
var depends = map[featuregate.Feature][]featuregate.Feature{Off: {On}, On: {}, Locked: {}}

func init() {
	runtime.Must(gates.Add(map[featuregate.Feature]featuregate.FeatureSpec{
		Off:    {Default: false, PreRelease: featuregate.Alpha},
		On:     {Default: true, PreRelease: featuregate.Beta},
		Locked: {Default: true, PreRelease: featuregate.GA, LockToDefault: true},
	}))
	runtime.Must(gates.AddDependencies(depends))
}

func ValidateGates(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if !gates.Enabled(Off) && obj.Spec.Name == "a" {
		errs = append(errs, field.Forbidden(spec.Child("name"), "without the gate"))
	}
	if gates.Enabled(Off) && obj.Spec.Size > 2 {
		errs = append(errs, field.Forbidden(spec.Child("size"), "with the gate"))
	}
	if gates.Enabled(On) && gates.Enabled(Locked) && obj.Spec.Other == "b" {
		errs = append(errs, field.Forbidden(spec.Child("otherName"), "with both"))
	}
	if obj.Spec.Paused && len(obj.Spec.Names) > 1 {
		errs = append(errs, field.Forbidden(spec.Child("names"), "always"))
	}
	return errs
}
