// Package contract is what backends, schemes and the harness tell each other: the input of a case, the notes
// that a backend adds to its errors, and what a backend or a scheme can do besides its methods. Authors of
// backends need it. The types that every backend uses have names in package harness too, and are as stable as
// those; the others may change in every release.
package contract
