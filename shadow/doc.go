// Package shadow holds a schema beside a hand-written validator in the path of requests, as
// KEP-4153 and KEP-5073 do it in the API server: a server or a webhook calls both, returns
// what the hand-written code says, and counts and logs where the schema says something else.
//
//	beside, err := shadow.New(target, shadow.Options{Metrics: m})
//	…
//	return beside.Validate(ctx, harness.Case{Object: widget, Old: old}, func(ctx context.Context) field.ErrorList {
//		return ValidateWidgetUpdate(widget, old)
//	})
//
// Package shadow/webhook wraps validators of controller-runtime and handlers of
// AdmissionReviews, package shadow/strategy the strategies of an API server.
//
// # What a request pays
//
// The schema is asked in the goroutine of the request, so that nothing reads its objects
// later, and nothing of them is kept. It may take Options.Budget for one request; all
// comparisons together take at most the share Options.Overhead of the time that the
// hand-written code takes. A panic of the schema side is a fault that is counted; one of the
// hand-written code passes through.
//
// # What is said
//
// Each result goes to Options.Metrics. A difference is logged once for each signature: its
// class, effect, target, generalized field and generalized messages. No text of an object is
// logged: no value, no key of a map, and no name of a field that the schema does not declare.
//
// # Who decides
//
// Without Options.Enforce the hand-written errors are returned, unchanged. With it, the
// lifecycle of KEP-5073 decides for each declarative error: see [Options]. [Stages] marks the
// errors of rules that are not stable.
package shadow
