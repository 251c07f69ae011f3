package explore

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// Shrink returns a finding of an input in an input that is as small as it can be made.
func Shrink(ctx context.Context, ask Ask, in Input, finding Finding) (Found, error) {
	s := shrinker{ctx: ctx, ask: ask, in: in, finding: finding, left: mostAsked(finding), mistakes: -1}
	s.shrink()
	return Found{Finding: s.finding, Input: s.in}, s.err
}

// mostAsked bounds how often the validators are asked to shrink an input.
func mostAsked(of Finding) int {
	if of.Urgency > 0 {
		return 1500
	}
	return 60
}

// shrinker makes the input of one finding small.
type shrinker struct {
	ctx     context.Context
	ask     Ask
	in      Input
	finding Finding
	// left is how often the validators may still be asked, and asked how often they were.
	left, asked int
	err         error
	// mistakes counts those of the old object at the beginning; -1: not counted yet.
	mistakes int
}

// try replaces the input by another one if it shows the same difference, at least as urgently.
func (s *shrinker) try(in Input) bool {
	if s.left <= 0 || in.Old != nil && identityOf(in.Old, "name") == "" && identityOf(s.in.Old, "name") != "" { // stored objects have names
		return false
	}
	answer, ok := s.answer(in)
	if !ok {
		return false
	}
	for _, other := range answer.Findings {
		if other.Cause == s.finding.Cause && other.Urgency >= s.finding.Urgency && s.storable(in) {
			s.in, s.finding = in, other
			return true
		}
	}
	return false
}

// answer asks about an input. It returns false, and ends the shrinking, if there is no answer: the
// context ended, or the validators failed.
func (s *shrinker) answer(in Input) (Answer, bool) {
	s.left--
	s.asked++
	in.Stored = s.finding.Stored
	answer, err := s.ask(s.ctx, in)
	if err == nil {
		return answer, true
	}
	s.left = 0
	if s.ctx.Err() == nil {
		s.err = err
	}
	return Answer{}, false
}

// storable reports whether the old object of an update has no more mistakes than the one that the
// shrinker began with: an update of an object that nobody could create shows little.
func (s *shrinker) storable(in Input) bool {
	if in.Old == nil || same(in.Old, s.in.Old) {
		return true
	}
	if s.mistakes < 0 {
		s.mistakes = s.count(s.in.Old)
	}
	return s.count(in.Old) <= s.mistakes
}

// count returns the number of errors about the creation of an object; none if a side accepts it.
func (s *shrinker) count(object map[string]any) int {
	answer, ok := s.answer(Input{Object: versioned(object, absent)})
	switch {
	case !ok || answer.Undecided:
		return math.MaxInt
	case answer.accepted():
		return 0
	}
	return len(answer.Errors)
}

// raise removes other mistakes of the input, so that the difference changes the verdict.
func (s *shrinker) raise(near map[string]any, mistakes []generate.Mistake) {
	if s.finding.Urgency > 0 {
		return
	}
	for _, mistake := range mistakes {
		path, _, ok := locate(&props{}, s.in.Object, mistake.Field)
		if !ok {
			continue
		}
		to := any(absent)
		if value, has := valueAt(near, path); has {
			to = value
		}
		if object, ok := with(s.in.Object, path, to).(map[string]any); ok {
			s.try(Input{Object: object, Old: s.in.Old})
		}
	}
}

// transplant tries the values of the mistakes in small inputs: most differences are about one value.
func (s *shrinker) transplant(to func(path []step, value any) []Input, mistakes []generate.Mistake) {
	tried := map[string]bool{}
	for _, mistake := range mistakes {
		path, _, ok := locate(&props{}, s.in.Object, mistake.Field)
		if !ok || tried[mistake.Field] {
			continue
		}
		tried[mistake.Field] = true
		value, has := valueAt(s.in.Object, path)
		if !has {
			continue
		}
		for _, in := range to(path, value) {
			if s.try(in) {
				return
			}
		}
	}
}

