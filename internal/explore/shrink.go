package explore

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"sync"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
)

// Shrink returns a finding of an input in an input that is as small as it can be made.
func Shrink(ctx context.Context, ask Ask, in Input, finding Finding) (Found, error) {
	s := shrinker{ctx: ctx, ask: ask, finding: finding, old: newOldObjects(ask, nil)}
	s.from(in, runtime.GOMAXPROCS(0))
	exists, err := s.old.exist(ctx, in)
	if err != nil {
		return Found{}, err
	}
	s.anyOld = !exists
	if answer, ok := s.take(s.askAll([][]map[string]any{s.Objects})[0]); ok {
		s.shown = answer
		s.shrink()
	}
	return Found{Finding: s.finding, Input: s.input()}, s.err
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
	object.Shrinker
	ctx     context.Context
	ask     Ask
	finding Finding
	asked   int // questions so far
	err     error
	old     *oldObjects
	// anyOld is true if the old object at the beginning cannot exist, so that others need not either.
	anyOld bool
	// shown is the answer about the input.
	shown Answer
	// donors are accepted objects, whose values mend other mistakes of the input.
	donors []map[string]any
}

// from begins with an input, and asks about several inputs at once.
func (s *shrinker) from(in Input, width int) {
	s.Objects, s.Width, s.Left = in.objects(), width, mostAsked(s.finding)
	s.Keep, s.Show, s.Possible = []string{"apiVersion", "kind"}, s.show, s.keepsName
}

// input returns the smallest input so far.
func (s *shrinker) input() Input { return inputOf(s.Objects) }

// show asks about inputs, and yields for each whether it shows the same difference, at least as urgently.
func (s *shrinker) show(all [][]map[string]any) iter.Seq[bool] {
	return func(yield func(bool) bool) {
		for i, answered := range s.askAll(all) {
			if answer, ok := s.take(answered); !yield(ok && s.shows(inputOf(all[i]), answer)) {
				return
			}
		}
	}
}

// shows reports whether the answer about an input has the difference, and nothing that the answer about the input so
// far lacks: a small input shows one mistake.
func (s *shrinker) shows(in Input, answer Answer) bool {
	for _, other := range answer.Findings {
		if other.Cause == s.finding.Cause && other.Urgency >= s.finding.Urgency && !s.adds(answer) && s.storable(in) {
			s.finding, s.shown = other, answer
			return true
		}
	}
	return false
}

// adds reports whether an answer has an error or a difference that the answer about the input lacks.
func (s *shrinker) adds(answer Answer) bool {
	return slices.ContainsFunc(answer.Findings, func(f Finding) bool {
		return f.Cause != s.finding.Cause &&
			!slices.ContainsFunc(s.shown.Findings, func(known Finding) bool { return known.Cause == f.Cause })
	}) || slices.ContainsFunc(answer.Errors, func(err Error) bool {
		return !slices.ContainsFunc(s.shown.Errors, func(known Error) bool { return known.Behavior == err.Behavior })
	})
}

// alone reports whether the input shows no other difference.
func (s *shrinker) alone() bool {
	return !slices.ContainsFunc(s.shown.Findings, func(f Finding) bool { return f.Cause != s.finding.Cause })
}

// keepsName reports whether an input leaves its name to a stored object, which always has one.
func (s *shrinker) keepsName(objects []map[string]any) bool {
	return len(objects) < 2 || identityOf(objects[1], "name") != "" || identityOf(s.Objects[1], "name") == ""
}

// asked is an answer, or why there is none.
type asked struct {
	answer Answer
	err    error
}

// askAll asks about inputs in parallel.
func (s *shrinker) askAll(all [][]map[string]any) []asked {
	answers := make([]asked, len(all))
	var asking sync.WaitGroup
	for i, objects := range all {
		in := inputOf(objects)
		in.Stored = s.finding.Stored
		asking.Go(func() { answers[i].answer, answers[i].err = s.ask(s.ctx, in) })
	}
	asking.Wait()
	return answers
}

// take counts an answer. It returns false, and ends the shrinking, if there is none: the context ended, or
// the validators failed.
func (s *shrinker) take(of asked) (Answer, bool) {
	s.asked++
	if of.err == nil {
		return of.answer, true
	}
	s.Left = 0
	if s.ctx.Err() == nil {
		s.err = of.err
	}
	return Answer{}, false
}

// storable reports whether the old object of an update can exist, or need not.
func (s *shrinker) storable(in Input) bool {
	if in.Old == nil || s.anyOld || same(in.Old, s.input().Old) {
		return true
	}
	exists, err := s.old.exist(s.ctx, in)
	if err != nil && s.ctx.Err() == nil {
		s.Left, s.err = 0, err
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
		in := s.input()
		path, _, ok := locate(&props{}, in.Object, mistake.Field)
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
			object := replaced(in.Object, path, to)
			if object != nil && !same(object, in.Object) && s.Try(Input{Object: object, Old: in.Old}.objects()...) {
				break
			}
		}
	}
}

// transplant tries the values of the mistakes in small inputs: most differences are about one value.
func (s *shrinker) transplant(to func(path steps, value any) []Input, mistakes []generate.Mistake) {
	tried := map[string]bool{}
	for _, mistake := range mistakes {
		path, _, ok := locate(&props{}, s.Objects[0], mistake.Field)
		if !ok || tried[mistake.Field] {
			continue
		}
		tried[mistake.Field] = true
		value, has := path.Get(s.Objects[0])
		if !has {
			continue
		}
		for _, in := range to(path, value) {
			if s.Try(in.objects()...) {
				return
			}
		}
	}
}

// shrink removes irrelevant parts and simplifies values, until nothing changes.
func (s *shrinker) shrink() {
	if len(s.Objects) > 1 { // a create is simpler
		s.Try(versioned(s.Objects[0], absence{}))
	}
	for changed := true; changed; {
		changed = s.Parts()
		changed = s.Simplify() || changed
	}
	if !s.alone() {
		s.raise()
	}
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
