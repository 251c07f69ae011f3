package object

import (
	"iter"
	"maps"
	"slices"
)

// Shrinker makes objects small that show something together, such as those of an update. It changes them at one path at a
// time, as long as they show it.
type Shrinker struct {
	// Objects are the smallest ones so far. A path is changed in all of them, or else in one.
	Objects []map[string]any
	// Show asks about candidates, and yields for each in order whether it shows the same.
	Show func(candidates [][]map[string]any) iter.Seq[bool]
	// Possible reports whether a candidate can exist: others are not asked about. Nil: all can.
	Possible func(candidate []map[string]any) bool
	// Width is how many candidates Show receives at once; zero: one. The result does not depend on it.
	Width int
	// Left is about how many candidates may still be asked.
	Left int
	// Keep are the fields of the objects that stay as they are.
	Keep []string
}

// Smallest returns objects without all parts that are not needed to show something, which it asks at most some times.
func Smallest(most int, shows func(objects []map[string]any) bool, objects ...map[string]any) []map[string]any {
	s := Shrinker{Objects: objects, Left: most, Show: func(candidates [][]map[string]any) iter.Seq[bool] {
		return func(yield func(bool) bool) { yield(shows(candidates[0])) }
	}}
	for s.Parts() {
	}
	return s.Objects
}

// Parts takes out parts that are not needed, and reports whether there were any. Others may not be needed then.
func (s *Shrinker) Parts() bool { return s.Left > 0 && s.parts(nil) }

// Simplify makes texts shorter and numbers smaller, and reports whether any was.
func (s *Shrinker) Simplify() bool { return s.Left > 0 && s.simplify(nil) }

// Try replaces the objects by others if these show the same.
func (s *Shrinker) Try(objects ...map[string]any) bool {
	return s.sweep(1, func(int) [][]map[string]any { return [][]map[string]any{objects} })
}

// sweep tries the candidates of each of n steps, which are made when they are needed: from the objects by then.
func (s *Shrinker) sweep(n int, candidates func(i int) [][]map[string]any) (changed bool) {
	for i := 0; i < n && s.Left > 0; {
		var all [][]map[string]any
		var of []int
		for ; i < n && len(all) < max(1, s.Width); i++ {
			for _, one := range candidates(i) {
				if s.Possible == nil || s.Possible(one) {
					all, of = append(all, one), append(of, i)
				}
			}
		}
		if at := s.first(all); at >= 0 {
			changed, i = true, of[at]+1
		}
	}
	return changed
}

// first replaces the objects by the first candidate that shows the same, and returns its index; -1: none does.
func (s *Shrinker) first(all [][]map[string]any) int {
	for at := 0; at < len(all) && s.Left > 0; {
		some := all[at:min(at+max(1, s.Width), len(all))]
		for shown := range s.Show(some) {
			if s.Left--; shown {
				s.Objects = all[at]
				return at
			}
			if at++; s.Left <= 0 {
				return -1
			}
		}
	}
	return -1
}

// at returns the candidates with another value at a path: in all objects that have one, and in each of them.
func (s *Shrinker) at(path Path, to any) [][]map[string]any {
	together := slices.Clone(s.Objects)
	var all [][]map[string]any
	for i, object := range s.Objects {
		if _, has := path.Get(object); has {
			alone := slices.Clone(s.Objects)
			alone[i] = path.Put(object, to)
			together[i] = alone[i]
			all = append(all, alone)
		}
	}
	if len(all) > 1 {
		all = slices.Insert(all, 0, together)
	}
	return all
}

// value returns the value at a path of the first object that has one.
func (s *Shrinker) value(path Path) any {
	for _, object := range s.Objects {
		if value, has := path.Get(object); has {
			return value
		}
	}
	return nil
}

func (s *Shrinker) list(path Path) []any {
	list, _ := s.value(path).([]any)
	return list
}

// names returns the fields at a path that may change, in some objects.
func (s *Shrinker) names(path Path, in []map[string]any) []string {
	all := map[string]any{}
	for _, object := range in {
		value, _ := path.Get(object)
		fields, _ := value.(map[string]any)
		maps.Copy(all, fields)
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(name string) bool {
		return len(path) == 0 && slices.Contains(s.Keep, name)
	})
}

// parts takes out parts at and below a path.
func (s *Shrinker) parts(path Path) (changed bool) {
	switch value := s.value(path).(type) {
	case map[string]any:
		names := s.names(path, s.Objects)
		changed = s.sweep(len(names), func(i int) [][]map[string]any { return s.at(path.Field(names[i]), Absence{}) })
		for _, name := range names {
			changed = s.parts(path.Field(name)) || changed
		}
	case []any:
		for size := len(value) / 2; size >= 1; size /= 2 {
			last := len(s.list(path)) - size
			changed = s.sweep(last/size+1, func(i int) [][]map[string]any {
				list, from := s.list(path), last-i*size
				if from < 0 || from+size > len(list) {
					return nil
				}
				return s.at(path, slices.Delete(slices.Clone(list), from, from+size))
			}) || changed
		}
		for i := range s.list(path) {
			changed = s.parts(path.Item(i)) || changed
		}
	}
	return changed
}

// simplify makes the values at and below a path simpler.
func (s *Shrinker) simplify(path Path) (changed bool) {
	switch value := s.value(path).(type) {
	case map[string]any:
		for _, name := range s.names(path, s.Objects[:1]) {
			changed = s.simplify(path.Field(name)) || changed
		}
	case []any:
		for i := range value {
			changed = s.simplify(path.Item(i)) || changed
		}
	case string:
		return s.text(path, value)
	case int64:
		return s.oneOf(path, value, slices.DeleteFunc([]any{int64(0), int64(1), value / 2, value - value/4, value - 1}, func(to any) bool {
			return to.(int64) < 0 || to.(int64) >= value
		}))
	}
	return changed
}

// oneOf replaces a value by the first of some others that shows the same.
func (s *Shrinker) oneOf(path Path, value any, others []any) bool {
	return s.sweep(len(others), func(i int) [][]map[string]any {
		if s.value(path) != value {
			return nil // it is another one already
		}
		return s.at(path, others[i])
	})
}

// text shortens a text.
func (s *Shrinker) text(path Path, text string) (changed bool) {
	if len(text) > 1 && s.oneOf(path, text, []any{"a", ""}) {
		return true
	}
	for size := len(text) / 2; size >= 1; size /= 2 {
		if size < 4 && len(text) > 80 {
			break // which of the letters stay does not matter
		}
		last := len(text) - size
		changed = s.sweep(last/size+1, func(i int) [][]map[string]any {
			text, _ := s.value(path).(string)
			from := last - i*size
			if from < 0 || from+size > len(text) {
				return nil
			}
			return s.at(path, text[:from]+text[from+size:])
		}) || changed
		text, _ = s.value(path).(string)
	}
	return changed
}
