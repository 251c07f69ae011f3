// Package equivalence compares two lists of validation errors: those of a native
// (hand-written) validator and those of a declarative one (a schema) for the same
// object.
//
// A [Matcher] pairs the errors of both lists. Each [Pair] holds one error of each side,
// or of one side alone, and says whether they agree. If they do not, its [Class] says
// how they differ. A [Rule] makes two differently worded errors agree. An [Exception]
// accepts one known difference. A [Ledger] counts which rules and exceptions a run used,
// and reports those that it did not use.
//
// The steps of a comparison are:
//
//	rules, err := equivalence.LoadRules(file, data)               // once
//	exceptions, err := equivalence.LoadExceptions(file, data, now) // once
//	ledger := equivalence.NewLedger(rules, exceptions)            // once for each run
//	matcher := equivalence.NewMatcher(rules)                      // once
//	pairs := matcher.Match(native, declarative)                   // for each object
//	pairs = exceptions.Explain(subject, pairs)
//	ledger.Record(pairs)
//	findings := ledger.Report()                                   // at the end of a run
//
// Package harness does all of this for the cases of a test. Rules, exceptions and
// matchers never change after they are made, and all types may be used by several
// goroutines at once.
//
// # When two errors agree
//
// Two errors agree if their types, fields and texts are equal and their bad values do
// not contradict each other.
//
// The field of the whole object is "<nil>" or "". The text is the Detail of the error
// without surrounding white space. kube-openapi writes the field in front of the text
// ("spec.replicas in body should be …"); this prefix is ignored if it names the error's
// own field. Origin and the marks of declarative validation are not compared.
//
// Only scalar bad values can contradict each other, because two validators may see an
// object as different Go types. A text is equal to a text only by its letters, unless the
// schema says that it is a quantity or a duration ("1000m" is "1"), a rule says so, or a
// side reports a Go value of such a type. Numbers are compared by amount. Amounts are
// exact: "1e-10" is not "2e-10". Some values agree with every other value: no value, the
// placeholder of field.TooLong, and, in errors about a type or a rule, the name of a schema
// type such as "string", which apiextensions-apiserver reports. An error of type
// FieldValueRequired contradicts an error of another type that names a value, unless that
// is a zero value.
//
// An error without field and text agrees only with another such error with the same
// value. An error that also has no type agrees with nothing.
//
// A webhook may refuse an object without saying why (Origin "admission/denied"). Such an
// error agrees with every error of the schema, by a rule called "verdict". A refusal
// whose text names no field (Origin "admission/text") differs from an error of the
// schema by the class Path.
//
// A denial by a ValidatingAdmissionPolicy names no field (Origin
// "ValidatingAdmissionPolicy/…"). It agrees with an error of the same text at any field, by
// a rule called "policy".
//
// A schema may report, beside other errors, that it did not check its CEL rules. A rule
// called "unchecked" explains this report. It also explains a native error that agrees
// with an error that the CEL rules would have reported (Answer.Unchecked).
//
// # Rules
//
// A file of rules is a YAML list. This rule says that two wordings mean the same:
//
//	# rules.yaml
//	- name: minimum                  # unique
//	  why: both name the lowest value that is allowed
//	  type: FieldValueInvalid        # of both errors; if they differ, use
//	                                 # nativeType and declarativeType
//	  native: 'must be greater than or equal to (?P<bound>\S+)'
//	  declarative: 'should be greater than or equal to (?P<bound>\S+)'
//	  examples:
//	    match:  [[must be greater than or equal to 0, should be greater than or equal to 0]]
//	    differ: [[must be greater than or equal to 0, should be greater than or equal to 1]]
//
// native and declarative are regular expressions (RE2) for the whole text. They match
// the text with or without the error's own field in front. A named group stands in both
// and must capture the same text, or be left out of both matches. A group listed in
// "unordered" captures a list with commas in any order. Fields must be equal and bad
// values must not contradict each other, as above.
//
// Optional keys limit a rule: "field" to fields such as spec.containers[*].name, and
// "target" to versions of kinds, written as in an exception.
//
// If the two sides report at different fields, nativeField and declarativeField are
// regular expressions for the whole field. They replace the comparison of fields and must
// share a named group. Both must capture the indices of lists. If only the fields differ,
// "text: same" replaces the two patterns and type is optional:
//
//	# a rule about fields
//	- name: template-metadata
//	  why: the hand-written path leaves metadata out
//	  target: apps/v1beta1 *
//	  text: same
//	  nativeField: '(?P<template>.*template)\.(?P<rest>labels.*)'
//	  declarativeField: '(?P<template>.*template)\.metadata\.(?P<rest>labels.*)'
//
// Two texts do not always show that they mean the same. "must be greater than 0" and
// "should be greater than or equal to 1" do for an integer and do not for 0.5. Such a
// rule names its evidence. "schema" gives patterns for keywords of the schema at the
// declarative field. "value" is a pattern for the bad value, which at least one side
// must name. Groups of "schema" are compared like those of the declarative text:
//
//	# a rule with evidence
//	- name: range-low
//	  why: the schema has the other end of the range
//	  type: FieldValueInvalid
//	  native: 'must be between (?P<low>\d+) and (?P<high>\d+)'
//	  declarative: 'should be greater than or equal to (?P<low>\d+)'
//	  schema: {maximum: '(?P<high>\d+)'}
//	  examples:
//	    match: [[must be between 1 and 9, {detail: should be greater than or equal to 1, schema: {maximum: 9}}]]
//	    differ: [[must be between 1 and 9, {detail: should be greater than or equal to 1, schema: {maximum: 8}}]]
//
// "amount: quantity" or "amount: duration" compares bad values that are texts as such:
// hand-written code often reports the canonical form.
//
// A rule with nativeField applies in two cases: the schema does not declare the native
// field (in examples: declared: true), or one of the two fields contains the other or
// writes the key of a map as a field. Otherwise two fields are wrong, not one. A rule with "schema" does not apply without a
// schema to ask (Declarations).
//
// Three other kinds of rules concern more than a pair. Each has a key of its own:
//
//	# A native error that both sides report stops the native side from looking below
//	# spec.template. What the schema says there is explained. With declarative in place
//	# of native, the schema is the side that stops.
//	- name: hides-template
//	  why: …
//	  hides: spec.template
//	  type: FieldValueInvalid
//	  native: field is immutable
//	# The error stands at another field; [*] is the same item in both.
//	- name: hides-exceptions
//	  why: …
//	  field: spec.blocks[*].cidr
//	  hides: spec.blocks[*].except
//	  type: FieldValueInvalid
//	  native: 'must be a valid CIDR value.*'
//	# ".**" is all that is below the error, wherever it stands.
//	- name: hides-second-type
//	  why: …
//	  hides: .**
//	  type: FieldValueForbidden
//	  native: may not specify more than 1 type
//	# One error of the schema joins the texts of several native errors.
//	- name: format-joined
//	  why: …
//	  joins: declarative
//	  separator: '; '
//	  type: FieldValueInvalid
//	  native: '(?P<part>must .+)'
//	  declarative: 'must be of type label: (?P<part>.+)'
//	# The native side may report the same error several times. Without this rule
//	# that is a difference of class count.
//	- name: labels-twice
//	  why: …
//	  repeats: native
//	  type: FieldValueInvalid
//	  native: 'must be no more than 63 characters'
//
// The examples of these kinds list what each side reports: {native: […], declarative:
// […]}.
//
// Loading a file tries the examples; a rule needs some that match and some that differ.
// Examples stand at the field of the rule, or at spec.field, and can be written as
// {field: …, detail: …, value: …, schema: …}. Loading refuses patterns that are too
// broad: those that match random text, spell out fewer than three letters, or take many
// unrelated messages of Kubernetes for one. It also refuses what is compared with nothing:
// a group on one side only or in one of several alternatives, a field pattern that matches
// any text outside of its groups, and a number, quotation or particular word that both texts
// of an example have and one of them may have otherwise. The empty pattern is only for types whose errors have no text
// upstream (FieldValueRequired, FieldValueDuplicate, FieldValueNotFound).
//
// # Exceptions
//
// A file of exceptions is a YAML list:
//
//	# exceptions.yaml
//	- id: hpa-v1-metrics             # unique
//	  target: autoscaling/v1 HorizontalPodAutoscaler   # apiVersion and kind; * stands
//	                                 # for every group, version or kind: */* Pod
//	  operations: [CREATE, UPDATE]   # optional; without it: all
//	  subresources: [status]         # optional; without it: all. '' is the main resource
//	  class: too-loose               # one of Classes
//	  field: spec.containers[*].name # of the native error, or of the declarative error
//	                                 # if there is no native one. [*] is any index or
//	                                 # key, a final .** all fields below, <nil> the root
//	  native: {type: FieldValueInvalid, detail: 'must .+'}   # optional, and so is each key;
//	  declarative: {type: FieldValueInvalid, count: 2}       # detail is a pattern as in a rule,
//	                                                         # count is how often it is reported, and
//	                                                         # must be there where that differs, too;
//	                                                         # field, for class path, where the
//	                                                         # declarative error is. If the two
//	                                                         # sides of such a difference use other
//	                                                         # words, both must have type or detail
//	  why: the field does not exist in v1
//	  owner: sig-autoscaling
//	  issue: https://…
//	  expires: 2027-06-30            # the last day, in UTC
//	  maxHits: 3                     # optional; without it: no limit
//
// An exception accepts single differences and never what a rule explains already.
// Loading refuses two exceptions that could accept the same difference. An expired
// exception accepts nothing, so its difference comes back, and the Ledger reports it.
// Differences beyond maxHits are accepted and reported, because the order of the run
// would otherwise decide which of them are accepted.
package equivalence

import ()
