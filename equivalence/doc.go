// Package equivalence decides whether two lists of validation errors say the
// same.
//
// In come the errors of a native and of a declarative validator for one input,
// rules (which wordings mean the same) and exceptions (which differences are
// accepted). Out come Pairs: every error exactly once, with its partner on the
// other side if it has one, how often each side says it, the Class of their
// difference, and the Rule or the Exception that explains it. A Ledger counts over a run which rules and
// exceptions were needed.
//
// What runs the validators, what a case is, and which differences fail a run
// is left to others; nothing here knows of a backend. Everything that is
// loaded is immutable and may be used by many goroutines; the Ledger may too.
//
// # When two errors are equal
//
// Type and field must be the same; the root of the object is "<nil>" or "". So
// must the text be (Detail, not ErrorBody), but for surrounding white space and
// for the error's own field in front of it: kube-openapi's "spec.replicas in
// body should be …" at spec.replicas is "should be …". A text that names another
// field keeps it. Origin and the marks of declarative validation are not
// compared.
//
// Bad values must not contradict each other. Only scalars can: two validators
// see an object as other Go types, so a struct and a map are not compared.
// Numbers and quantities are compared by amount ("1000m" is "1"), an int32 may
// be a float64 of the other side, and no value, the placeholder of
// field.TooLong, and the name of a schema type ("string", which
// apiextensions-apiserver reports for type errors) agree with every value. That
// a value is missing (FieldValueRequired) contradicts an error of another type
// that names one, unless it is a zero value.
//
// An error with neither field nor text is equal only to its like, with the same
// value and for once not with any value; without a type as well it is equal to
// nothing: silence is no agreement.
//
// What a webhook says that only says no (Origin "admission/denied") is compared by
// the verdict: it makes each error of the schema equivalent, by a rule called
// "verdict". A refusal with a text that names no field ("admission/text") is of
// class Path with an error of the schema.
//
// If the schema reports, beside other errors, that it did not check its CEL rules, a
// rule called "unchecked" explains that report. It also explains a native error that
// one of these rules could have reported: a rule with that reason stands at the field
// or above it (Declarations.RuleTypes).
//
// # Rules
//
// A file of rules is a YAML list:
//
//	# rules.yaml
//	- name: minimum                  # unique
//	  why: both name the lowest value that is allowed
//	  type: FieldValueInvalid        # of both errors; or, where they differ,
//	                                 # nativeType and declarativeType
//	  native: 'must be greater than or equal to (?P<bound>\S+)'
//	  declarative: 'should be greater than or equal to (?P<bound>\S+)'
//	  examples:
//	    match:  [[must be greater than or equal to 0, should be greater than or equal to 0]]
//	    differ: [[must be greater than or equal to 0, should be greater than or equal to 1]]
//
// The patterns (RE2) cover the whole text, with or without the own field in
// front. Groups that have a name on both sides must capture the same text,
// white space around it aside; a group that is listed in "unordered" is a list
// with commas in any order. The fields must be equal and the bad values must
// not contradict each other, as above. "field" limits a rule to fields such as
// spec.containers[*].name, "target" to versions, written as in an exception: the one
// whose structure differs, for instance.
//
// Where the two sides report at different fields, nativeField and
// declarativeField are patterns of the whole field that take the place of the
// comparison; they must share a named group. Indices of lists are captured by
// both, or the rule is refused. Where only the field differs, "text: same" takes
// the place of both patterns, and type may be left out:
//
//   - name: template-metadata
//     why: the hand-written path leaves metadata out
//     target: apps/v1beta1 *
//     text: same
//     nativeField: '(?P<template>.*template)\.(?P<rest>labels.*)'
//     declarativeField: '(?P<template>.*template)\.metadata\.(?P<rest>labels.*)'
//
// Two texts do not always show that they mean the same. "must be greater than 0" and
// "should be greater than or equal to 1" do for an integer and do not for 0.5. Such a
// rule names its evidence. "schema" gives patterns for keywords of the schema at the
// declarative field; "value" is a pattern for the bad value, which one side at least
// must name. Groups of all patterns with the same name must capture the same text:
//
//   - name: range-low
//     why: the schema has the other end of the range
//     type: FieldValueInvalid
//     native: 'must be between (?P<low>\d+) and (?P<high>\d+)'
//     declarative: 'should be greater than or equal to (?P<low>\d+)'
//     schema: {maximum: '(?P<high>\d+)'}
//     examples:
//     match: [[must be between 1 and 9, {detail: should be greater than or equal to 1, schema: {maximum: 9}}]]
//     differ: [[must be between 1 and 9, {detail: should be greater than or equal to 1, schema: {maximum: 8}}]]
//
// A rule with nativeField applies only if the schema does not declare the native field
// (in examples: declared: true), or if one of the two fields contains the other:
// otherwise two fields are wrong, not one. Without a schema to ask (Declarations), a rule
// with "schema" does not apply.
//
// Rules of other kinds are about more than a pair; each has a key of its own:
//
//   - name: hides-template           # a native error (or, with declarative in
//     why: …                         # place of native, one of the schema) that
//     hides: spec.template           # both sides report keeps its side from
//     type: FieldValueInvalid        # looking below; what the other one says
//     native: field is immutable     # there is explained
//   - name: hides-exceptions
//     why: …
//     field: spec.blocks[*].cidr     # where the error stands, if not at hides;
//     hides: spec.blocks[*].except   # [*] is the same item in both
//     type: FieldValueInvalid
//     native: 'must be a valid CIDR value.*'
//   - name: format-joined            # one error of the schema says what several
//     why: …                         # native ones say: to each part its error,
//     joins: declarative             # or none
//     separator: '; '
//     type: FieldValueInvalid
//     native: '(?P<part>must .+)'
//     declarative: 'must be of type label: (?P<part>.+)'
//   - name: labels-twice             # this side may say several times what both
//     why: …                         # say; without such a rule that is of class count
//     repeats: native
//     type: FieldValueInvalid
//     native: 'must be no more than 63 characters'
//
// Their examples list what each side reports: {native: […], declarative: […]}.
//
// The examples are tried when the file is loaded; a rule needs some of both
// kinds. They stand at the field of the rule, or at spec.field, and may be
// written {field: …, detail: …, value: …, schema: …}. Patterns that could explain what nobody thought
// of are refused: those that match random text, that spell out fewer than three
// letters, or that match many unrelated messages of Kubernetes. The empty
// pattern is for types whose errors upstream makes without a text
// (FieldValueRequired, FieldValueDuplicate, FieldValueNotFound).
//
// # Exceptions
//
// A file of exceptions is a YAML list:
//
//	# exceptions.yaml
//	- id: hpa-v1-metrics             # unique
//	  target: autoscaling/v1 HorizontalPodAutoscaler   # as apiVersion and kind;
//	                                 # * for a whole group, version or kind: */* Pod
//	  operations: [CREATE, UPDATE]   # optional: all
//	  subresources: [status]         # optional: all, and the main resource, which is ''
//	  class: too-loose               # one of Classes
//	  field: spec.containers[*].name # of the native error, or of the declarative
//	                                 # one where there is no other; [*] is any
//	                                 # index or key, spec.metrics.** also all
//	                                 # that is below, <nil> the root
//	  native: {type: FieldValueInvalid, detail: 'must .+'}   # optional, each of both;
//	  declarative: {type: FieldValueInvalid, count: 2}       # detail as in a rule, count:
//	                                                         # how often it is reported
//	  why: the field does not exist in v1
//	  owner: sig-autoscaling
//	  issue: https://…
//	  expires: 2027-06-30            # the last day, in UTC
//	  maxHits: 3                     # optional: no limit
//
// An exception accepts single differences, never what a rule explains already.
// Two exceptions that could accept the same difference are refused. One that
// has expired accepts nothing, so that the difference comes back, and is
// reported; hits above maxHits are accepted and reported, because which of them
// were too many would depend on the order of the run.
package equivalence
