// Package shadow compares a schema with a hand-written validator in the path of requests, as KEP-4153 and
// KEP-5073 do in the API server: a server or a webhook calls both, returns the errors of the hand-written
// code, and counts and logs differences.
//
//	beside, err := shadow.New(target, shadow.Options{Metrics: m})
//	…
//	return beside.Validate(ctx, harness.Case{Object: widget, Old: old}, func(ctx context.Context) field.ErrorList {
//		return ValidateWidgetUpdate(widget, old)
//	})
//
// Package shadow/webhook wraps validators of controller-runtime and handlers of AdmissionReviews, package
// shadow/strategy the strategies of an API server.
//
// # Cost
//
// The schema runs in the goroutine of the request, so nothing reads its objects later, and no object is
// kept. It may take Options.Budget for one request. All comparisons together take at most the share
// Options.Overhead of the time of the hand-written code. A panic of the schema side is counted as a fault.
// A panic of the hand-written code is passed on.
//
// # Logs and metrics
//
// Each result goes to Options.Metrics. Differences are logged once for each signature: class, effect,
// target, generalized field and generalized messages. Logs have no text of an object: no value, no key of
// a map, and no name of a field that the schema does not declare.
//
// # Decisions
//
// Without Options.Enforce, the hand-written errors are returned unchanged. With it, the lifecycle of
// KEP-5073 decides about each declarative error: see [Options]. [Stages] marks the errors of rules that
// are not stable.
package shadow
