package reports_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/text/fieldvalue"
	"github.com/diffrun/diffrun/reports"
	"github.com/diffrun/diffrun/reports/record"
)

// The recorded run has every verdict, class and reason of a fault, and texts that are hard to report. All
// formats are tested with it.

var (
	deployment      = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	deploymentBeta1 = schema.GroupVersionKind{Group: "apps", Version: "v1beta1", Kind: "Deployment"}
	deploymentBeta2 = schema.GroupVersionKind{Group: "apps", Version: "v1beta2", Kind: "Deployment"}
	pod             = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
	route           = schema.GroupVersionKind{Group: "gateway.networking.k8s.io", Version: "v1", Kind: "HTTPRoute"}
)

// namedSides are the sides of a suite with names for people.
var namedSides = harness.Sides{Called: contract.SideNames{Native: "webhook", Declarative: "crd-v1.36.yaml"}}

// recording is a finished run.
type recording struct {
	header  reports.Header
	results []harness.Result
	footer  reports.Footer
}

// play reports the recording.
func (r recording) play(t *testing.T, reporter reports.Reporter) {
	t.Helper()
	if err := reporter.Begin(r.header); err != nil {
		t.Fatal(err)
	}
	for _, result := range r.results {
		if err := reporter.Result(result); err != nil {
			t.Fatal(err)
		}
	}
	if err := reporter.End(r.footer); err != nil {
		t.Fatal(err)
	}
}

// summed fills in the summary of the results.
func (r recording) summed() recording {
	for _, result := range r.results {
		r.footer.Summary.Add(result)
	}
	return r
}

func document(name string, old any) *harness.Case {
	return &harness.Case{
		ID:     "cases/kubernetes/apps/deployment.yaml#" + name,
		Source: "cases/kubernetes/apps/deployment.yaml:12",
		Why:    "the first value outside the range",
		Object: deploymentObject(-1),
		Old:    old,
	}
}

func deploymentObject(replicas int64) map[string]any {
	return map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"name": "web", "labels": map[string]any{"example.com/app": "web"}},
		"spec": map[string]any{
			"replicas":        replicas,
			"minReadySeconds": int64(-10),
			"strategy":        map[string]any{"type": "Sometimes"},
			"template": map[string]any{"spec": map[string]any{
				"containers": []any{map[string]any{"name": "a", "image": "a:1"}, map[string]any{"name": "b", "image": "b:1"}},
				"volumes":    []any{map[string]any{"name": "data"}, map[string]any{"name": "data"}},
			}},
		},
	}
}

func paired(c *harness.Case, version schema.GroupVersionKind, verdict words.Verdict, pairs ...equivalence.Pair) harness.Result {
	result := harness.Result{
		Suite: "kubernetes", Case: c, Version: version, Verdict: verdict, Pairs: pairs, Elapsed: 300 * time.Microsecond,
		Native:      harness.Outcome{Elapsed: 125 * time.Microsecond},
		Declarative: harness.Outcome{Elapsed: 100 * time.Microsecond},
	}
	if verdict != words.Faulted && verdict != words.Unstable && verdict != words.Inexpressible {
		result.Effect = words.NoEffect
	}
	for _, pair := range pairs {
		if pair.Native != nil {
			result.Native.Errors = append(result.Native.Errors, pair.Native)
		}
		if pair.Declarative != nil {
			result.Declarative.Errors = append(result.Declarative.Errors, pair.Declarative)
		}
	}
	switch native, declarative := len(result.Native.Errors) > 0, len(result.Declarative.Errors) > 0; {
	case result.Effect == "" || native == declarative:
	case native:
		result.Effect = words.Admits
	default:
		result.Effect = words.Refuses
	}
	return result
}

// noted adds a field that only one side dropped.
func noted(result harness.Result) harness.Result {
	result.Declarative.Omitted = []contract.Omission{{Field: "spec.select", Why: words.Pruned}}
	return result
}

func invalid(path string, value any, detail string) *field.Error {
	return &field.Error{Type: field.ErrorTypeInvalid, Field: path, BadValue: value, Detail: detail}
}

