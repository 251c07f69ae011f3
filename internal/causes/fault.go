package causes

import "github.com/diffrun/diffrun/harness"

// FaultOf is a fault with what it is of: "case", "native backend", "declarative backend".
type FaultOf struct {
	Of string
	*harness.Fault
}

// Faults gives the faults of a result.
func Faults(r harness.Result) []FaultOf {
	var faults []FaultOf
	first, second := r.Sides.Names()
	for _, fault := range []FaultOf{{"case", r.Fault}, {first + " backend", r.Native.Fault}, {second + " backend", r.Declarative.Fault}} {
		if fault.Fault != nil {
			faults = append(faults, fault)
		}
	}
	return faults
}
