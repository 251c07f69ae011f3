// Package metrics counts the results of a run for Prometheus. The first names are those of KEP-4153,
// section "Monitoring Requirements":
//
//	apiserver_declarative_validation_difference_total    counter    group, version, kind, operation, subresource, class
//	apiserver_declarative_validation_difference_seconds  histogram  group, version, kind
//	apiserver_declarative_validation_seconds             histogram  group, version, kind
//	apiserver_native_validation_seconds                  histogram  group, version, kind
//	apiserver_declarative_validation_fault_total         counter    backend, reason
//	apiserver_declarative_validation_cases_total         counter    group, version, kind, verdict, effect
//
// [New] creates the collectors on a registry of their own, and [Metrics.Observe] counts one
// harness.Result. [Metrics.Handler] lets Prometheus scrape them during a run; [Metrics.Write] writes
// them in the text format, for jobs that are too short to be scraped.
//
// All label values come from closed sets or from the targets of the suites. No label has a field path,
// the name of an object, or a message.
package metrics
