package declarative

import (
	"cmp"

	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/walk"
	"github.com/diffrun/diffrun/backends/declarative/tally"
)

// Options controls how a schema is compiled. The zero value is right for a native type without
// references.
type Options struct {
	// Definitions are the targets of "#/definitions/NAME" and "#/components/schemas/NAME", by NAME. They
	// may refer to each other, also in cycles.
	Definitions map[string]*spec.Schema

	// Root marks the schema of a whole resource: rules see apiVersion, kind, metadata.name and
	// metadata.generateName even if it does not declare them.
	Root bool

	// Semantics chooses where KEP-4153 and today's API server differ.
	Semantics Semantics

	// WithoutRatcheting reports the errors of an update like those of a create. By default, an update
	// does not report errors at unchanged values (KEP-4008): items of lists are correlated by their map
	// keys, and rules that use oldSelf always run.
	WithoutRatcheting bool

	// WithoutBlocking runs rules even if other errors keep the API server from running them, with
	// CustomResources. Use it if you validate values by another schema and decide about rules yourself,
	// as for an update of the status.
	WithoutBlocking bool

	// Proposals enables, with CustomResources too, what no release of the API server knows:
	// x-kubernetes-unions (KEP-2335), and of KEP-4153 x-kubernetes-strip-zero,
	// x-kubernetes-validation-errors (also spelled x-kubernetes-errors), the formats dns1123subdomain,
	// dns1123label and dns1035label, and a messageExpression that returns a list. The API server drops
	// the extensions from a CustomResourceDefinition, ignores the formats, and refuses the rule.
	// Extensions and formats without an effect are in [Validator.Ignored].
	Proposals bool

	// CompatibilityVersion is the version of Kubernetes whose CEL libraries rules
	// may use. Nil allows all libraries, as for rules that were stored already.
	CompatibilityVersion *version.Version

	// Limits limit the cost of rules.
	Limits Limits

	// Coverage counts what each keyword and rule does to the validated objects. If it is nil, nothing
	// is counted, at no cost.
	Coverage *tally.Coverage

	// WithoutEstimation does not estimate the cost of rules. By default, a rule whose worst case exceeds
	// the API server's limit is a mistake of the schema, as in a CustomResourceDefinition; lists and maps
	// without maxItems and maxProperties count as large as a request can be. The limits at run time
	// always apply.
	WithoutEstimation bool
}

// Semantics defines what errors look like and when rules run, where KEP-4153 and today's API server
// differ.
type Semantics uint8

const (
	// NativeTypes follows KEP-4153: errors look like those of hand-written validation. A bad format is
	// Invalid; the key of a map is in brackets (data[key]); an error of a junctor or of a number's range
	// is at its field. Rules run even if other errors exist, and a rule that cannot be evaluated on a
	// value with other errors is not reported, because they are the cause. Ratcheting treats all errors
	// alike, including those of duplicates in lists, embedded resources and rules, so rules without
	// oldSelf do not run on unchanged values. A zero that x-kubernetes-strip-zero strips equals an absent
	// value. Each item of a set or a map that equals an earlier one is a duplicate.
	NativeTypes Semantics = iota

	// CustomResources follows apiextensions-apiserver: a bad format is TypeInvalid; the key of a map is a
	// field in schema errors (data.key), and in brackets in errors of rules and list types; errors of
	// junctors and of a number's range have no field. Errors of the types NotSupported, Required,
	// TooLong, TooMany and TypeInvalid keep all rules from running, which one more error reports. A number
	// is cut to an integer before it is compared with an enum of integers, and an integer matches an enum
	// of texts by its code point. A union of sets changes how later rules see the set. Only the second of
	// several equal items is a duplicate. Embedded resources are not ratcheted, lists of type set and map
	// only if the old object has no duplicates at all, and a map with undeclared entries counts as changed.
	CustomResources
)

// Limits limit the cost of rules, in CEL's units. Zero is the API server's limit.
type Limits struct {
	// PerCall limits one evaluation of one rule.
	PerCall uint64
	// PerObject limits all evaluations of one Validate.
	PerObject int64
}

// graph returns the options of the compiler.
func (o Options) graph() graph.Options {
	made := graph.Options{
		Definitions: o.Definitions, Resource: o.Root, CustomResource: o.Semantics == CustomResources,
		Proposals: o.Semantics == NativeTypes || o.Proposals,
		Estimate:  !o.WithoutEstimation, Compatibility: o.CompatibilityVersion, PerCall: cmp.Or(o.Limits.PerCall, celconfig.PerCallLimit),
	}
	if o.Coverage != nil {
		made.Tally = o.Coverage.Tally()
		made.CountedAt, made.Counted = o.Coverage.At()
	}
	return made
}

// walk returns the options of validation.
func (o Options) walk() walk.Options {
	return walk.Options{
		Tally:          o.Coverage.Tally(),
		CustomResource: o.Semantics == CustomResources, Ratcheting: !o.WithoutRatcheting,
		Blocking: !o.WithoutBlocking, Budget: cmp.Or(o.Limits.PerObject, celconfig.RuntimeCELCostBudget),
	}
}
