package mutate

import "k8s.io/kube-openapi/pkg/validation/spec"

// EveryInput also compares the inputs of which package mutate claims that nothing changes.
func (o Options) EveryInput() Options {
	o.everyInput = true
	return o
}

// Weaker gives the mutants of a schema: what was changed, and the changed schema.
func Weaker(s *spec.Schema) map[string]*spec.Schema {
	all := map[string]*spec.Schema{}
	for _, m := range mutations(s) {
		changed := replaced(*s, m.steps, m.weaker.apply)
		all[m.text] = &changed
	}
	return all
}
