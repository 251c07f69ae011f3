package exploring

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/tally"

	"k8s.io/apimachinery/pkg/runtime/schema"

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

// reached prints how many keywords and rules of each target some input fails, and names others. It
// compares the inputs again that made a side do something new, with a schema that counts.
func (x *exploration) reached(ctx context.Context, targets []*Target, options Options) error {
	if len(targets) > mostReached {
		return nil
	}
	for _, target := range targets {
		if target.explorer == nil {
			continue
		}
		failed, never, err := target.reached(ctx, options)
		if errors.Is(err, context.Canceled) {
			return nil
		} else if err != nil {
			return err
		}
		if all := failed + len(never); all > 0 {
			text := ""
			if len(never) > 0 {
				text = "; never " + strings.Join(never[:min(len(never), mostNever)], ", ")
				if more := len(never) - mostNever; more > 0 {
					text += fmt.Sprintf(" and %d more", more)
				}
			}
			x.env.Warn("diffrun: %s: an input fails %d of %d keywords and rules%s\n", target, failed, all, text)
		}
	}
	return nil
}

// reached returns how many keywords and rules of the schema an input failed, and names the others.
func (t *Target) reached(ctx context.Context, options Options) (failed int, never []string, err error) {
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
		return 0, nil, err
	}
	for _, in := range t.explorer.Kept() {
		results, err := job.Harness.Check(ctx, asking.Case(t.like, in))
		if err != nil {
			return 0, nil, err
		}
		for i := range results {
			recorder.Add(t.Suite.Of(), &results[i])
		}
	}
	for _, of := range recorder.Report().Targets {
		for _, place := range of.Keywords {
			switch {
			case place.Keyword == "type":
			case place.Failed > 0:
				failed++
			default:
				never = append(never, strings.TrimSpace(fmt.Sprintf("%s %s %s", place.Path, place.Keyword, plaintext.Cut(place.Value, 60))))
			}
		}
	}
	return failed, never, nil
}
