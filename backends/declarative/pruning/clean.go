package pruning

import "slices"

// The functions of this file prove that pruning would leave a value as it is. They
// keep no path and make no copy, so an object that has nothing to prune, as nearly all
// have, costs only what looking at it costs. They may fail to prove what is so: then
// the walk looks again, and only the walk says what is dropped.

// clean says that pruning a map by a plan would change nothing and report nothing. It
// looks up the fields that may be there, where these are few: there must be as many as
// the map has entries.
func clean(x map[string]any, p *plan) bool {
	left, fields := len(x), p.names
	if left == 0 {
		return true
	}
	if left < p.plenty {
		return cleanLookups(x, p, p.order.Lookups(left))
	}
	for i := range fields {
		declared := &fields[i]
		v, found := x[declared.name]
		if !found {
			continue
		}
		if !cleanField(v, declared) {
			return false
		}
		if left--; left == 0 {
			return true
		}
	}
	return false
}

// cleanLookups is clean by looking up the fields that maps like this one mostly have,
// and by a range where it has others.
func cleanLookups(x map[string]any, p *plan, lookups []uint16) bool {
	left := len(x)
	for at, i := range lookups {
		declared := &p.names[i]
		v, found := x[declared.name]
		if !found {
			if left >= len(lookups)-at {
				lookups = lookups[:at]
				break
			}
			continue
		}
		if !cleanField(v, declared) {
			return false
		}
		if left--; left == 0 {
			return true
		}
	}
	return left == 0 || cleanRest(x, p, lookups)
}

// cleanRest is clean by a range over the entries that were not looked up.
func cleanRest(x map[string]any, p *plan, lookups []uint16) bool {
	p.order.Learn(x)
	for name, v := range x {
		if at := p.table.Find(name); at >= 0 {
			if !slices.Contains(lookups, uint16(at)) && !cleanField(v, &p.names[at]) {
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
