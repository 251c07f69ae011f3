package suitefile

import (
	"github.com/diffrun/diffrun/cases/internal/casefile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// OptionSet is one row of a suite's matrix. The suite runs with it as a separate suite,
// "suite[name]".
type OptionSet struct {
	strictyaml.Position `yaml:"-"`

	Name casefile.Name `yaml:"name"`
	// Versions are the versions to compare, such as apps/v1. The default is all.
	Versions []string `yaml:"versions"`
	// FeatureGates are set in the native validator while the set runs. A program finds them in its
	// environment.
	FeatureGates map[string]bool `yaml:"featureGates"`
}
