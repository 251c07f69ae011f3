// Package strategy puts a shadow.Shadow around the strategies of a registry, as API servers
// built on k8s.io/apiserver have them:
//
//	store.CreateStrategy = strategy.Create(beside, widget.Strategy)
//	store.UpdateStrategy = strategy.Update(beside, widget.Strategy)
//
// Objects are converted to the version of the request before the schema sees them, as
// rest.ValidateDeclarativelyWithMigrationChecks does. NewScheme returns a harness.Scheme that does so with a
// runtime.Scheme.
package strategy