// shrink removes irrelevant parts and simplifies values, until nothing changes.
func (s *shrinker) shrink() {
	if s.in.IsUpdate() { // a create is simpler
		s.try(Input{Object: versioned(s.in.Object, absent)})
	}
	for changed := true; changed && s.left > 0; {
		changed = s.parts(nil)
		changed = s.simpler(nil) || changed
	}
}

// replace tries another value at a path: in both objects of an update, and in each of them.
func (s *shrinker) replace(path []step, to any) bool {
	object, changed := replaced(s.in.Object, path, to)
	if s.in.Old == nil {
		return changed && s.try(Input{Object: object})
	}
	old, changedOld := replaced(s.in.Old, path, to)
	return changed && changedOld && s.try(Input{Object: object, Old: old}) || changed && s.try(Input{Object: object, Old: s.in.Old}) ||
		changedOld && s.try(Input{Object: s.in.Object, Old: old})
}

func replaced(object map[string]any, path []step, to any) (map[string]any, bool) {
	if _, has := valueAt(object, path); !has {
		return nil, false
	}
	next, ok := with(object, path, to).(map[string]any)
	return next, ok
}

// value returns the value at a path of the new object, or else of the old one.
func (s *shrinker) value(path []step) any {
	if value, has := valueAt(s.in.Object, path); has {
		return value
	}
	value, _ := valueAt(s.in.Old, path)
	return value
}

// parts takes out parts at and below a path.
func (s *shrinker) parts(path []step) (changed bool) {
	switch value := s.value(path).(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(value))
		if old, _ := valueAt(s.in.Old, path); s.in.IsUpdate() {
			if fields, ok := old.(map[string]any); ok {
				names = slices.Sorted(maps.Keys(merged(fields, value)))
			}
		}
		for _, name := range names {
			if len(path) == 0 && (name == "apiVersion" || name == "kind") {
				continue
			}
			part := append(slices.Clip(path), field(name))
			if s.replace(part, absent) || s.parts(part) {
				changed = true
			}
		}
	case []any:
		for size := len(value) / 2; size >= 1; size /= 2 {
			for from := len(listOf(s.value(path))) - size; from >= 0; from -= size {
				list := listOf(s.value(path))
				if from+size <= len(list) && s.replace(path, slices.Delete(slices.Clone(list), from, from+size)) {
					changed = true
				}
			}
		}
		for i := range listOf(s.value(path)) {
			changed = s.parts(append(slices.Clip(path), item(i))) || changed
		}
	}
	return changed
}

func merged(a, b map[string]any) map[string]any {
	out := map[string]any{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

// simpler makes the values at and below a path simpler.
func (s *shrinker) simpler(path []step) (changed bool) {
	switch value := s.value(path).(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if len(path) > 0 || name != "apiVersion" && name != "kind" {
				changed = s.simpler(append(slices.Clip(path), field(name))) || changed
			}
		}
	case []any:
		for i := range value {
			changed = s.simpler(append(slices.Clip(path), item(i))) || changed
		}
	case string:
		return s.text(path, value)
	case int64:
		for _, to := range []int64{0, 1, value / 2, value - value/4, value - 1} {
			if value > to && to >= 0 && s.replace(path, to) {
				return true
			}
		}
	}
	return changed
}

// text shortens a text.
func (s *shrinker) text(path []step, text string) (changed bool) {
	if len(text) > 1 && (s.replace(path, "a") || s.replace(path, "")) {
		return true
	}
	for size := len(text) / 2; size >= 1; size /= 2 {
		if size < 4 && len(text) > 80 {
			break // which of the letters stay does not matter
		}
		for from := len(text) - size; from >= 0; from -= size {
			if from+size > len(text) {
				continue
			}
			if shorter := text[:from] + text[from+size:]; s.replace(path, shorter) {
				text, changed = shorter, true
			}
		}
	}
	return changed
}
