package equivalence

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Concerns says whether the exception is about a version of a kind. One that
// concerns nothing of a run is not stale in that run.
func (e *Exception) Concerns(version schema.GroupVersionKind) bool { return e.target.matches(version) }
