package declarative

import (
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
)

// RuleReport is what compiling finds out about one rule of a schema.
type RuleReport struct {
	// At is the place of the rule in the schema, as in
	// "properties[spec].x-kubernetes-validations[2]".
	At string
	// Rule is its expression.
	Rule string
	// UsesOldSelf says that it is a transition rule. It is false for a rule that does
	// not compile.
	UsesOldSelf bool
	// Planned says that the rule has a plan that proves it true where it is. All else of
	// it, and rules without one, run on cel-go.
	Planned bool
	// ListMessage says that its messageExpression gives a list, each text of which is an error
	// (KEP-4153, "CEL Validation"). The API server takes single texts alone.
	ListMessage bool
	// Cost is the estimated worst case of all evaluations of the rule on one object, in
	// CEL's units; MessageCost that of its messageExpression, once. An expression that
	// does not compile costs nothing.
	Cost, MessageCost uint64
	// Mistakes are those of Compile in this rule.
	Mistakes field.ErrorList
}

// Rules compiles a schema as Compile does and reports on each of its rules, those in
// definitions too, ordered by their place as text. It is for a caller who judges schemas:
// what each rule costs decides which of them to name when all together cost too much
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation, TotalCost).
// Costs are reported with EstimationOff too.
//
// The error is that of Compile. When it is a *SchemaError the reports are given
// nevertheless, except where the schema is wrong such that its rules cannot be
// looked at: it refers to itself in a circle, or x-kubernetes-validations is not a list
// of rules.
func Rules(schema *spec.Schema, opts Options) ([]RuleReport, error) {
	if schema == nil {
		return nil, errors.New("no schema whose rules could be reported")
	}
	reports, mistakes := graph.ReportRules(schema, opts.graph())
	public := make([]RuleReport, len(reports))
	for i, report := range reports {
		public[i] = RuleReport(report)
	}
	if len(mistakes) > 0 {
		return public, &SchemaError{Errors: mistakes}
	}
	return public, nil
}
