// Package cases loads suites: it binds the two validators of each kind to the
// cases that both are to judge.
//
// In goes a suite.yaml in a file system, and the validators and schemas that
// the command links in ([Builtin]). Out comes a [Suite]: its rules, its
// exceptions, and a stream of harness.Jobs, each a case with the harness of
// its kind. Cases are written in YAML (case files), as JSON lines, or are
// plain manifests; the two latter are read while the run goes on, so that
// their number does not matter.
//
// What is wrong with a suite, or with a case file as a whole, is a mistake of
// the caller: [Load] gives all of them at once, with file and line. What is
// wrong with the content of one case is a fault of that case, and the others
// run: a line or a document that is no JSON or YAML, or not UTF-8; an object of
// another kind, too large or too deep; an alias bomb in a patch. A case file
// is one YAML document: where that cannot be parsed, or is not UTF-8, no case of
// it can be told from another, and nothing is run.
//
// # A suite
//
//	name: widgets                       # tells suites apart in reports
//	native: {builtin: kubernetes}       # the hand-written validator
//	declarative: {builtin: kubernetes}  # the schemas
//	cases: [deployment*.yaml, corpus/*.jsonl, dumps/pods.json]
//	rules: [rules.yaml]                 # added to the built-in ones; optional
//	exceptions: ../exceptions.yaml      # may be shared by suites; optional
//
// Every exception, and every rule with a target, must be about a version that a suite
// naming its file validates, or that is built in. One in the suite's own directory must also be used by a full run;
// a file outside of it is shared, and what it has for versions of which the run has no
// case is left alone.
//
// A hand-written validator may also be a program that answers AdmissionReviews
// on stdin and stdout, started in the suite's directory, or a webhook:
//
//	native: {exec: {command: [./validator, --stdio]}}
//	native:
//	  webhook:
//	    url: https://127.0.0.1:9443/validate
//	    caFile: ca.pem                  # all but url are optional
//	    serverName: webhook.system.svc  # the name in the server's certificate
//	    certFile: client.pem
//	    keyFile: client-key.pem
//	    tokenFile: token                # read for each request
//
// Beside the schemas of a builtin they are asked about its kinds, in each
// version, with objects as the builtin defaults and converts them.
//
//	matrix:                             # run once for each set; optional
//	- {name: gated, featureGates: {SomeGate: true}}
//	- {name: old, versions: [apps/v1beta1, apps/v1beta2]}
//
// A set of the matrix is reported as a suite of its own, "widgets[gated]". Feature
// gates are those of the native validator, if it has some, and are set while only
// this set is run. A program is started for the set by itself and finds them in
// DIFFRUN_FEATURE_GATES, as SomeGate=true,OtherGate=false; a webhook runs already, so
// that featureGates are a mistake there. Versions are those that are compared, all others being left out,
// whatever version a case is written in.
//
// Paths are relative to the suite's file; in patterns *, ? and [a-z] stand for
// parts of a name. The suite's own files are never cases.
//
// Instead of a builtin, declarative names the file that the schemas are in:
//
//	declarative: {crd: widgets.yaml, version: v1}   # without a version: all that are served
//	declarative: {openapi: {file: openapi.json, definition: com.example.v1.Widget}}
//	declarative: {go: {package: ./api/v1, type: Widget, overlays: [more.yaml]}}
//
// The schema of a Go type is what its markers say (package idl). Its package is found
// by the go command from the suite's directory, and its sources must be on disk. The
// kind is the name of the type, in the group and version of the package's +groupName and
// +versionName, or what the suite says (kind: example.com/v1 Widget).
//
// The objects of a CustomResourceDefinition are pruned, defaulted, converted and cut
// to what a subresource takes, as the API server does it, before both validators see
// them. Their type and metadata it validates itself before it asks a webhook, so the
// errors of these are on neither side. A schema that it would not store is a mistake; if
// that is only because rules may cost too much, which it asks of new schemas alone, it is
// a warning. Objects of an OpenAPI definition or a Go type are pruned and defaulted. The kind of a
// definition is what its x-kubernetes-group-version-kind says, or the suite (kind:
// example.com/v1 Widget). A case with the subresource scale has an autoscaling/v1
// Scale as its object and the resource as the old one.
//
// # Files of cases
//
// A case file (.yaml) has the keys target, objects and cases; a case has name,
// why, target, object, patch (RFC 7386) or jsonPatch (RFC 6902), old with an
// object and a patch of its own, subresource and want. "object" is a mapping
// or the name of one under "objects". "want" are the errors that the native
// validator must give: [] none, left out: not said. Objects and patches are read as
// kubectl reads them, by YAML 1.1: yes, no, on and off without quotes are booleans.
//
// JSON lines (.jsonl) have the keys id, object, oldObject and subresource. A
// manifest (.yaml with apiVersion or kind, .json) holds plain objects, in
// several documents or as the items of lists; each is a create.
//
// A case names its target, or its object's apiVersion and kind do. Its id is
// "file#name", the id of its line, "file#Kind namespace/name", or else
// "file:line", the file relative to the suite.
//
// Running the jobs, judging the results and drawing reports are left to
// packages harness and reports, and to the command.
package cases
