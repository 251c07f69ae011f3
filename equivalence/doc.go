// Package equivalence compares two lists of validation errors: those of a native
// (hand-written) validator and those of a declarative one (a schema) for the same
// object.
//
// A [Matcher] pairs the errors of both lists. A [Pair] holds one error of each side, or of
// one side alone. If the two do not agree, its [difference.Class] describes the difference. A [Rule]
// makes two differently worded errors agree. An [Exception] accepts one known difference. A
// [Ledger] counts the rules and exceptions that a run used, and reports the others.
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
//	usages := ledger.Usages()                                     // at the end of a run
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
// object as different Go types. Texts are equal if they are identical, or if they are equal
// quantities or durations ("1000m" and "1") and the schema, a rule or the Go type of a value
// declares them as such. Numbers are compared by amount. Amounts are
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
// A native validator that is asked with a document may not be able to decode it (Origin "decoding").
// A rule called "decoding" makes such an error agree with those of the schema about the value of the
// same field, and then explains the other errors of the schema, because nothing else was checked.
//
// # Files
//
// [LoadRules] and [LoadExceptions] read YAML lists. Loading a file of rules runs the examples of each rule
// and refuses patterns that could explain too much. The keys, and examples of both files, are in
// docs/reference/rules.md and docs/reference/exceptions.md.
//
// An exception accepts single differences that no rule explains. An expired exception accepts nothing, so
// its difference comes back, and the Ledger reports it. Differences beyond maxHits are accepted and reported,
// because the order of the run would otherwise decide which of them are accepted.
package equivalence
