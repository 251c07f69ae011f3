package declarative

import (
	"cmp"

	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/walk"
)

// Options says how a schema is compiled. The zero value is right for a native
// type without references.
type Options struct {
	// Definitions are what a "$ref" of "#/definitions/NAME" or
	// "#/components/schemas/NAME" finds under NAME. They may refer to each other,
	// in cycles too.
	Definitions map[string]*spec.Schema

	// Root says that the schema is of a resource's root: rules see apiVersion,
	// kind, metadata.name and metadata.generateName even where it does not declare
	// them.
	Root bool

	// Semantics chooses where KEP-4153 and today's API server differ.
	Semantics Semantics

	// Ratcheting says what an update does with errors at unchanged values.
	Ratcheting Ratcheting

	// Blocking says whether errors keep rules from running, with CustomResources.
	Blocking Blocking

	// Proposals says whether extensions that the API server does not know have an effect.
	Proposals Proposals

	// CompatibilityVersion is the version of Kubernetes whose CEL libraries rules
	// may use. Nil: all that there are, as for rules that were stored already.
	CompatibilityVersion *version.Version

	// Limits bound the cost of rules.
	Limits Limits

	// Coverage counts what each keyword and rule does to the objects that are validated. Nil:
	// nothing is counted, and nothing is paid for it.
	Coverage *Coverage

	// Estimation says whether a rule whose worst case is over budget is a mistake
	// of the schema.
	Estimation Estimation
}

// Semantics is how an error looks, and when rules run, where KEP-4153 and today's
// API server differ.
type Semantics uint8

const (
	// NativeTypes is KEP-4153: errors look like those of hand-written validation.
	// A bad format is Invalid; the key of a map stands in brackets (data[key]); an
	// error of a junctor or of a number's range is at its field; rules run whatever
	// else is wrong, and one that cannot be evaluated on a value that has other
	// errors is not reported, for these are the cause. Ratcheting treats all errors
	// alike: duplicates in lists, embedded resources and rules too, so that rules which
	// do not look at oldSelf are not run on what did not change, and cost nothing there. A
	// zero that x-kubernetes-strip-zero strips equals none. Each item of a set or a map that
	// equals an earlier one is a duplicate.
	NativeTypes Semantics = iota

	// CustomResources is what apiextensions-apiserver does: a bad format is
	// TypeInvalid; schema errors write the key of a map as a field (data.key), rules
	// and list types in brackets; errors of junctors and of a number's range have no
	// field; errors of the types NotSupported, Required, TooLong, TooMany and
	// TypeInvalid keep all rules from running, which an error of its own says. A
	// number is cut to an integer before it meets an enum of integers, and an integer is
	// the text of its code point to an enum of texts. A union of sets changes what the
	// rules after it see of the set. Of equal items the second alone is a duplicate. Embedded
	// resources are not ratcheted, lists of type set and map only if the old object has no
	// duplicates at all, and a map with entries that the schema does not know counts as changed.
	CustomResources
)

// Ratcheting says what an update does with errors at unchanged values (KEP-4008).
type Ratcheting uint8

const (
	// RatchetingOn drops errors at unchanged values, items of lists correlated by
	// their map keys. Rules that look at oldSelf always run.
	RatchetingOn Ratcheting = iota
	// RatchetingOff reports errors of an update as those of a create.
	RatchetingOff
)

// Blocking says whether errors of some types keep rules from running.
type Blocking uint8

const (
	// BlockingOn is what the API server does.
	BlockingOn Blocking = iota
	// BlockingOff runs rules whatever else is wrong. Use it if you validate values by
	// another schema and decide about rules yourself, as for an update of the status.
	BlockingOff
)

// Proposals says whether x-kubernetes-unions (KEP-2335), and of KEP-4153
// x-kubernetes-strip-zero, x-kubernetes-validation-errors (also spelled x-kubernetes-errors),
// the formats dns1123subdomain, dns1123label and dns1035label, and a messageExpression that
// gives a list have an effect. No release of the API server knows them: it drops the
// extensions from a CustomResourceDefinition, ignores the formats, and refuses the rule.
// Extensions and formats without an effect are in [Validator.Ignored].
type Proposals uint8

const (
	// ProposalsForNativeTypes gives them an effect with NativeTypes, and none with
	// CustomResources.
	ProposalsForNativeTypes Proposals = iota
	// ProposalsOn always gives them an effect.
	ProposalsOn
)

// Estimation says whether compiling estimates the cost of rules.
type Estimation uint8

const (
	// EstimationOn makes a rule whose worst case exceeds the API server's limit a
	// mistake of the schema, as the API server does for CRDs. Lists and maps without
	// maxItems and maxProperties count as long as a request can be.
	EstimationOn Estimation = iota
	// EstimationOff estimates nothing. The limits at run time still apply.
	EstimationOff
)

// Limits limit the cost of rules, in CEL's units. Zero is the API server's limit.
type Limits struct {
	// PerCall limits one evaluation of one rule.
	PerCall uint64
	// PerObject limits all evaluations of one Validate.
	PerObject int64
}

// graph gives what the compiler needs to know.
func (o Options) graph() graph.Options {
	made := graph.Options{
		Definitions: o.Definitions, Resource: o.Root, CustomResource: o.Semantics == CustomResources,
		Proposals: o.Semantics == NativeTypes || o.Proposals == ProposalsOn,
		Estimate:  o.Estimation == EstimationOn, Compatibility: o.CompatibilityVersion, PerCall: cmp.Or(o.Limits.PerCall, celconfig.PerCallLimit),
	}
	if o.Coverage != nil {
		made.Tally, made.CountedAt, made.Counted = o.Coverage.counts(), o.Coverage.at, o.Coverage.counted
	}
	return made
}

// walk gives what validation needs to know.
func (o Options) walk() walk.Options {
	return walk.Options{
		Tally:          o.Coverage.counts(),
		CustomResource: o.Semantics == CustomResources, Ratcheting: o.Ratcheting == RatchetingOn,
		Blocking: o.Blocking == BlockingOn, Budget: cmp.Or(o.Limits.PerObject, celconfig.RuntimeCELCostBudget),
	}
}
