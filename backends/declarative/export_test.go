package declarative

import (
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Proof is what the proof of a schema says about an object.
func (v *Validator) Proof(obj value.Value) (fits, sure bool) {
	w := v.walks.Get().(*walk)
	defer v.walks.Put(w)
	w.start(nil, v.root, obj, nil)
	a := w.ask()
	w.finish()
	return a == fit, a != unsure
}

// Walked says whether the walk alone finds an object valid, without rules.
func (v *Validator) Walked(obj value.Value) bool {
	w := v.walks.Get().(*walk)
	defer v.walks.Put(w)
	w.start(nil, v.root, obj, nil)
	w.enter(&w.root)
	valid := w.failures == 0
	w.finish()
	return valid
}
