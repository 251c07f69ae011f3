package shadow_test

import (
	"fmt"

	"k8s.io/apiserver/pkg/features"
	"k8s.io/component-base/featuregate"

	"github.com/diffrun/diffrun/shadow"
)

// A shadow asks its gates at each request. An API server passes its own; FixedGates never change.
func ExampleFixedGates() {
	var gates shadow.Gates = shadow.FixedGates{features.DeclarativeValidationBeta: false}
	for _, gate := range []featuregate.Feature{features.DeclarativeValidation, features.DeclarativeValidationBeta} {
		fmt.Println(gate, gates.Enabled(gate))
	}
	// Output:
	// DeclarativeValidation true
	// DeclarativeValidationBeta false
}
