package idl

import "slices"

// Stage is the stability of a validation of Kubernetes. validation-gen marks those that the API
// server does not enforce yet with +k8s:alpha and +k8s:beta.
type Stage int

// The stages.
const (
	// StageBeta includes what the API server enforces by default. It is the zero value.
	StageBeta Stage = iota
	// StageStable excludes the payloads of +k8s:alpha and +k8s:beta.
	StageStable
	// StageAlpha includes everything.
	StageAlpha
)

// StageNames lists the words for stages, the narrowest first.
func StageNames() []string { return []string{"stable", "beta", "alpha"} }

// StageNamed returns the stage of a word, one of StageNames.
func StageNamed(word string) (Stage, bool) {
	at := slices.Index(StageNames(), word)
	if at < 0 {
		return StageBeta, false
	}
	return []Stage{StageStable, StageBeta, StageAlpha}[at], true
}
