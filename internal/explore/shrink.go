package explore

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// Shrink returns a finding of an input in an input that is as small as it can be made.
func Shrink(ctx context.Context, ask Ask, in Input, finding Finding) (Found, error) {
	s := shrinker{
		ctx:     ctx,
		ask:     ask,
		in:      in,
		finding: finding,
		width:   runtime.GOMAXPROCS(0),
		left:    mostAsked(finding),
		old:     newOldObjects(ask, nil),
	}
	exists, err := s.old.exist(ctx, in)
	if err != nil {
		return Found{}, err
	}
	s.anyOld = !exists
	if answer, ok := s.answer(in); ok {
		s.shown = answer
		s.shrink()
	}
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
	// width is how many inputs are asked about at once; zero: one.
	width int
	// left is how often the validators may still be asked, and asked how often they were.
	left, asked int
	err         error
	old         *oldObjects
	// anyOld is true if the old object at the beginning cannot exist, so that others need not either.
	anyOld bool
	// shown is the answer about the input.
	shown Answer
	// donors are accepted objects, whose values mend other mistakes of the input.
	donors []map[string]any
}

// try replaces the input by another one if it shows the same difference, at least as urgently.
func (s *shrinker) try(in Input) bool { return !s.nameless(in) && s.first([]Input{in}) == 0 }

// first replaces the input by the first of some others that shows the same difference, and returns its index; -1:
// none does. It asks about several at once, but what happens does not depend on how many.
func (s *shrinker) first(all []Input) int {
	for i := 0; i < len(all) && s.left > 0; i += max(1, s.width) {
		some := all[i:min(i+max(1, s.width), len(all))]
		for j, answered := range s.askAll(some) {
			if s.left <= 0 {
				return -1
			}
			if answer, ok := s.take(answered); ok && s.shows(some[j], answer) {
				return i + j
			}
		}
	}
	return -1
}

// shows replaces the input if the answer about another one has the difference, and nothing that the answer about
// the input lacks: a small input shows one mistake.
func (s *shrinker) shows(in Input, answer Answer) bool {
	for _, other := range answer.Findings {
		if other.Cause == s.finding.Cause && other.Urgency >= s.finding.Urgency && !s.adds(answer) && s.storable(in) {
			s.in, s.finding, s.shown = in, other, answer
			return true
		}
	}
	return false
}

// adds reports whether an answer has an error or a difference that the answer about the input lacks.
func (s *shrinker) adds(answer Answer) bool {
	return slices.ContainsFunc(answer.Findings, func(f Finding) bool {
		return f.Cause != s.finding.Cause && !slices.ContainsFunc(s.shown.Findings, func(known Finding) bool { return known.Cause == f.Cause })
	}) || slices.ContainsFunc(answer.Errors, func(err Error) bool {
		return !slices.ContainsFunc(s.shown.Errors, func(known Error) bool { return known.Behavior == err.Behavior })
	})
}

// alone reports whether the input shows no other difference.
func (s *shrinker) alone() bool {
	return !slices.ContainsFunc(s.shown.Findings, func(f Finding) bool { return f.Cause != s.finding.Cause })
}

// nameless reports whether an input takes the name of a stored object, which always has one.
func (s *shrinker) nameless(in Input) bool {
	return in.Old != nil && identityOf(in.Old, "name") == "" && identityOf(s.in.Old, "name") != ""
}

// sweep tries the inputs of each of n steps, which are made when they are needed: from the input by then.
func (s *shrinker) sweep(n int, inputs func(i int) []Input) (changed bool) {
	for i := 0; i < n && s.left > 0; {
		var all []Input
		var of []int
		for ; i < n && len(all) < max(1, s.width); i++ {
			for _, in := range inputs(i) {
				if !s.nameless(in) {
					all, of = append(all, in), append(of, i)
				}
			}
		}
		if at := s.first(all); at >= 0 {
			changed, i = true, of[at]+1
		}
	}
	return changed
}

// asked is an answer, or why there is none.
type asked struct {
	answer Answer
	err    error
}

// askAll asks about inputs in parallel.
func (s *shrinker) askAll(all []Input) []asked {
	answers := make([]asked, len(all))
	var asking sync.WaitGroup
	for i, in := range all {
		in.Stored = s.finding.Stored
		asking.Go(func() { answers[i].answer, answers[i].err = s.ask(s.ctx, in) })
	}
	asking.Wait()
	return answers
}

// take counts an answer. It returns false, and ends the shrinking, if there is none: the context ended, or
// the validators failed.
func (s *shrinker) take(of asked) (Answer, bool) {
	s.left--
	s.asked++
	if of.err == nil {
		return of.answer, true
	}
	s.left = 0
	if s.ctx.Err() == nil {
		s.err = of.err
	}
	return Answer{}, false
}

// answer asks about an input.
func (s *shrinker) answer(in Input) (Answer, bool) { return s.take(s.askAll([]Input{in})[0]) }

// storable reports whether the old object of an update can exist, or need not.
func (s *shrinker) storable(in Input) bool {
	if in.Old == nil || s.anyOld || same(in.Old, s.in.Old) {
		return true
	}
	exists, err := s.old.exist(s.ctx, in)
	if err != nil && s.ctx.Err() == nil {
		s.left, s.err = 0, err
	}
	return exists && err == nil
}