func recordedRun() recording {
	run := recording{
		header: reports.Header{Version: "v0.1.0", Shard: "1/2", Options: []string{"--no-rules", "--run=replicas|volumes"},
			Suites: []record.Suite{
				{Name: "kubernetes", Source: "cases/kubernetes/suite.yaml"},
				{Name: "routes", Source: "routes/suite.yaml", Compared: namedSides},
			}, Origin: record.Origin{
				Started: time.Date(2026, 5, 4, 9, 30, 0, 0, time.UTC), Commit: "0123456789abcdef0123456789abcdef01234567", Modified: true,
				SourceURL: "https://code.example.com/blob/0123456789abcdef/{file}#L{line}", RunURL: "https://ci.example.com/runs/7",
			}},
		footer: reports.Footer{
			LeftOut: []record.LeftOut{{Suite: "kubernetes", Target: "example.com/v1 Widget", Cases: 12}},
			Problems: []string{
				`exceptions.yaml:12: exception "old-news" expired on 2026-06-30: renew it with a reason, or delete it`,
				`exceptions.yaml:31: exception "unused" was never used in this run: delete it`,
			},
			Narrowings: []record.Narrowing{
				{Flag: "--run replicas|volumes", Cases: 30, Of: 47},
				{Flag: "--no-rules", What: "no rule made errors equivalent"},
			},
			Tally: &record.Tally{
				Cases: 30, Digest: "0123456789abcdef", Files: "fedcba9876543210", Narrowed: true, NoRules: true, Broken: []string{},
				Doubts: []string{}, Empty: []string{"empty.yaml"},
				Suites: []record.SuiteTally{{Name: "kubernetes", Where: "cases/kubernetes/suite.yaml", Ran: true, Compared: 11,
					Native: 10, Declarative: 9,
					Undefined: []record.UndefinedTally{{Field: "spec.servers[*].nam", Nearest: "spec.servers[*].name", Inputs: 2,
						First: "cases.yaml#named", Number: 3}},
					Guards: []record.GuardTally{{Backend: "native", Name: "then", Where: "suite.yaml:3", Purpose: words.ToRefuse, Asked: 4,
						Acted: 1}}}},
				Usages: []equivalence.Usage{{Exception: "paused", File: "exceptions.yaml", Line: 3, Column: 3, Hits: 1, MaxHits: 2,
					Expires: "2027-06-30", Owner: "sig-apps", Issue: "https://example.com/1"}},
			},
			Coverage: recordedCoverage(),
			Elapsed:  1234567 * time.Microsecond,
		},
	}
	for _, part := range [][]harness.Result{agreeing(), differing(), stored(), faulting(), awkward()} {
		run.results = append(run.results, part...)
	}
	return run.summed()
}

// recordedCoverage has a covered and an uncovered entry of each kind.
func recordedCoverage() record.Coverage {
	return coverage.Report{
		Targets: []coverage.Target{
			{
				Suite: "kubernetes", Name: "apps/v1 Deployment", Inputs: 11, Pruned: new(int),
				Subresources: []coverage.Subresource{{Name: "scale"}, {Name: "status", Inputs: 2}},
				Keywords: []tally.Place{
					{Path: "spec.replicas", Keyword: "minimum", Value: "0",
						Declared: []string{"properties[spec].properties[replicas].minimum"},
						Reached:  9, Passed: 8, Failed: 1},
					{Path: "spec", Keyword: "x-kubernetes-validations", Index: 1, Value: "self.a < `b` | <c>",
						Declared: []string{"properties[spec].x-kubernetes-validations[1]"}, Reached: 9, Passed: 9},
					{Path: "spec.name", Within: "spec anyOf[0]", Keyword: "required"},
				},
				Fields: []tally.Place{{Path: "spec.replicas", Keyword: tally.FieldPlace, Reached: 9},
					{Path: "spec.name", Keyword: tally.FieldPlace}},
				Values: []tally.Place{{Path: "spec.type", Keyword: tally.EnumValuePlace, Value: `"A"`}},
			},
			{Suite: "kubernetes", Name: "apps/v1beta1 Deployment"},
		},
		Sites: &coverage.Sites{Elsewhere: 2, Packages: []coverage.SitePackage{{Path: "example.com/validation", Sites: []coverage.Site{
			{File: "example.com/validation/validation.go", Line: 12, Name: "Validate: Required spec.name"},
			{File: "example.com/validation/validation.go", Line: 20, Name: "Validate: Invalid spec.replicas",
				SiteCounts: coverage.SiteCounts{Executed: true, Seen: 3, Matched: 2, Differs: 1}},
		}}}},
	}
}

