package diff

import (
	"cmp"
	"context"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
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
	// bare reports whether objects have no metadata, such as the options of a request.
	bare bool
	// failed reports whether a value of an object fails a keyword that the schema has at one of
	// some places.
	failed func(ctx context.Context, object map[string]any, declared []string) bool
	// Stored returns an object as it is stored: without unknown fields, with defaults.
	Stored func(object map[string]any) map[string]any
}

// Effect is the effect of a change on the accepted objects.
type Effect string

const (
	// Wider: B accepts what A rejects.
	Wider Effect = "wider"
	// Narrower: B rejects what A accepts.
	Narrower Effect = "narrower"
	// Other: B accepts some of what A rejects, and the reverse.
	Other Effect = "other"
	// Stored: both accept the same objects, but store them with different values.
	Stored Effect = "stored"
	// Unknown: the schemas do not show it.
	Unknown Effect = "unknown"
)

// Effects lists all effects.
func Effects() []Effect { return []Effect{Narrower, Wider, Other, Stored, Unknown} }

// Change is one difference between the schemas.
type Change struct {
	Effect Effect
	// Path is the field whose schema differs, as in "spec.ports[*].name"; empty: the
	// root.
	Path string
	// Kind is the keyword that changed, or one of the other Kinds.
	Kind string
	// What describes the change, as in "maximum 10 → 5".
	What string
	// From and To are the texts of a rule that was reworded.
	From, To string
	// AddsDefault reports whether B has a default and A has none. If the effect is Stored, no
	// accepted request is rejected, and no stored value differs.
	AddsDefault bool
	// Examples are objects that show the change, one for each direction at most.
	Examples []Example

	errorType string // of the rejections that it makes; empty: any
	says      string // in each of those rejections; empty: that is not known
	saysNow   string // the same for those that B makes, if a rule was reworded
	rules     []writtenRule
}

// The kinds of changes apart from keywords.
const (
	KindField       = "field"       // a declared field came or went
	KindFields      = "fields"      // which fields may stand beside the declared ones
	KindRule        = "rule"        // a rule came, went or was reworded
	KindUnexplained = "unexplained" // objects show it, and the schemas do not say why
)

// Example is an object that one side accepts and the other rejects, or that they store
// differently.
type Example struct {
	// Effect is Wider where B accepts the object, Narrower where A does, and Stored where
	// both do.
	Effect Effect
	// Object is the smallest one that was found.
	Object map[string]any
	// Old is the object before, which both accept, if the example is an update.
	Old map[string]any
	// StoredA and StoredB are the stored values on the path of the change if the effect is Stored;
	// then there is no Rejection.
	StoredA, StoredB map[string]any
	// Rejection is the rejection by the other side.
	Rejection
}

// Texts returns the texts of the rejections of changes, as far as they are known.
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

// sortChanges puts changes in order: by path, then by what they are.
func sortChanges(changes []Change) {
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.What, b.What), cmp.Compare(a.Effect, b.Effect))
	})
}

// Kinds lists the kinds of changes: keywords by name, and the others.
func Kinds() []string {
	var kinds []string
	for _, k := range keywords() {
		if k.name != "x-kubernetes-int-or-string" && k.name != "x-kubernetes-validations" {
			kinds = append(kinds, k.name)
		}
	}
	return append(kinds, "items", "allOf", "anyOf", "oneOf", "not", "multipleOf", KindField, KindFields, KindRule, KindUnexplained)
}
