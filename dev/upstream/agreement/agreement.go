package agreement

import (
	"context"
	"fmt"

	"github.com/diffrun/diffrun/dev/upstream/capture"
)

// Verdict is the result of comparing one call.
type Verdict uint8

const (
	// Equal means errors of the same types at the same fields, or the same value.
	Equal Verdict = iota
	// Refused means that neither side accepts the schema. Upstream reports it where it uses the
	// schema.
	Refused
	// Explained means different, for a known reason (reasons.go).
	Explained
	// Different means different, for an unknown reason.
	Different
)

func (v Verdict) String() string {
	return [...]string{"equal", "refused by both", "explained", "different"}[v]
}

// Way is how a call is compared.
type Way string

const (
	// Stage compares only what the function under test does.
	Stage Way = "stage"
	// Whole compares all stages of a validation.
	Whole Way = "whole"
	// Cost compares the cost of running rules.
	Cost Way = "cost"
	// Lines compares the answer of `diffrun validate --jsonl` to a line.
	Lines Way = "lines"
	// Checks compares the output of `diffrun schema check` for a file.
	Checks Way = "checks"
)

// Finding is the comparison of one call.
type Finding struct {
	Call *capture.Call
	Way  Way
	Verdict
	// Speaks reports whether there is something to compare: upstream returned an error, or changed
	// the value.
	Speaks bool
	// Exact reports whether details and bad values are equal, too.
	Exact bool
	// Want is upstream's result, Got this project's, for people.
	Want, Got string
	// Why is the reason of a difference that is explained.
	Why string
}

// comparison is the result of a comparer.
type comparison struct {
	want, got outcome
	// apart is the reason why this call cannot be compared; empty if it was compared.
	apart string
}

// comparer compares the calls of one function in one way.
type comparer struct {
	function string
	way      Way
	compare  func(ctx context.Context, c *capture.Call) (comparison, error)
}

// comparers returns all comparisons, in the order in which they are reported.
func comparers() []comparer {
	return []comparer{
		{"ValidateCustomResource", Stage, schemaStage},
		{"ValidateCustomResourceUpdate", Stage, schemaStage},
		{"RatchetingSchemaValidator.ValidateUpdate", Stage, schemaStage},
		{"ValidateListSetsAndMaps", Stage, listStage},
		{"objectmeta.Validate", Stage, embeddedStage},
		{"cel.Validate", Stage, ruleStage},
		{"cel.Validate", Cost, ruleCost},
		{"ValidateCustomResource", Whole, whole},
		{"ValidateCustomResourceUpdate", Whole, whole},
		{"RatchetingSchemaValidator.ValidateUpdate", Whole, whole},
		{"ValidateListSetsAndMaps", Whole, whole},
		{"objectmeta.Validate", Whole, whole},
		{"cel.Validate", Whole, whole},
		{"strategy.Validate", Stage, strategyCreate},
		{"strategy.ValidateUpdate", Stage, strategyUpdate},
		{"statusStrategy.ValidateUpdate", Stage, statusUpdate},
		{"strategy.PrepareForUpdate", Stage, prepareUpdate},
		{"statusStrategy.PrepareForUpdate", Stage, prepareStatusUpdate},
		{"Prune", Stage, prune},
		{"Coerce", Stage, coerce},
		{"GetObjectMeta", Stage, metadata},
		{"PruneNonNullableNullsWithoutDefaults", Stage, pruneNulls},
		{"Default", Stage, fillDefaults},
		{"PruneDefaults", Stage, pruneDefaults},
		{"ValidateCustomResourceDefinition", Whole, definitionAsSent},
		{"ValidateCustomResourceDefinitionUpdate", Whole, definitionAsSent},
		{"cel.Compile", Stage, compileRules},
		{"ValidFieldPath", Stage, rulePath},
	}
}

// Report is the result of comparing calls.
type Report struct {
	Findings []Finding
	// Apart counts, by function and reason, the calls that could not be compared.
	Apart map[string]int
}

// Compare compares all calls. An error means that the captured calls cannot be read.
func Compare(ctx context.Context, calls []*capture.Call) (*Report, error) {
	report := &Report{Apart: map[string]int{}}
	known := map[string]bool{}
	for _, c := range comparers() {
		known[c.function] = true
		for _, call := range calls {
			if call.Function != c.function {
				continue
			}
			found, err := c.compare(ctx, call)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", call.Function, call.Test, err)
			}
			report.add(call, c.way, found)
		}
	}
	for _, call := range calls {
		if !known[call.Function] {
			report.Apart[call.Function+": compared as a part of the call that it is inside of"]++
		}
	}
	return report, nil
}

func (r *Report) add(call *capture.Call, way Way, found comparison) {
	if found.apart != "" {
		r.Apart[fmt.Sprintf("%s (%s): %s", call.Function, way, found.apart)]++
		return
	}
	finding := Finding{
		Call: call, Way: way, Speaks: found.want.speaks(),
		Want: found.want.String(), Got: found.got.String(),
		Exact: found.want.exactly(found.got),
	}
	switch {
	case found.want.refused && found.got.refused:
		finding.Verdict = Refused
	case !found.want.equal(found.got):
		finding.Verdict = Different
		if r := reasonFor(call, found.want, found.got); r != nil {
			finding.Verdict, finding.Why = Explained, r.String()
		}
	}
	r.Findings = append(r.Findings, finding)
}

// Merge adds the content of a second report.
func (r *Report) Merge(other *Report) {
	r.Findings = append(r.Findings, other.Findings...)
	for why, count := range other.Apart {
		r.Apart[why] += count
	}
}
