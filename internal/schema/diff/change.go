package diff

import (
	"cmp"
	"context"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Side is one of the two schemas.
type Side struct {
	Schema *spec.Schema
	// Definitions are the targets of references.
	Definitions map[string]*spec.Schema
	// Validate returns what is wrong with an object. It does not change it.
	Validate Validate
	// Update returns what is wrong with an update of a stored object.
	Update    func(ctx context.Context, object, old map[string]any) []Rejection
	semantics declarative.Semantics
	// bare reports whether objects have no metadata, as the options of a request.
	bare bool
	// failed reports whether a value of an object fails a keyword at one of some places of the
	// schema.
	failed func(ctx context.Context, object map[string]any, declared []string) bool
	// Stored returns an object as it is stored: without unknown fields, with defaults.
	Stored func(object map[string]any) map[string]any
}

// Effect is the effect of a change on the accepted objects.
type Effect string

const (
	// Wider means that B accepts objects that A rejects.
	Wider Effect = "wider"
	// Narrower means that B rejects objects that A accepts.
	Narrower Effect = "narrower"
	// Other means that each side accepts objects that the other rejects.
	Other Effect = "other"
	// Stored means that both sides accept the same objects and store them with different values.
	Stored Effect = "stored"
	// Unknown means that the schemas do not show the effect.
	Unknown Effect = "unknown"
)

// Effects lists all effects.
func Effects() []Effect { return []Effect{Narrower, Wider, Other, Stored, Unknown} }

// Change is one difference between the schemas.
type Change struct {
	Effect Effect
	// Path is the field whose schema differs, such as "spec.ports[*].name"; empty for the root.
	Path string
	// Kind is the keyword that changed, or one of the Kind constants.
	Kind string
	// What describes the change, such as "maximum 10 → 5".
	What string
	// From and To are the texts of a reworded rule.
	From, To string
	// AddsDefault reports whether only B has a default. If the effect is Stored, both sides accept
	// the same requests and store the same values.
	AddsDefault bool
	// Examples are objects that show the change, one for each direction at most.
	Examples []Example

	errorType string // of the rejections that it causes; empty: any type
	says      string // in each of those rejections; empty: unknown
	saysNow   string // the same for B's rejections, if a rule was reworded
	rules     []writtenRule
}

// The kinds of changes that are not about a keyword.
const (
	KindField       = "field"             // a declared field was added or removed
	KindFields      = explore.OtherFields // other fields are accepted beside the declared ones
	KindRule        = "rule"              // a rule was added, removed or reworded
	KindUnexplained = "unexplained"       // objects show a change that the schemas do not explain
)

// Example is an object that one side accepts and the other rejects, or that they store
// differently.
type Example struct {
	// Effect is Wider if B accepts the object, Narrower if A does, and Stored if both do.
	Effect Effect
	// Object is the smallest object that was found.
	Object map[string]any
	// Old is the old object, which both accept, if the example is an update.
	Old map[string]any
	// StoredA and StoredB are the stored values at the path of the change if the effect is Stored.
	// There is no Rejection then.
	StoredA, StoredB map[string]any
	// OnceStored is set if the effect is Narrower and a definition stores the objects.
	OnceStored OnceStored
	// Rejection is why the other side rejects the object.
	Rejection
}

// Texts returns the known texts of the rejections of changes.
func Texts(changes []Change) []string {
	var texts []string
	for _, change := range changes {
		for _, text := range []string{change.says, change.saysNow} {
			if text != "" && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// sortChanges sorts changes by path, then by description.
func sortChanges(changes []Change) {
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.What, b.What), cmp.Compare(a.Effect, b.Effect))
	})
}

// Kinds lists the kinds of changes: keywords by name, then the others.
func Kinds() []string {
	var kinds []string
	for _, k := range keywords() {
		if k.name != openapi.XIntOrString && k.name != openapi.XValidations {
			kinds = append(kinds, k.name)
		}
	}
	return append(kinds, "items", "allOf", "anyOf", "oneOf", "not", "multipleOf", KindField, KindFields, KindRule, KindUnexplained)
}
