package shadow

import "k8s.io/component-base/featuregate"

// The feature gates of KEP-5073, with the meaning that Kubernetes 1.36 gives them.
const (
	// DeclarativeValidation compares. It is on.
	DeclarativeValidation featuregate.Feature = "DeclarativeValidation"
	// DeclarativeValidationBeta enforces rules of the stage beta where Options.Enforce is set.
	// It is on.
	DeclarativeValidationBeta featuregate.Feature = "DeclarativeValidationBeta"
	// DeclarativeValidationTakeover is Options.Enforce as a gate; it is deprecated. It is off.
	DeclarativeValidationTakeover featuregate.Feature = "DeclarativeValidationTakeover"
)

// Gates says which features are on, at each request. A featuregate.FeatureGate to which the
// three gates were added is one: that of an API server has them.
type Gates interface {
	Enabled(feature featuregate.Feature) bool
}

// FixedGates are gates that do not change. A gate that is not named has its default.
type FixedGates map[featuregate.Feature]bool

// Enabled says whether a gate is on.
func (g FixedGates) Enabled(feature featuregate.Feature) bool {
	if on, named := g[feature]; named {
		return on
	}
	return feature != DeclarativeValidationTakeover
}

// powers are what the gates allow the schema for one request.
type powers struct {
	compare bool // count and log what differs
	enforce bool // decide, as far as the stage of a rule goes
	beta    bool // rules of the stage beta decide, too
}

func (o Options) powers() powers {
	return powers{
		compare: o.Gates.Enabled(DeclarativeValidation),
		enforce: o.Enforce || o.Gates.Enabled(DeclarativeValidationTakeover),
		beta:    o.Gates.Enabled(DeclarativeValidationBeta),
	}
}
