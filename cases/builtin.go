package cases

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
)

// Builtin is a set of kinds that the command links in. Suites name it, as in
// "native: {builtin: kubernetes}"; a side that is nil cannot be named.
type Builtin struct {
	Natives      Natives
	Declaratives Declaratives
	// Gates sets the feature gates of Natives; nil: they have none.
	Gates Gates
}

// Gates sets feature gates and gives what puts them back. The error says which of
// them does not exist or cannot be set; then none is.
type Gates func(map[string]bool) (restore func(), err error)

// Natives are hand-written validators.
type Natives interface {
	// Kinds lists the kinds, for messages.
	Kinds() []schema.GroupKind
	// Target binds the native validator of a kind in each of its versions;
	// their declarative backends are left nil, for the suite to fill in. The
	// error says that there is no such kind.
	Target(kind schema.GroupKind) (*harness.Target, error)
}

// Declaratives gives the declarative backend of a version. The error says
// that there is no schema of it, or that the schema does not compile. Several
// versions are asked for at once.
type Declaratives func(schema.GroupVersionKind) (harness.Backend, error)

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
