package declarative

import (
	"errors"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/cel"
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
// looked at: it refers to itself in a circle, or x-kubernetes-validations is no list
// of rules.
func Rules(schema *spec.Schema, opts Options) ([]RuleReport, error) {
	if schema == nil {
		return nil, errors.New("no schema whose rules could be reported")
	}
	var reports []RuleReport
	c := newCompiler(opts)
	c.reports = &reports
	_, err := c.compile(schema)
	slices.SortStableFunc(reports, func(a, b RuleReport) int { return strings.Compare(a.At, b.At) })
	return reports, err
}

// report reports on a rule that was compiled, with these mistakes.
func (c *compiler) report(env *cel.Env, p pendingRule, costs *costs, mistakes field.ErrorList) {
	report := RuleReport{At: p.at.String(), Rule: p.source.Rule, Mistakes: slices.Clone(mistakes)}
	spine := c.seen(p.node)
	rule, shape := p.source.rule(), c.shapes[spine]
	program, wrong := env.Compile(rule, shape)
	if program == nil {
		// The expression has a cost although something beside it is wrong.
		for _, m := range wrong {
			switch m.Field {
			case "messageExpression":
				rule.MessageExpression = ""
			case "optionalOldSelf":
				rule.OptionalOldSelf = false
			}
		}
		program, _ = env.Compile(rule, shape)
	}
	if program != nil {
		report.UsesOldSelf, report.Planned = program.UsesOldSelf, program.Planned()
		report.Cost, report.MessageCost = costs.of(p.node, program, shape), program.MaxMessageCost
	}
	*c.reports = append(*c.reports, report)
}