func agreeing() []harness.Result {
	negative := invalid("spec.replicas", int64(-1), "must be greater than or equal to 0")
	negative.Origin = "minimum"
	should := invalid("spec.replicas", int32(-1), "should be greater than or equal to 0")
	rule := &equivalence.Rule{Name: "minimum"}
	accepted := &equivalence.Exception{ID: "deployment-beta-rollback"}
	c := document("replicas below zero", nil)
	warned := paired(document("valid", nil), deployment, words.Equal)
	warned.Native.Warnings = []string{"spec.paused: pauses\nare for people", "a second one"}
	unguarded := paired(c, deployment, words.Equal, equivalence.Pair{Native: negative, Declarative: negative})
	unguarded.Unguarded = true
	return []harness.Result{
		warned,
		paired(document("valid update", map[string]any{}), deployment, words.Equal),
		unguarded,
		paired(c, deploymentBeta2, words.Equivalent, equivalence.Pair{Native: negative, Declarative: should, Rule: rule}),
		paired(c, deploymentBeta1, words.Excepted,
			equivalence.Pair{Native: negative, Declarative: should, Rule: rule},
			equivalence.Pair{
				Native:    invalid("spec.rollbackTo.revision", int64(-3), "must be positive"),
				Class:     difference.TooLoose,
				Exception: accepted,
			}),
		paired(document("stored before the rule", deploymentObject(-1)), deployment, words.Ratcheting,
			equivalence.Pair{Native: negative, Class: difference.Ratcheting, Rule: rule}),
		{Suite: "kubernetes", Case: document("a field of its own", nil), Version: deploymentBeta1, Verdict: words.Inexpressible,
			Inexpressible: "spec.strategy.rollingUpdate.maxUnavailable is lost on the way there and back"},
	}
}

// stored returns results about stored objects: one that is stuck, and one that ratcheting keeps editable.
func stored() []harness.Result {
	strict := equivalence.Pair{
		Declarative: field.Forbidden(field.NewPath("spec", "paused"), "paused Deployments are frozen"),
		Class:       difference.TooStrict,
	}
	stuck := paired(document("paused (no-op update)", deploymentObject(-1)), deployment, words.Different, strict)
	stuck.Effect, stuck.Stored, stuck.Stuck = words.Stuck, "no-op update", []words.StoredRequest{"no-op update", "label change", "deletion"}
	ratcheted := paired(document("refused, and editable", nil), deployment, words.Different, strict)
	ratcheted.Ratcheted = true
	return []harness.Result{stuck, ratcheted}
}

