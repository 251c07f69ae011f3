package proof

// junctorsFit proves allOf, anyOf, oneOf and not.
func (p *proof) junctorsFit(v Value, g goal, in scope) bool {
	in = in.deeper()
	for i := range g.AllOf {
		if !p.accepts(v, g.branch(&g.AllOf[i]), in) {
			return false
		}
	}
	if len(g.AnyOf) > 0 && !p.someFits(v, g, in) || len(g.OneOf) > 0 && !p.oneFits(v, g, in) {
		return false
	}
	return g.Not == nil || p.refuses(v, g.branch(g.Not), in)
}

// someFits proves anyOf.
func (p *proof) someFits(v Value, g goal, in scope) bool {
	for i := range g.AnyOf {
		if p.accepts(v, g.branch(&g.AnyOf[i]), in) {
			return true
		}
	}
	return false
}

// oneFits proves oneOf: one branch accepts the value, and all others refuse it.
func (p *proof) oneFits(v Value, g goal, in scope) bool {
	for i := range g.OneOf {
		if !p.accepts(v, g.branch(&g.OneOf[i]), in) {
			continue
		}
		for j := range g.OneOf {
			if i != j && !p.refuses(v, g.branch(&g.OneOf[j]), in) {
				return false
			}
		}
		return true
	}
	return false
}

// refuses proves that a schema accepts none of the values. Null fails every junctor.
func (p *proof) refuses(v Value, g goal, in scope) bool {
	if v.declaring != nil && v.declaring.Nullable {
		declaring := *v.declaring
		declaring.Nullable = false
		v.declaring = &declaring
	}
	return p.impossible(v.And(g.Schema), in)
}
