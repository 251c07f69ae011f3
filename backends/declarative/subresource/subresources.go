package subresource

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Names of the subresources that custom resources can have.
const (
	StatusName = "status"
	ScaleName  = "scale"
)

// Subresources are the subresources of one version of a resource. The zero value has
// none.
type Subresources struct {
	// Status reports whether status is written by itself.
	Status bool
	// Scale is nil where the resource cannot be scaled.
	Scale *Scale
	// Conformance is how scales are validated.
	Conformance Conformance
}

// Of reads the subresources of a version of a CustomResourceDefinition.
func Of(version *apiextensionsv1.CustomResourceDefinitionVersion) Subresources {
	declared := version.Subresources
	if declared == nil {
		return Subresources{}
	}
	s := Subresources{Status: declared.Status != nil}
	if declared.Scale != nil {
		s.Scale = &Scale{
			SpecReplicasPath:   declared.Scale.SpecReplicasPath,
			StatusReplicasPath: declared.Scale.StatusReplicasPath,
		}
		if declared.Scale.LabelSelectorPath != nil {
			s.Scale.LabelSelectorPath = *declared.Scale.LabelSelectorPath
		}
	}
	return s
}

// Names lists the subresources.
func (s Subresources) Names() []string {
	var names []string
	if s.Status {
		names = append(names, StatusName)
	}
	if s.Scale != nil {
		names = append(names, ScaleName)
	}
	return names
}
