package object

import (
	"maps"
	"slices"
	"strconv"
)

// Absence is the value that a part gets when it is taken out.
type Absence struct{}

// Get returns the value at the path, and whether there is one. In a map, an index is the key with its digits.
func (p Path) Get(value any) (any, bool) {
	for _, s := range p {
		if list, isList := value.([]any); isList && s.Kind == Item {
			if s.Index >= len(list) {
				return nil, false
			}
			value = list[s.Index]
			continue
		}
		if s.Kind == Item {
			s.Name = strconv.Itoa(s.Index)
		}
		fields, _ := value.(map[string]any)
		part, has := fields[s.Name]
		if !has {
			return nil, false
		}
		value = part
	}
	return value, true
}

// Set returns a value with another part at the path; [Absence] takes the part out. Only the maps and lists on the
// path are copied. Maps that are missing on the path are added, items are not.
func (p Path) Set(value, to any) any {
	if len(p) == 0 {
		return to
	}
	if s := p[0]; s.Kind == Item {
		return p.setItem(value, to)
	}
	name := p[0].Name
	fields, _ := value.(map[string]any)
	before, has := fields[name]
	if to == (Absence{}) && !has {
		return value
	}
	if fields = maps.Clone(fields); fields == nil {
		fields = map[string]any{}
	}
	if part := p[1:].Set(before, to); part == (Absence{}) {
		delete(fields, name)
	} else {
		fields[name] = part
	}
	return fields
}

// setItem is Set for a path whose first step is an index.
func (p Path) setItem(value, to any) any {
	list, _ := value.([]any)
	at := p[0].Index
	if at >= len(list) {
		return value
	}
	list = slices.Clone(list)
	part := p[1:].Set(list[at], to)
	if part == (Absence{}) {
		return slices.Delete(list, at, at+1)
	}
	list[at] = part
	return list
}

// Put is Set for an object. It returns nil if the result is no object.
func (p Path) Put(object map[string]any, to any) map[string]any {
	object, _ = p.Set(object, to).(map[string]any)
	return object
}

// Delete returns an object without the part at the path.
func (p Path) Delete(object map[string]any) map[string]any { return p.Put(object, Absence{}) }
