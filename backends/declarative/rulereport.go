package declarative

import (
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
)

// RuleReport describes one compiled rule of a schema.
type RuleReport struct {
	// At is the place of the rule in the schema, as in
	// "properties[spec].x-kubernetes-validations[2]".
	At string
	// Rule is its expression.
	Rule string
	// UsesOldSelf is true for a transition rule, and false for a rule that does not compile.
	UsesOldSelf bool
	// Planned is true if the rule has a plan, which can prove it true. If it does not, and for rules
	// without a plan, cel-go runs the rule.
	Planned bool
	// ListMessage is true if the messageExpression returns a list, each text of which is an error
	// (KEP-4153, "CEL Validation"). The API server accepts only single texts.
	ListMessage bool
	// Cost is the estimated worst case of all evaluations of the rule on one object, in
	// CEL's units; MessageCost is that of one evaluation of its messageExpression. An expression that
	// does not compile costs nothing.
	Cost, MessageCost uint64
	// Mistakes are the mistakes of this rule that Compile reports.
	Mistakes field.ErrorList
}

// Rules compiles a schema like Compile and reports on each of its rules, including those in definitions,
// ordered by their place as text. Callers that check schemas need the cost of each rule to name the most
// expensive ones if all rules together cost too much
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation, TotalCost). Costs are reported with
// WithoutEstimation too.
//
// The error is that of Compile. If it is a *SchemaError, the reports are returned as well, unless the rules
// cannot be read: the schema refers to itself in a circle, or x-kubernetes-validations is not a list of
// rules.
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
