package explore

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/parallel"
)

// newFinding is a finding with the input that showed it first.
type newFinding struct {
	made
	answer  Answer
	finding Finding
	kind    inputKind
}

// raised is a finding whose input may still be made smaller.
type raised struct {
	*shrinker
	near   map[string]any
	change string
}

// report shrinks new findings and reports them, the most urgent first. A difference that changed no
// verdict in its input may change one in a smaller one; then it is reported as that. Others wait.
func (e *Explorer) report(ctx context.Context, found []newFinding) error {
	slices.SortStableFunc(found, func(a, b newFinding) int { return b.finding.Urgency - a.finding.Urgency })
	queue := parallel.Queue[newFinding, raised]{
		Parallel: e.options.Parallel,
		Do: func(_ context.Context, of newFinding) (raised, error) {
			s := raised{&shrinker{
				ctx: ctx, ask: e.options.Ask, finding: of.finding, shown: of.answer,
				old: e.old, anyOld: of.kind == unstorable, donors: e.donors(of.near),
			}, of.near, of.change}
			s.from(of.Input, e.width(len(found)))
			s.raise()
			s.transplant(e.transplants(of.made), of.answer.mistakes())
			if s.urgent() {
				s.Left = mostAsked(s.finding)
				s.shrink()
			}
			return s, s.err
		},
		Take: func(s raised) error {
			if s.finding.Signature != "" && !s.urgent() {
				e.backlog = append(e.backlog, s)
				return nil
			}
			return e.take(s)
		},
	}
	return queue.Run(context.WithoutCancel(ctx), each(found))
}

// width returns how many inputs each of some shrinkers asks about at once.
func (e *Explorer) width(shrinkers int) int {
	return cmp.Or(e.options.Parallel, runtime.GOMAXPROCS(0)) / max(1, shrinkers)
}

// mostSmall is how many small accepted objects are kept.
const mostSmall = 3

// addSmall keeps an accepted object if it is one of the smallest.
func (e *Explorer) addSmall(object map[string]any) {
	e.small = append(e.small, sizedObject{Input{Object: object}.size(), object})
	slices.SortStableFunc(e.small, func(a, b sizedObject) int { return a.size - b.size })
	e.small = e.small[:min(len(e.small), mostSmall)]
}

// donors returns accepted objects, whose values mend those of others: one that is near, and the smallest ones.
func (e *Explorer) donors(near map[string]any) []map[string]any {
	var all []map[string]any
	if near != nil {
		all = append(all, near)
	}
	for _, small := range e.small {
		all = append(all, small.object)
	}
	return all
}

type sizedObject struct {
	size   int
	object map[string]any
}

// transplants returns a function that returns small inputs with a value at a path: creations of the smallest
// accepted objects, and of the object that the input of a finding was made from.
func (e *Explorer) transplants(of made) func(path steps, value any) []Input {
	if e.options.Updates {
		return func(steps, any) []Input { return nil }
	}
	return func(path steps, value any) []Input {
		var all []Input
		first := slices.Clone(path)
		for i := range first {
			first[i].Index = 0
		}
		for _, small := range e.small {
			if object := first.Put(e.placer(generate.Seeded(0)).ensured(small.object, first), value); object != nil {
				all = append(all, Input{Object: object})
			}
		}
		if object := path.Put(of.near, value); object != nil && of.IsUpdate() && of.near != nil {
			all = append(all, Input{Object: versioned(object, absence{})})
		}
		return all
	}
}

func (r *raised) urgent() bool { return r.finding.Urgency > 0 || r.finding.Fault }

// take reports a finding in its small input. Two findings may be one there.
func (e *Explorer) take(small raised) error {
	e.stats.Shrinking += small.asked
	in := small.input()
	kind := kindOf(in, small.finding)
	if small.anyOld && in.IsUpdate() {
		kind = unstorable
	}
	if small.finding.Signature == "" || kind <= e.reported[small.finding.Signature] {
		return nil
	}
	e.findings[small.finding.Signature], e.reported[small.finding.Signature] = max(kind, e.findings[small.finding.Signature]), kind
	e.shown = append(e.shown, in)
	return e.options.Found(Found{small.finding, in, small.near, small.change, kind == unstorable})
}

// backlogSize is how many findings that change no verdict are shrunk at once, and backlogEvery after how many
// steps: most of the time is for inputs.
const (
	backlogSize  = 4
	backlogEvery = 12
)

// reportLater shrinks and reports findings that change no verdict. If the context ends, they are reported as
// small as they are by then.
func (e *Explorer) reportLater(ctx context.Context, n int) error {
	n = min(n, len(e.backlog))
	some := e.backlog[:n]
	e.backlog = e.backlog[n:]
	queue := parallel.Queue[raised, raised]{
		Parallel: e.options.Parallel,
		Do: func(_ context.Context, s raised) (raised, error) {
			s.ctx, s.Width = ctx, e.width(len(some))
			s.shrink()
			return s, s.err
		},
		Take: e.take,
	}
	return queue.Run(context.WithoutCancel(ctx), each(some))
}

// Flush reports the findings that wait to be made small. Call it when the exploration ends; what time the
// context leaves makes them smaller.
func (e *Explorer) Flush(ctx context.Context) error { return e.reportLater(ctx, len(e.backlog)) }

// each returns a source of values for a queue.
func each[T any](all []T) func(yield func(T, error) bool) {
	return func(yield func(T, error) bool) {
		for _, one := range all {
			if !yield(one, nil) {
				return
			}
		}
	}
}
