// Package cases loads suites. A suite is a suite.yaml file that names two validators and
// the cases to compare them with.
//
// [Files.Find] finds the suites at a path, and [Load] loads them with the rules,
// exceptions and cases that they name. A suite may name validators and schemas that are
// linked into the program; Options.Builtins has them. [Suite.Jobs] gives each case with
// the harness of its kind, ready for harness.Run:
//
//	plan, err := cases.Load(places, cases.Options{Now: time.Now()})
//	if err != nil {
//		return err // all mistakes in the files, as a userfile.Mistakes
//	}
//	defer plan.Close()
//	for _, suite := range plan.Suites {
//		jobs := suite.Jobs(cases.JobOptions{Harness: harness.Options{Rules: suite.Rules, Exceptions: suite.Exceptions}})
//		err := harness.Run(ctx, jobs, harness.RunOptions{}, func(r harness.Result) error { … })
//	}
//
// A mistake in a suite, or in a case file as a whole, keeps everything from running:
// Load returns all such mistakes with file and line. A mistake inside one case is a fault
// of that case, and the other cases run. Examples are a line or document that is not
// JSON, YAML or UTF-8, an object of another kind, an object that is too large or too
// deep, and an alias bomb in a patch. If a case file is not YAML or not UTF-8, its cases
// cannot be told apart, so nothing runs.
//
// # A suite
//
//	name: widgets                       # the suite's name in reports
//	native: {builtin: kubernetes}       # the hand-written validator
//	declarative: {builtin: kubernetes}  # the schemas
//	cases: [deployment*.yaml, corpus/*.jsonl, dumps/pods.json]
//	rules: [rules.yaml]                 # added to the built-in ones; optional
//	exceptions: ../exceptions.yaml      # may be shared by suites; optional
//
// Paths are relative to the suite's file. In patterns, *, ? and [a-z] stand for parts of
// a name. The suite's own files are never cases.
//
// Every exception, and every rule with a target, must concern a version that the suite
// validates or that is built in. A full run must use each rule and exception in the
// suite's own directory. A file outside this directory is shared: a run ignores what it
// has for versions that the run has no case of.
//
// The native validator can also be a program that answers AdmissionReviews on stdin and
// stdout (package exec), or a webhook (package webhook). A program is started in the
// suite's directory:
//
//	native: {exec: {command: [./validator, --stdio]}}
//	native:
//	  webhook:
//	    url: https://127.0.0.1:9443/validate
//	    caFile: ca.pem                  # all keys but url are optional
//	    serverName: webhook.system.svc  # the name in the server's certificate
//	    certFile: client.pem
//	    keyFile: client-key.pem
//	    tokenFile: token                # read for each request
//
// With the schemas of a builtin, such a validator is asked about the kinds of the builtin
// in each version. The builtin defaults and converts the objects first.
//
// Instead of a builtin, declarative can name the file with the schemas:
//
//	declarative: {crd: widgets.yaml, version: v1}   # without version: all served versions
//	declarative: {openapi: {file: openapi.json, definition: com.example.v1.Widget}}
//	declarative: {go: {package: ./api/v1, type: Widget, overlays: [more.yaml]}}
//
// Objects of a CustomResourceDefinition are pruned, defaulted, converted and reduced to
// what a subresource takes before both validators see them, as in the API server. The API
// server validates type and metadata before it asks a webhook, so neither side reports
// their errors. A schema that the API server would not store is a mistake. If the only
// reason is the estimated cost of rules, which the API server checks for new schemas
// alone, it is a warning (Plan.Warnings).
//
// Objects of an OpenAPI definition or a Go type are pruned and defaulted. The kind of an
// OpenAPI definition is its x-kubernetes-group-version-kind. The schema of a Go type
// comes from its markers (package idl). The go command finds the package from the suite's
// directory, and the sources must be on disk. The kind of a Go type is its name, in the
// group and version of the package's +groupName and +versionName. For both, the suite can
// name the kind instead (kind: example.com/v1 Widget).
//
// A matrix runs a suite several times:
//
//	matrix:                             # optional
//	- {name: gated, featureGates: {SomeGate: true}}
//	- {name: old, versions: [apps/v1beta1, apps/v1beta2]}
//
// Reports show each entry as a suite of its own, "widgets[gated]". Its feature gates are
// set in the builtin validator while only this entry runs. A program is started
// separately for the entry and finds them in DIFFRUN_FEATURE_GATES, as
// SomeGate=true,OtherGate=false. They are a mistake with a webhook, which runs already.
// If the entry has versions, only these are compared, whatever version a case is written
// in.
//
// # Files of cases
//
// A case file (.yaml) has the keys target, objects and cases. A case has the keys name,
// why, target, object, patch (RFC 7386) or jsonPatch (RFC 6902), old (with an object and a
// patch of its own), subresource and want:
//
//	target: example.com/v1 Widget
//	objects: {valid: {spec: {size: 1}}}
//	cases:
//	- name: size below zero
//	  why: the first value outside the range
//	  object: valid                     # a name under objects, or a mapping
//	  patch: {spec: {size: -1}}
//	  want: [{type: FieldValueInvalid, field: spec.size}]
//
// "want" lists the errors that the native validator must give; [] means none, and without
// the key they are not checked. Objects and patches are read as kubectl reads them, by
// YAML 1.1: yes, no, on and off without quotes are booleans. A case with the subresource
// scale has an autoscaling/v1 Scale as its object and the resource as the old object.
//
// A line of JSON (.jsonl) has the keys id, object, oldObject, operation, recorded and
// subresource. The errors under "recorded" are those of a validator that ran somewhere else:
// "native: {recorded: corpus/*.jsonl}" compares them. A manifest
// (.yaml with apiVersion or kind, or .json) has plain objects, in several documents or as
// the items of lists; each is a create. These files are read while the run goes on, so
// they may be large.
//
// The target of a case is named by the case, or by apiVersion and kind of its object. Its
// id is "file#name", the id of its line, "file#Kind namespace/name", or "file:line", with
// the file relative to the suite.
package cases
