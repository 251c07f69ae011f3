package declarative

import "reflect"

// An update often shares parts with the old object in memory: the API server puts the old
// status into the new object when it is not what is updated (PrepareForUpdate of
// apiextensions-apiserver's customresource strategy), and Go code copies little more of an
// object than it changes. A field of the root that is shared did not change, and nothing
// that a schema finds in it would be kept (see ratchet.go). All that must be asked about it
// is what could keep the API server from seeing that.

// mayShare says of a field of the root that a proof need not look at it when an update
// shares it with the old object. It costs what the proof would say about rules: that those
// which see the field can be spared, so these may not be worth much.
func (v *Validator) mayShare(name string, part *node) bool {
	if v.opts.Semantics != CustomResources || v.opts.Ratcheting == RatchetingOff || v.embeds || len(v.root.also) > 0 {
		return false
	}
	if name == "apiVersion" || name == "kind" || part.properties == nil && part.additional == nil && part.items == nil {
		return false
	}
	return !v.rulesSee(part) || v.root.sparing.below/stepsPerValue < leastPatience
}

// rulesSee says that rules can look at a field of the root.
func (v *Validator) rulesSee(part *node) bool {
	return part.hasRules || len(v.root.rules) > 0 || v.root.joined()
}

// shares says that a field of the root is shared with the old object, and did not change in
// the API server either. A false means nothing.
func (w *walk) shares(e *entry, x any) bool {
	if !w.updating {
		return false
	}
	before, _ := w.root.old.val.Entries()
	if !one(x, before[e.name]) || !w.known(e.proof, x, 1) {
		return false
	}
	w.unseen = w.unseen || w.v.rulesSee(e.proof.node)
	return true
}

// one says that two values are one map of Go, or the same items of one array.
func one(x, y any) bool {
	switch x := x.(type) {
	case map[string]any:
		y, ok := y.(map[string]any)
		return ok && reflect.ValueOf(x).UnsafePointer() == reflect.ValueOf(y).UnsafePointer()
	case []any:
		y, ok := y.([]any)
		return ok && len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
	}
	return false
}

// known says of JSON data that surely is its own old value that the API server finds it the
// same: maps have no entries that the schema does not know, and lists of type map have keys
// by which each item is found again. Other lists are compared as a whole.
func (w *walk) known(p *proof, x any, depth int) bool {
	switch x := x.(type) {
	case nil, bool, string, int64, float64:
		return true
	case map[string]any:
		return w.knownEntries(p.asked(), x, depth)
	case []any:
		return w.knownItems(p.asked(), x, depth)
	}
	return false
}

// knownEntries looks for what it knows as fitsMap does.
func (w *walk) knownEntries(p *proof, m map[string]any, depth int) bool {
	if depth >= maxDepth || len(p.node.also) > 0 {
		return false
	}
	left := len(m)
	for _, i := range p.order.Lookups(left) {
		e := &p.entries[i]
		x, ok := m[e.name]
		if !ok {
			continue
		}
		if e.proof == nil || !w.known(e.proof, x, depth+1) {
			return false
		}
		if left--; left == 0 {
			return true
		}
	}
	for key, x := range m {
		e := &p.rest
		if i := p.names.Find(key); i >= 0 {
			e = &p.entries[i]
		}
		if e.proof == nil || !w.known(e.proof, x, depth+1) {
			return false
		}
	}
	return true
}

func (w *walk) knownItems(p *proof, l []any, depth int) bool {
	keys := p.node.mapKeys()
	if keys == nil {
		return true
	}
	if p.item == nil || depth >= maxDepth || len(l) > largestTable || !w.distinctData(l, keys) || w.keys.gaps {
		return false
	}
	for _, item := range l {
		if !w.known(p.item, item, depth+1) {
			return false
		}
	}
	return true
}
