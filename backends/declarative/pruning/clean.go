package pruning

// The functions of this file prove that pruning would leave a value as it is. They
// keep no path and make no copy, so an object that has nothing to prune, as nearly all
// have, costs only what looking at it costs. They may fail to prove what is so: then
// the walk looks again, and only the walk says what is dropped.

// clean says that pruning a map by a plan would change nothing and report nothing.
func clean(x map[string]any, p *plan) bool {
	if p.rest == nil && !p.open && len(p.names) <= fewNames+len(x)/2 {
		return cleanDeclared(x, p)
	}
	for name, v := range x {
		if declared := p.field(name); declared != nil {
			if !cleanField(v, declared) {
				return false
			}
			continue
		}
		if p.rest == nil && !p.open {
			return false
		}
		if _, isText := v.(string); !isText && p.rest != nil && !cleanPart(v, p.rest) {
			return false
		}
	}
	return true
}

// fewNames is how many fields are looked up in a map rather than that its entries are
// ranged over: a range over a map of Go 1.26 takes as long as four lookups before it
// gives its first entry, and all fields that are there are found before the last
// lookup.
const fewNames = 9

// cleanDeclared is clean by looking up the fields that may be in a map: there must be
// as many as it has entries.
func cleanDeclared(x map[string]any, p *plan) bool {
	left := len(x)
	for i := 0; i < len(p.names) && left > 0; i++ {
		declared := &p.names[i]
		v, found := x[declared.name]
		if !found {
			continue
		}
		if !cleanField(v, declared) {
			return false
		}
		left--
	}
	return left == 0
}

// cleanField is clean for the value of a declared field.
func cleanField(v any, f *named) bool {
	if _, isText := v.(string); isText {
		return f.role != metadata
	}
	switch f.role {
	case typeText:
		return false
	case metadata:
		return canonical(v) && cleanPart(v, f.plan)
	}
	return cleanPart(v, f.plan)
}

// cleanPart is clean for a value in a map, which goes if it is a null that is not
// allowed.
func cleanPart(v any, p *plan) bool {
	switch v := v.(type) {
	case nil:
		return !p.dropsNull
	case map[string]any:
		return p.idle || clean(v, p)
	case []any:
		return p.item == nil || p.item.idle || cleanItems(v, p.item)
	}
	return true
}

func cleanItems(x []any, p *plan) bool {
	for _, v := range x {
		switch v := v.(type) {
		case map[string]any:
			if !clean(v, p) {
				return false
			}
		case []any:
			if p.item != nil && !p.item.idle && !cleanItems(v, p.item) {
				return false
			}
		}
	}
	return true
}

// cleanValue is clean for a value of any kind that is in no map.
func cleanValue(v any, p *plan) bool { return v == nil || cleanPart(v, p) }
