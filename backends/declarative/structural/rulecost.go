package structural

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Texts of the API server about rules that are too expensive together.
const (
	contributed = "contributed to estimated rule cost total"
	totalCost   = "estimated rule cost total"
)

// costOrigin returns the origin of an error of the API server about the cost of rules; "" for other errors. It
// forbids an expression only because of its cost, and names the total in a text alone
// (apiextensions/validation, validateCustomResourceDefinitionValidation).
func (r *root) costOrigin(e *field.Error) string {
	switch {
	case e.Type != field.ErrorTypeForbidden:
		return ""
	case strings.HasPrefix(e.Detail, contributed), e.Field == r.at.String() && strings.Contains(e.Detail, totalCost):
		return openapi.OriginTotalCost
	case strings.Contains(e.Field, openapi.XValidations+"["):
		return openapi.OriginRuleCost
	}
	return ""
}

// explainRule sets the text of an error of a rule to that of the validator's own compiler.
func (r *root) explainRule(place string, e *field.Error) {
	rule, part := splitRule(place)
	for _, mistake := range r.rules()[rule].Mistakes {
		_, of := splitRule(mistake.Field)
		switch {
		case of != part:
		case part == "fieldPath" && e.Detail == "must be a valid path":
			e.Detail += ": " + mistake.Detail
			return
		case part != "fieldPath" && openapi.IsCost(mistake) == openapi.IsCost(e) && e.Type != field.ErrorTypeRequired:
			e.Detail = mistake.Detail
			return
		}
	}
}

// splitRule splits the place of a field of a rule into the place of the rule and the field.
func splitRule(place string) (rule, part string) {
	dot := strings.LastIndexByte(place, '.')
	if dot < 0 {
		return place, ""
	}
	return place[:dot], place[dot+1:]
}

// rules returns the reports on the rules of the schema, by place; none if they cannot be compiled.
func (r *root) rules() map[string]declarative.RuleReport {
	if r.reports != nil {
		return r.reports
	}
	r.reports = map[string]declarative.RuleReport{}
	if r.spec() == nil {
		return r.reports
	}
	reports, _ := declarative.Rules(r.spec(), declarative.Options{
		Root: true, Semantics: declarative.CustomResources, CompatibilityVersion: environment.DefaultCompatibilityVersion(),
	}) // an error is about the schema, which the API server has judged
	for _, report := range reports {
		r.reports[report.At] = report
	}
	return r.reports
}

// expensiveRule is a rule or message with its cost in CEL's units.
type expensiveRule struct {
	at   string
	cost uint64
}

// How many rules the API server names when all together cost too much, and from which cost on.
const (
	mostNamed     = 4
	expensiveFrom = validation.StaticEstimatedCRDCostLimit / 100
)

// total explains the error that all rules together cost too much, and returns an error for each of
// the most expensive ones.
func (r *root) total(e *field.Error, errs field.ErrorList) field.ErrorList {
	var sum uint64
	var expensive []expensiveRule
	add := func(at string, cost uint64) {
		if sum += cost; sum < cost {
			sum = math.MaxUint64
		}
		if cost >= expensiveFrom {
			expensive = append(expensive, expensiveRule{at, cost})
		}
	}
	for _, place := range slices.Sorted(maps.Keys(r.rules())) {
		if report := r.rules()[place]; r.judged(place, errs) {
			at := r.at.String() + "." + place
			add(at+".rule", report.Cost)
			add(at+".messageExpression", report.MessageCost)
		}
	}
	if sum <= validation.StaticEstimatedCRDCostLimit {
		return nil // the API server could compile more rules
	}
	help := "simplify them, or set maxItems, maxProperties and maxLength where a list, map or string that they read, or are in, has none"
	if slices.ContainsFunc(errs, func(e *field.Error) bool {
		return r.costOrigin(e) == openapi.OriginRuleCost && fieldpath.AtOrBelow(e.Field, r.at.String())
	}) {
		help = "correct the rules first that are over their own limit"
	}
	const limit = validation.StaticEstimatedCRDCostLimit
	e.Detail = fmt.Sprintf("estimated cost of all rules %d is over the limit of %d (%.1f times): %s", sum, limit, float64(sum)/limit, help)
	slices.SortStableFunc(expensive, func(a, b expensiveRule) int { return cmp.Compare(b.cost, a.cost) })
	var named field.ErrorList
	for _, rule := range expensive[:min(mostNamed, len(expensive))] {
		named = append(named, &field.Error{
			Type: field.ErrorTypeForbidden, Field: rule.at, Detail: contributed + " exceeding cost limit for entire OpenAPIv3 schema",
			Origin: openapi.OriginTotalCost,
		})
	}
	return named
}

// judged reports whether the API server compiled the rules at a place: it skips those of a schema
// with errors other than those of rules.
func (r *root) judged(place string, errs field.ErrorList) bool {
	of, _, _ := strings.Cut(place, openapi.XValidations+"[")
	schemaAt := strings.TrimSuffix(r.at.String()+"."+of, ".")
	return !slices.ContainsFunc(errs, func(e *field.Error) bool {
		if e.Field == schemaAt || !fieldpath.AtOrBelow(e.Field, schemaAt) {
			return false
		}
		rule, part := splitRule(e.Field)
		inRule := strings.HasSuffix(rule, "]") && strings.Contains(rule[strings.LastIndexByte(rule, '.')+1:], openapi.XValidations+"[")
		ofRule := inRule && e.Type != field.ErrorTypeRequired &&
			slices.Contains([]string{"rule", "messageExpression", "optionalOldSelf"}, part)
		return !ofRule && !strings.HasSuffix(e.Field, openapi.XValidations)
	})
}
