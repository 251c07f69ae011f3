package graph

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel"
)

// RuleFacts describes one compiled rule; see declarative.RuleReport.
type RuleFacts struct {
	At                   string
	Rule                 string
	UsesOldSelf, Planned bool
	ListMessage          bool
	Cost, MessageCost    uint64
	Mistakes             field.ErrorList
}

// ReportRules compiles a schema and describes its rules, ordered by place.
func ReportRules(schema *spec.Schema, opts Options) ([]RuleFacts, field.ErrorList) {
	var reports []RuleFacts
	c := newCompiler(opts)
	c.reports = &reports
	c.compile(schema)
	slices.SortStableFunc(reports, func(a, b RuleFacts) int { return strings.Compare(a.At, b.At) })
	return reports, c.mistakes
}

// report describes a compiled rule and its mistakes.
func (c *compiler) report(env *cel.Env, p pendingRule, costs *costs, mistakes field.ErrorList) {
	report := RuleFacts{At: p.at.String(), Rule: p.source.Rule, Mistakes: slices.Clone(mistakes)}
	declaring := c.seen(p.node)
	rule, typ := p.source.rule(), declaring.typ
	program, wrong := env.Compile(rule, typ)
	if program == nil {
		// The expression has a cost even if another field of the rule is wrong.
		for _, m := range wrong {
			switch m.Field {
			case "messageExpression":
				rule.MessageExpression = ""
			case "optionalOldSelf":
				rule.OptionalOldSelf = false
			}
		}
		program, _ = env.Compile(rule, typ)
	}
	if program != nil {
		report.UsesOldSelf, report.Planned, report.ListMessage = program.UsesOldSelf, program.Planned(), program.ListMessage
		report.Cost, report.MessageCost = costs.total(p.node, program, typ), program.MaxMessageCost
	}
	*c.reports = append(*c.reports, report)
}