func differing() []harness.Result {
	loose := equivalence.Pair{Native: invalid("spec.replicas", int64(-1), "must be greater than or equal to 0"), Class: difference.TooLoose}
	strict := equivalence.Pair{Declarative: field.Required(field.NewPath("spec", "selector"), ""), Class: difference.TooStrict,
		Declared: []difference.Declared{
			{Place: "properties[spec].required[0]", Position: "schemas/deployment.yaml:12"},
			{Place: "properties[spec].x-kubernetes-validations[2]"},
		}}
	volume := field.Duplicate(field.NewPath("spec", "template", "spec", "volumes").Index(1).Child("name"), "data")
	copied := equivalence.Pair{Native: volume, Declarative: volume, NativeCount: 3, DeclarativeCount: 1, Class: difference.Count}
	moved := equivalence.Pair{
		Native: field.Forbidden(field.NewPath("spec", "template", "spec", "containers").Index(0).Child("lifecycle"),
			"may not be set for init containers"),
		Declarative: field.Forbidden(field.NewPath("spec", "template", "spec", "containers").Index(1).Child("lifecycle"),
			"may not be set for init containers"),
		Class: difference.Path,
	}
	movedAndReworded := equivalence.Pair{
		Native:      invalid("spec.selector", nil, "empty selector is invalid for deployment"),
		Declarative: invalid("spec.selector.matchLabels", nil, "an empty selector is invalid for a deployment"),
		Class:       difference.Path,
	}
	retyped := equivalence.Pair{
		Native:      invalid("spec.strategy.type", "Sometimes", "unknown strategy"),
		Declarative: field.NotSupported(field.NewPath("spec", "strategy", "type"), "Sometimes", []string{"Recreate", "RollingUpdate"}),
		Class:       difference.Type,
	}
	reworded := equivalence.Pair{
		Native:      invalid("spec.minReadySeconds", int64(-10), "must be greater than or equal to 0"),
		Declarative: invalid("spec.minReadySeconds", int64(-10), "must be greater than or equal to 10"),
		Class:       difference.Detail,
	}
	revalued := equivalence.Pair{
		Native: &field.Error{
			Type:     field.ErrorTypeTooLong,
			Field:    "metadata.name",
			BadValue: "<value omitted>",
			Detail:   "may not be more than 63 bytes",
		},
		Declarative: &field.Error{
			Type:     field.ErrorTypeTooLong,
			Field:    "metadata.name",
			BadValue: "wrong",
			Detail:   "may not be more than 63 bytes",
		},
		Class: difference.Detail,
	}
	wavering := equivalence.Pair{Native: invalid("spec.template", nil, "reported this error in 3 of 5 repeats"), Class: difference.Unstable}
	defaulted := equivalence.Pair{
		Native:      fieldvalue.Default("spec.revisionHistoryLimit", 10),
		Declarative: fieldvalue.Default("spec.revisionHistoryLimit", 2),
		Class:       difference.Default,
	}
	undeclared := equivalence.Pair{
		Native:      fieldvalue.Default("spec.strategy.type", "RollingUpdate"),
		Declarative: fieldvalue.Default("spec.strategy.type", nil),
		Class:       difference.Default,
	}
	mutated := equivalence.Pair{
		Native:      fieldvalue.Result("spec.replicas", 3, true),
		Declarative: fieldvalue.Result("spec.replicas", nil, false),
		Class:       difference.Result,
	}
	accepted := equivalence.Pair{Native: invalid("spec.paused", true, "may not be paused"), Class: difference.TooLoose,
		Exception: &equivalence.Exception{ID: "paused"}}
	shared := document("replicas below zero, no selector", nil)
	update := document("everything at once", deploymentObject(3))
	update.Subresource = "status"
	warned := paired(shared, deploymentBeta1, words.Different, loose)
	warned.Declarative.Warnings = []string{"the policy \"replicas\" would refuse this"}
	return []harness.Result{
		paired(shared, deployment, words.Different, loose, strict),
		warned,
		paired(shared, deploymentBeta2, words.Different, loose, strict),
		noted(paired(document("no selector", nil), deployment, words.Different, strict)),
		paired(document("mutated", nil), deployment, words.Different, mutated),
		paired(document("another order each time", nil), deployment, words.Unstable, wavering),
		paired(update, deployment, words.Different, copied, accepted, moved, movedAndReworded, retyped, reworded, revalued,
			defaulted, undeclared),
	}
}

