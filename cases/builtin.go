package cases

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
)

// Builtin is a set of kinds that is linked into the program. A suite names it, as in
// "native: {builtin: kubernetes}". If Natives or Declaratives is nil, a suite cannot name
// the builtin for that side.
type Builtin struct {
	Natives      Natives
	Declaratives Declaratives
	// Counting gives the declarative backend of a version as one that counts what the keywords
	// of its schema do. Nil: a backend that can count is compiled twice.
	Counting Counting
	// Typed says that the native validators take Go types, which only the Scheme of their
	// targets makes. If a suite names schemas of its own beside them, its objects are read
	// by that Scheme, and not pruned and defaulted as those of custom resources.
	Typed bool
	// Gates sets the feature gates of Natives; nil: they have none.
	Gates Gates
}

// Gates sets feature gates and returns a function that restores them. The error names the
// gates that do not exist or cannot be set; then none is set.
type Gates func(map[string]bool) (restore func(), err error)

// Natives are the hand-written validators of a builtin.
type Natives interface {
	// Kinds lists the kinds, for messages.
	Kinds() []schema.GroupKind
	// Target gives the native validator of a kind in each of its versions. It leaves the
	// declarative backends nil; the suite fills them in. The error says that the kind is
	// unknown.
	Target(kind schema.GroupKind) (*harness.Target, error)
}

// Declaratives gives the declarative backend of a version. The error says that it has no
// schema, or that the schema does not compile. It may be called by several goroutines at
// once.
type Declaratives func(schema.GroupVersionKind) (harness.Backend, error)

// Counting is a Declaratives whose backends count.
type Counting func(schema.GroupVersionKind, *declarative.Coverage) (harness.Backend, error)

// guarded turns the panic of a compiler into an error: it costs the cases of a
// version, not the run.
func (d Declaratives) guarded(version schema.GroupVersionKind) (backend harness.Backend, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("compiling the schema of %s panicked: %v\n%s", harness.TargetName(version), cause, debug.Stack())
		}
	}()
	return d(version)
}

// broken stands for a declarative backend that could not be made: the other
// versions of the kind are still compared, and no result of this one can pass
// for a comparison.
type broken struct{ why error }

func (broken) Name() string { return "declarative" }

func (b broken) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return nil, b.why
}

// names lists the builtins that have a side, sorted.
func names(builtins map[string]Builtin, has func(Builtin) bool) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(builtins)), func(name string) bool { return !has(builtins[name]) })
}

func (b Builtin) hasNatives() bool { return b.Natives != nil }

func (b Builtin) hasDeclaratives() bool { return b.Declaratives != nil }
