package cases

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/userfile"
)

// Builtin is a set of kinds compiled into the program. A suite names it, as in "native: {builtin:
// kubernetes}". If Natives or Declaratives is nil, a suite cannot name the builtin for that side.
type Builtin struct {
	// LeftOut is set, and nothing else, for a builtin that the program was built without: it says how to get a
	// program with it.
	LeftOut      string
	Natives      Natives
	Declaratives Declaratives
	// Counting returns the backend of a version for coverage: it counts what the keywords of the
	// schema do. If nil, the backends of Declaratives are compiled a second time to count.
	Counting Counting
	// Offers reports whether Declaratives has a backend for a version, without making the backend. If
	// Offers is nil, Declaratives has one for each version of Natives.
	Offers func(version schema.GroupVersionKind) bool
	// Backends returns further backends by name, which JobOptions.Compared and the key "compare" of a
	// suite may name. The error for a version without one wraps contract.ErrNotOffered. It is nil if there
	// are none.
	Backends func(tags idl.Reading) map[string]Declaratives
	// SchemaPosition returns the file and line of a place of the schema of a version; see
	// Suite.SchemaLine. If nil, they are unknown.
	SchemaPosition func(version schema.GroupVersionKind, place string) userfile.Position
	// Served returns a kind of Natives as the API server serves it, for suites with guards around the
	// builtin. It returns an error for a kind that is not a resource. If nil, a builtin has no guards.
	Served func(kind schema.GroupKind) (serving.Resource, error)
	// SubresourceKinds are the kinds that only requests to a subresource carry, such as an Eviction. Served returns
	// them, and Natives does not validate them.
	SubresourceKinds []schema.GroupKind
	// Typed is true if the native validators take Go types, which only the Scheme of their targets
	// creates. If a suite combines them with its own schemas, that Scheme reads the objects, and
	// they are not pruned and defaulted like custom resources.
	Typed bool
	// Gates sets the feature gates of Natives. It is nil if they have none.
	Gates Gates
}

// Gates sets feature gates and returns a function that restores them. If a gate does not exist or
// cannot be set, no gate is set, and the error names it.
type Gates func(map[string]bool) (restore func(), err error)

// Natives are the hand-written validators of a builtin.
type Natives interface {
	// Kinds returns the kinds, for messages.
	Kinds() []schema.GroupKind
	// Target returns the native validator of a kind in each of its versions. The declarative
	// backends are nil; the suite sets them. It returns an error for an unknown kind.
	Target(kind schema.GroupKind) (*harness.Target, error)
}

// Declaratives returns the declarative backend of a version. It returns an error if the version
// has no schema or if the schema does not compile. It must be safe for concurrent use.
type Declaratives func(schema.GroupVersionKind) (harness.Backend, error)

// Counting is like Declaratives, but the backends count.
type Counting func(schema.GroupVersionKind, *tally.Coverage) (harness.Backend, error)

// guarded converts a panic while compiling into an error, so only the cases of that version fail.
func (d Declaratives) guarded(version schema.GroupVersionKind) (backend harness.Backend, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("compiling the schema of %s panicked: %v\n%s", apiname.Target(version), cause, debug.Stack())
		}
	}()
	return d(version)
}

// broken replaces a backend that could not be created. Other versions of the kind are
// still compared; each case of this version is a fault.
type broken struct {
	name string
	why  error
}

func (b broken) Name() string { return b.name }

func (b broken) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return nil, b.why
}

// names returns the names of the builtins that have a side, sorted.
func names(builtins map[string]Builtin, has func(Builtin) bool) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(builtins)), func(name string) bool { return !has(builtins[name]) })
}

func (b Builtin) hasNatives() bool { return b.Natives != nil }

func (b Builtin) isServed() bool { return b.Served != nil && b.Natives != nil }

func (b Builtin) hasDeclaratives() bool { return b.Declaratives != nil }

func (b Builtin) backends(tags idl.Reading) map[string]Declaratives {
	if b.Backends == nil {
		return nil
	}
	return b.Backends(tags)
}