// raise mends other mistakes of the input with values of accepted objects, so that the difference changes the verdict,
// and no other one is shown.
func (s *shrinker) raise() {
	if s.finding.Urgency > 0 && s.alone() {
		return
	}
	for _, mistake := range s.shown.mistakes() {
		path, _, ok := locate(&props{}, s.in.Object, mistake.Field)
		if !ok {
			continue
		}
		values := []any{}
		for _, donor := range s.donors {
			to := any(absence{})
			if value, has := path.Get(donor); has {
				to = value
			}
			if !slices.ContainsFunc(values, func(known any) bool { return same(known, to) }) {
				values = append(values, to)
			}
		}
		for _, to := range values {
			if object := replaced(s.in.Object, path, to); object != nil && !same(object, s.in.Object) &&
				s.try(Input{Object: object, Old: s.in.Old}) {
				break
			}
		}
	}
}

// transplant tries the values of the mistakes in small inputs: most differences are about one value.
func (s *shrinker) transplant(to func(path steps, value any) []Input, mistakes []generate.Mistake) {
	tried := map[string]bool{}
	for _, mistake := range mistakes {
		path, _, ok := locate(&props{}, s.in.Object, mistake.Field)
		if !ok || tried[mistake.Field] {
			continue
		}
		tried[mistake.Field] = true
		value, has := path.Get(s.in.Object)
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
		s.try(Input{Object: versioned(s.in.Object, absence{})})
	}
	for changed := true; changed && s.left > 0; {
		changed = s.parts(nil)
		changed = s.simpler(nil) || changed
	}
	if !s.alone() {
		s.raise()
	}
}

// replacements returns the inputs with another value at a path: in both objects of an update, and in each of them.
func (s *shrinker) replacements(path steps, to any) []Input {
	_, changed := path.Get(s.in.Object)
	_, changedOld := path.Get(s.in.Old)
	object, old := path.Put(s.in.Object, to), path.Put(s.in.Old, to)
	var all []Input
	if changed && changedOld {
		all = append(all, Input{Object: object, Old: old})
	}
	if changed {
		all = append(all, Input{Object: object, Old: s.in.Old})
	}
	if changedOld {
		all = append(all, Input{Object: s.in.Object, Old: old})
	}
	return all
}

// replaced returns an object with another value at a path that an error names. If the value is taken out and what is
// around it is missing, the object has an empty map there.
func replaced(object map[string]any, path steps, to any) map[string]any {
	around := path[:len(path)-1]
	value, _ := around.Get(object)
	if to == (absence{}) && listOf(value) == nil && asObject(value) == nil {
		path, to = around, map[string]any{}
	}
	return path.Put(object, to)
}

// value returns the value at a path of the new object, or else of the old one.
func (s *shrinker) value(path steps) any {
	if value, has := path.Get(s.in.Object); has {
		return value
	}
	value, _ := path.Get(s.in.Old)
	return value
}

// parts takes out parts at and below a path.
func (s *shrinker) parts(path steps) (changed bool) {
	switch value := s.value(path).(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(value))
		if old, _ := path.Get(s.in.Old); s.in.IsUpdate() {
			if fields, ok := old.(map[string]any); ok {
				names = slices.Sorted(maps.Keys(merged(fields, value)))
			}
		}
		if len(path) == 0 {
			names = slices.DeleteFunc(names, func(name string) bool { return name == "apiVersion" || name == "kind" })
		}
		below := func(i int) steps { return path.Field(names[i]) }
		changed = s.sweep(len(names), func(i int) []Input { return s.replacements(below(i), absence{}) })
		for i := range names {
			changed = s.parts(below(i)) || changed
		}
	case []any:
		for size := len(value) / 2; size >= 1; size /= 2 {
			last := len(listOf(s.value(path))) - size
			changed = s.sweep(last/size+1, func(i int) []Input {
				list, from := listOf(s.value(path)), last-i*size
				if from < 0 || from+size > len(list) {
					return nil
				}
				return s.replacements(path, slices.Delete(slices.Clone(list), from, from+size))
			}) || changed
		}
		for i := range listOf(s.value(path)) {
			changed = s.parts(path.Item(i)) || changed
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
func (s *shrinker) simpler(path steps) (changed bool) {
	switch value := s.value(path).(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if len(path) > 0 || name != "apiVersion" && name != "kind" {
				changed = s.simpler(path.Field(name)) || changed
			}
		}
	case []any:
		for i := range value {
			changed = s.simpler(path.Item(i)) || changed
		}
	case string:
		return s.text(path, value)
	case int64:
		smaller := slices.DeleteFunc([]int64{0, 1, value / 2, value - value/4, value - 1}, func(to int64) bool { return to < 0 || to >= value })
		return s.sweep(len(smaller), func(i int) []Input {
			if s.value(path) != any(value) {
				return nil // it is smaller already
			}
			return s.replacements(path, smaller[i])
		})
	}
	return changed
}

// text shortens a text.
func (s *shrinker) text(path steps, text string) (changed bool) {
	if shortest := []string{"a", ""}; len(text) > 1 && s.sweep(len(shortest), func(i int) []Input {
		if s.value(path) != any(text) {
			return nil
		}
		return s.replacements(path, shortest[i])
	}) {
		return true
	}
	for size := len(text) / 2; size >= 1; size /= 2 {
		if size < 4 && len(text) > 80 {
			break // which of the letters stay does not matter
		}
		last := len(text) - size
		changed = s.sweep(last/size+1, func(i int) []Input {
			text, _ := s.value(path).(string)
			from := last - i*size
			if from < 0 || from+size > len(text) {
				return nil
			}
			return s.replacements(path, text[:from]+text[from+size:])
		}) || changed
		text, _ = s.value(path).(string)
	}
	return changed
}