func faulting() []harness.Result {
	unreadable := &contract.Fault{
		Reason: words.FaultInput,
		Err:    errors.New("object: strict decoding error: unknown field \"spec.replica\"\nthe patch does not apply"),
	}
	broken := document("a misspelt field", nil)
	unknown := &harness.Case{ID: "corpus/pods.jsonl:7", Source: "corpus/pods.jsonl:7",
		Fault: &contract.Fault{
			Reason: words.FaultTarget,
			Err:    errors.New("the suite has no target for v1 Widget; it has apps/v1 Deployment, v1 Pod"),
		}}
	panicked := paired(document("no template", nil), deployment, words.Faulted)
	panicked.Native.Fault = &contract.Fault{Reason: words.FaultPanic,
		Err: errors.New("runtime error: invalid memory address or nil pointer dereference"),
		Stack: "goroutine 7 [running]:\nruntime/debug.Stack()\n\t/go/src/runtime/debug/stack.go:26 +0x5e\npanic({0x1, " +
			"0x2})\n\t/go/src/runtime/panic.go:783 +0x132\nexample.com/validation.ValidateDeployment(0x0)\n\t/src/validation/" +
			"deployment.go:41 +0x1d\n"}
	hung := paired(document("a hanging validator", nil), deployment, words.Faulted)
	hung.Native.Fault = &contract.Fault{
		Reason: words.FaultTimeout,
		Err:    errors.New("the native backend did not answer within 10s; a slow validator needs a longer --timeout"),
	}
	hung.Native.Elapsed = 10 * time.Second
	hung.Declarative.Fault = &contract.Fault{Reason: words.FaultError, Err: errors.New("rule self.replicas > 0: no such key: replicas")}
	return []harness.Result{
		{Suite: "kubernetes", Case: broken, Version: deployment, Verdict: words.Faulted, Fault: unreadable},
		{Suite: "kubernetes", Case: broken, Version: deploymentBeta1, Verdict: words.Faulted, Fault: unreadable},
		{Suite: "kubernetes", Case: unknown, Verdict: words.Faulted, Fault: unknown.Fault},
		panicked,
		hung,
	}
}

// awkward are results whose texts and values are hard to report.
func awkward() []harness.Result {
	label := "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end " +
		"with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
	long := strings.Repeat("a long name that goes on and on ", 40)
	cyclic := map[string]any{}
	cyclic["self"] = cyclic
	c := &harness.Case{ID: "routes.yaml#größer als 世界 <&>", Source: "routes/cases/routes.yaml:3", Object: map[string]any{}}
	result := paired(c, route, words.Different,
		equivalence.Pair{
			Native:      invalid("spec.hostnames[0]", long, label),
			Declarative: invalid("spec.hostnames[0]", long, strings.Replace(label, "lower case", "lowercase", 1)),
			Class:       difference.Detail,
		},
		equivalence.Pair{Native: invalid("", math.NaN(), "ein Fehler ohne Feld – größer als 世界\x1b[31m\nund rot"),
			Class: difference.TooLoose},
		equivalence.Pair{Native: invalid("spec.func", func() {}, "a func"), Class: difference.TooLoose},
		equivalence.Pair{Native: invalid("spec.cycle", cyclic, "a cycle"), Class: difference.TooLoose},
		equivalence.Pair{Native: invalid("spec.panics", panicking{}, "a value whose JSON panics"), Class: difference.TooLoose},
		equivalence.Pair{Declarative: field.TooMany(field.NewPath("spec", "rules"), -1, 16), Class: difference.TooStrict},
		equivalence.Pair{
			Declarative: field.InternalError(field.NewPath("spec", "parents"), errors.New("cost budget exceeded")),
			Class:       difference.TooStrict,
		},
		equivalence.Pair{Native: field.Invalid(nil, "not \xff UTF-8", ""), Class: difference.TooLoose},
	)
	result.Suite, result.Sides = "routes", namedSides
	unmet := paired(&harness.Case{ID: "7", Source: "corpus/pods.jsonl:8", Object: map[string]any{}}, pod, words.Equal)
	unmet.Suite, unmet.Sides = "routes", namedSides
	unmet.Unmet = []string{
		`wanted FieldValueRequired at spec.containers, which the webhook did not report`,
		`the webhook reported FieldValueInvalid at spec.nodeName, which the case does not want: ` + label,
	}
	return []harness.Result{result, unmet}
}

// panicking is like the internal types of Kubernetes that must not be marshalled as JSON.
type panicking struct{}

func (panicking) MarshalJSON() ([]byte, error) { panic("internal types have no JSON") }
