package pruning

// The functions of this file prove that pruning would leave a value unchanged. They keep no path
// and make no copy, so an object without anything to prune, the usual case, costs only a look at
// it. If they cannot prove it, the walk looks again; only the walk reports dropped fields.

// spare is the number of fields that may be looked up without result. Starting a range over a
// map takes as long as several lookups.
const spare = 8

// clean reports whether pruning a map would change and report nothing. If few fields are
// allowed, it looks them up and compares their number with the size of the map.
func clean(x map[string]any, p *plan) bool {
	left := len(x)
	if p.rest != nil || p.open || len(p.names) > left+spare {
		return cleanEntries(x, p)
	}
	for i := 0; i < len(p.names) && left > 0; i++ {
		v, found := x[p.names[i].name]
		if !found {
			continue
		}
		if left--; !cleanField(v, p.names[i]) {
			return false
		}
	}
	return left == 0
}

// cleanEntries is clean by a range over the entries.
func cleanEntries(x map[string]any, p *plan) bool {
	for name, v := range x {
		if declared := p.byName[name]; declared != nil {
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

// cleanPart is clean for a value in a map. Pruning drops a null that is not allowed.
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

// cleanValue is clean for a value outside of maps.
func cleanValue(v any, p *plan) bool { return v == nil || cleanPart(v, p) }
