// Package metrics counts the results of a run for Prometheus, under the names
// that KEP-4153 gives in "Monitoring Requirements", and some more.
//
// In goes a harness.Result at a time; out come the collectors over HTTP while
// a run lasts, or as a file in the text format for a job that nothing scrapes.
//
//	apiserver_declarative_validation_difference_total    counter    group, version, kind, operation, subresource, class
//	apiserver_declarative_validation_difference_seconds  histogram  group, version, kind
//	apiserver_declarative_validation_seconds             histogram  group, version, kind
//	apiserver_native_validation_seconds                  histogram  group, version, kind
//	apiserver_declarative_validation_fault_total         counter    backend, reason
//	apiserver_declarative_validation_cases_total         counter    group, version, kind, verdict
//
// Every label is from a closed set or from the targets of the suites: never a
// path, a name or a message.
package metrics
