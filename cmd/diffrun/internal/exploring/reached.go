package exploring

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// mostReached is for how many targets reached compiles schemas that count, and mostNever how many places
// it names.
const (
	mostReached = 10
	mostNever   = 8
)

// reach counts what the inputs of a target fail: those that made a side do something new are compared again,
// with a schema that counts.
type reach struct {
	recorder *coverage.Recorder
	harness  *harness.Harness
	counted  int // of the inputs
	failed   int // keywords and rules that some input fails
	never    []string
}

// text describes how many keywords and rules of targets some input fails.
func (r reach) text() string {
	return fmt.Sprintf("an input fails %s of %s keywords and rules", plaintext.Number(r.failed), plaintext.Number(r.failed+len(r.never)))
}

// reached counts what the inputs so far fail. Of many targets it counts nothing: the schemas that count take
// memory.
func (x *exploration) reached(ctx context.Context, targets []*Target, options Options) (sum reach, err error) {
	if len(targets) > mostReached {
		return reach{}, nil
	}
	for _, target := range targets {
		if target.explorer == nil {
			continue
		}
		if err := target.countReached(ctx, options); err != nil {
			return reach{}, err
		}
		sum.failed += target.reach.failed
		sum.never = append(sum.never, target.reach.never...)
	}
	return sum, nil
}

// printReached prints for each target which keywords and rules no input fails.
func (x *exploration) printReached(ctx context.Context, targets []*Target, options Options) error {
	if _, err := x.reached(ctx, targets, options); errors.Is(err, context.Canceled) {
		return nil
	} else if err != nil {
		return err
	}
	for _, target := range targets {
		never := slices.SortedStableFunc(slices.Values(target.reach.never), func(a, b string) int {
			return cmp.Compare(ofMetadata(a), ofMetadata(b)) // every kind has those of metadata
		})
		if target.reach.failed+len(never) == 0 {
			continue
		}
		text := ""
		if len(never) > 0 {
			text = "; never " + strings.Join(never[:min(len(never), mostNever)], ", ")
			if more := len(never) - mostNever; more > 0 {
				text += fmt.Sprintf(" and %s more", plaintext.Number(more))
			}
		}
		x.env.Warn("diffrun: %s: %s%s\n", target, target.reach.text(), text)
	}
	return nil
}

// ofMetadata returns 1 for a keyword or rule of the metadata of an object or template, and 0 for others.
func ofMetadata(place string) int {
	field, _, _ := strings.Cut(place, " ")
	if strings.HasPrefix(field, "metadata") || strings.Contains(field, ".metadata") {
		return 1
	}
	return 0
}

// countReached counts the inputs since the last time.
func (t *Target) countReached(ctx context.Context, options Options) error {
	r := &t.reach
	if r.recorder == nil {
		recorder := &coverage.Recorder{}
		jobs := options.Jobs(t.Suite)
		jobs.Harness.Stored, jobs.Harness.Ledger = false, nil
		jobs.Coverage = func(version schema.GroupVersionKind, subresources []string) *tally.Coverage {
			return recorder.Of(t.Suite.Of(), version, subresources)
		}
		bound := t.like
		bound.Object = map[string]any{}
		job, err := newBinder(t.Suite, jobs).job(bound)
		if err != nil {
			return err
		}
		r.recorder, r.harness = recorder, job.Harness
	}
	kept := t.explorer.Kept()
	for _, in := range kept[r.counted:] {
		results, err := r.harness.Check(ctx, asking.Case(t.like, in))
		if err != nil {
			return err
		}
		for i := range results {
			r.recorder.Add(t.Suite.Of(), &results[i])
		}
	}
	r.counted, r.failed, r.never = len(kept), 0, nil
	for _, of := range r.recorder.Report().Targets {
		for _, place := range of.Keywords {
			switch {
			case place.Keyword == "type":
			case place.Failed > 0:
				r.failed++
			default:
				r.never = append(r.never,
					strings.TrimSpace(fmt.Sprintf("%s %s %s", place.Path, place.Keyword, plaintext.Cut(place.Value, 60))))
			}
		}
	}
	return nil
}
