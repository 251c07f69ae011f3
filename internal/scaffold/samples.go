package scaffold

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// MaxSamples is the number of samples that are written for a kind.
const MaxSamples = 20

// addSamples adds the samples of the kind, or if there are none, objects made from the schema; and their changes.
func (plan *Plan) addSamples(s *Suite) {
	made := variations{seen: map[string]bool{}}
	over := 0
	for _, sample := range plan.Samples {
		of := s.schemaOf(sample.Kind.Version)
		if sample.Kind.Group != s.Definition.CRD.Spec.Group || sample.Kind.Kind != s.Definition.CRD.Spec.Names.Kind || of == nil {
			continue
		}
		if len(s.Objects) == MaxSamples {
			over++
			continue
		}
		name := strings.TrimSuffix(path.Base(sample.Source), path.Ext(sample.Source))
		if given := nameOf(sample.Object); given != "" {
			name = given
		}
		unique := name
		for n := 2; slices.ContainsFunc(s.Objects, func(o NamedObject) bool { return o.Name == unique }); n++ {
			unique = fmt.Sprintf("%s-%d", name, n)
		}
		s.Objects = append(s.Objects, NamedObject{unique, sample})
		s.Cases = append(s.Cases, Case{Name: unique, Object: unique})
		made.add(unique, sample.Object, of)
	}
	if len(s.Objects) == 0 {
		plan.addMade(s, &made)
	}
	for _, c := range made.cases {
		if !c.Update || plan.Access == nil || plan.Access.Namespace != "" {
			s.Cases = append(s.Cases, c)
		}
	}
	if over > 0 {
		plan.open("%s: %d of %d samples are compared; add others to cases.yaml", s.Definition.CRD.Name, MaxSamples, MaxSamples+over)
	}
	if made.dropped > 0 {
		plan.open("%s: %d of %d changes of fields are cases; add others to cases.yaml", s.Definition.CRD.Name, maxCases,
			maxCases+made.dropped)
	}
}
