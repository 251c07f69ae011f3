package shadow

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
)

// Shadow compares the schemas of one kind with its hand-written validator. It may be used by several
// goroutines.
type Shadow struct {
	harness *harness.Harness
	options Options
	cost    cost
	seen    signatures // of findings before redaction
	logged  signatures // of redacted findings
}

// New returns a Shadow. It does not call the native backends of the target: Validate gets the hand-written
// code. The error lists all mistakes in the target and the options.
func New(target *harness.Target, options Options) (*Shadow, error) {
	if err := options.validate(); err != nil {
		return nil, err
	}
	options, err := options.complete()
	if err != nil {
		return nil, err
	}
	h, err := harness.New(target, harness.Options{
		Rules: options.Rules, Exceptions: options.Exceptions, Timeout: options.Budget, InPlace: true,
	})
	if err != nil {
		return nil, err
	}
	for _, version := range h.Target().Versions {
		options.Metrics.Expect(version.GroupVersionKind)
	}
	return &Shadow{harness: h, options: options, cost: cost{sample: options.Sample, overhead: options.Overhead}}, nil
}

// Target returns the target of the shadow.
func (s *Shadow) Target() *harness.Target { return s.harness.Target() }

// Validate calls the hand-written code of a request and returns the errors of the request, see Compare. A
// panic of the code is passed on.
func (s *Shadow) Validate(ctx context.Context, c harness.Case, native func(context.Context) field.ErrorList) field.ErrorList {
	began := time.Now()
	errs := native(ctx)
	return s.Compare(ctx, c, errs, time.Since(began))
}

// Compare compares the schema with the errors that the hand-written code returned for a request, and the
// time that it took. It returns the errors of the request: the same slice, unless the schema decides too
// (Options.Enforce). The case has the objects that the code validated, and the version if the objects do
// not have it. Deletions and connections are not compared.
func (s *Shadow) Compare(ctx context.Context, c harness.Case, errs field.ErrorList, took time.Duration) field.ErrorList {
	powers := s.options.powers()
	if c.Deletes || c.Connects || !powers.compare && !powers.enforce {
		return errs
	}
	if !powers.enforce {
		if reason, compared := s.cost.turn(took, len(errs) > 0); !compared {
			s.options.Metrics.Skip(reason)
			return errs
		}
	}
	began := time.Now()
	result, compared := s.compare(ctx, c, errs)
	if !compared {
		s.options.Metrics.Skip(words.SkippedByTarget)
		return errs
	}
	result.Native.Elapsed = took
	if powers.enforce {
		errs = powers.decide(errs, &result)
		result = s.harness.Without(result, powers.moved)
	}
	if powers.compare {
		s.options.Metrics.Observe(result)
		s.log(ctx, result)
	}
	s.cost.spend(time.Since(began))
	return errs
}

// compare compares the schema with the errors of a request. It returns false if the target does not have
// the version of the request.
func (s *Shadow) compare(ctx context.Context, c harness.Case, errs field.ErrorList) (harness.Result, bool) {
	c.Version = s.version(c)
	// Only the budget ends the schema: a client that goes away must not make it fail.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.options.Budget)
	defer cancel()
	results, _ := s.harness.CheckGiven(ctx, c, errs) // the end of ctx is a fault of the result
	if len(results) != 1 {
		return harness.Result{}, false
	}
	return results[0], true
}

// version returns the version of a request: that of the case, of its object, or of the target.
func (s *Shadow) version(c harness.Case) schema.GroupVersionKind {
	var own schema.GroupVersionKind
	switch object := c.Object.(type) {
	case map[string]any:
		own = apiname.Written(object)
	case runtime.Object:
		own = object.GetObjectKind().GroupVersionKind()
	}
	target := s.harness.Target()
	switch {
	case !c.Version.Empty():
		return c.Version
	case own.Version != "" && own.Kind != "":
		return own
	case target.TypedVersion != "":
		return target.Kind.WithVersion(target.TypedVersion)
	}
	return target.Versions[0].GroupVersionKind
}
