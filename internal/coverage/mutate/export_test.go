package mutate

import "k8s.io/kube-openapi/pkg/validation/spec"

// EveryInput also compares inputs that package mutate would skip because a mutant cannot change their
// results.
func (o Options) EveryInput() Options {
	o.everyInput = true
	return o
}

// Weaker returns the mutants of a schema: a description of each change, and the changed schema.
func Weaker(s *spec.Schema) map[string]*spec.Schema {
	all := map[string]*spec.Schema{}
	for _, m := range mutations(s) {
		changed := replaced(*s, m.steps, m.weaker.apply)
		all[m.text] = &changed
	}
	return all
}
