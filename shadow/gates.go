package shadow

import (
	"k8s.io/apiserver/pkg/features"
	"k8s.io/component-base/featuregate"
)

// Gates reports which features are on: DeclarativeValidation, DeclarativeValidationBeta and DeclarativeValidationTakeover of
// k8s.io/apiserver/pkg/features. It is asked at each request. The feature gates of an API server implement it.
type Gates interface {
	Enabled(feature featuregate.Feature) bool
}

// FixedGates are gates that do not change. A gate that is not named has its default.
type FixedGates map[featuregate.Feature]bool

// Enabled reports whether a gate is on.
func (g FixedGates) Enabled(feature featuregate.Feature) bool {
	if on, named := g[feature]; named {
		return on
	}
	//lint:ignore SA1019 API servers still have it
	return feature != features.DeclarativeValidationTakeover
}

// powers are what the schema may do for one request.
type powers struct {
	compare bool // count and log differences
	enforce bool // decide, if the stage of the rule allows it
	beta    bool // beta rules decide, too
}

func (o Options) powers() powers {
	//lint:ignore SA1019 API servers still have it
	takeover := features.DeclarativeValidationTakeover
	return powers{
		compare: o.Gates.Enabled(features.DeclarativeValidation),
		enforce: o.Enforce || o.Gates.Enabled(takeover),
		beta:    o.Gates.Enabled(features.DeclarativeValidationBeta),
	}
}
