package shadow

import "k8s.io/component-base/featuregate"

// The feature gates of KEP-5073, as in Kubernetes 1.37.
const (
	// DeclarativeValidation compares requests. It is on by default.
	DeclarativeValidation featuregate.Feature = "DeclarativeValidation"
	// DeclarativeValidationBeta enforces beta rules if Options.Enforce is set. It is on by default.
	DeclarativeValidationBeta featuregate.Feature = "DeclarativeValidationBeta"
	// DeclarativeValidationTakeover is Options.Enforce as a gate. It is deprecated, and off by default.
	DeclarativeValidationTakeover featuregate.Feature = "DeclarativeValidationTakeover"
)

// Gates reports which features are on. It is asked at each request. A featuregate.FeatureGate with the
// three gates, such as that of an API server, implements it.
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
	return feature != DeclarativeValidationTakeover
}

// powers are what the schema may do for one request.
type powers struct {
	compare bool // count and log differences
	enforce bool // decide, if the stage of the rule allows it
	beta    bool // beta rules decide, too
}

func (o Options) powers() powers {
	return powers{
		compare: o.Gates.Enabled(DeclarativeValidation),
		enforce: o.Enforce || o.Gates.Enabled(DeclarativeValidationTakeover),
		beta:    o.Gates.Enabled(DeclarativeValidationBeta),
	}
}
