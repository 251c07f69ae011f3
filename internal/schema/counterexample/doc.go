// Package counterexample finds objects that show what is wrong with a rule of a schema.
//
// A [Finder] takes the schema of a resource. [Finder.Failure] looks for an object, or an update, that everything else in
// the schema accepts and on which the rule cannot be evaluated. [Finder.Evasion] looks for two updates that together make
// the change that the rule refuses. The declarative validator validates each object after defaulting, so what is found is true; what
// is not found may exist.
package counterexample
