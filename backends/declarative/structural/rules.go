package structural

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/openapi"
)

// What the cost mistakes of package declarative begin with, the API server's limit of
// what all rules may cost, and from which cost on it names a rule when they are over it.
const (
	ruleCost    = "estimated rule cost"
	messageCost = "estimated messageExpression cost"

	totalLimit = 100_000_000
	dearRule   = totalLimit / 100
	dearRules  = 4
)

// judgedRules are the rules of a schema by place, and the total cost of those that were judged.
type judgedRules struct {
	root    *field.Path
	byPlace map[string]declarative.RuleReport // "…x-kubernetes-validations[i]"
	total   uint64
	dear    []dear
	over    bool // a rule costs too much alone
	// unchanged says that the schema is stored already: no rule costs too much alone.
	unchanged bool
}

// dear is an expensive rule, with its cost in CEL's units.
type dear struct {
	at   *field.Path
	cost uint64
}

// compileRules compiles the rules of a resource's schema with the libraries that the
// API server lets new rules use. The error is a fault: the rules cannot be judged.
//
// Those that an old definition has may use all libraries that the API server knows.
func compileRules(schema *spec.Schema, root *field.Path, old tolerated) (*judgedRules, error) {
	reports, err := rulesOf(schema, environment.DefaultCompatibilityVersion())
	if err != nil {
		return nil, err
	}
	m := &judgedRules{root: root, byPlace: make(map[string]declarative.RuleReport, len(reports))}
	known := false
	for _, r := range reports {
		m.byPlace[r.At] = r
		known = known || (old.rules[r.Rule] && len(r.Mistakes) > 0)
	}
	if !known {
		return m, nil
	}
	reports, err = rulesOf(schema, version.MajorMinor(math.MaxInt32, 0))
	for _, r := range reports {
		if old.rules[r.Rule] {
			m.byPlace[r.At] = r
		}
	}
	return m, err
}

// rulesOf compiles the rules of a schema with the libraries of a version. The error is
// a fault.
func rulesOf(schema *spec.Schema, compatible *version.Version) ([]declarative.RuleReport, error) {
	reports, err := declarative.Rules(schema, declarative.Options{
		Root: true, Semantics: declarative.CustomResources, CompatibilityVersion: compatible,
	})
	var mistakes *declarative.SchemaError
	if err != nil && !errors.As(err, &mistakes) {
		return nil, err
	}
	return reports, nil
}

// partOfRule gives the field of a rule that a mistake is about.
func partOfRule(path string) (part string, ok bool) {
	dot := strings.LastIndexByte(path, '.')
	if dot < 0 || !strings.HasSuffix(path[:dot], "]") {
		return "", false
	}
	rule := path[:dot]
	open := strings.LastIndexByte(rule, '[')
	return path[dot+1:], open >= 0 && strings.HasSuffix(rule[:open], "x-kubernetes-validations")
}

// of returns the report on the i-th rule of the schema at a place.
func (m *judgedRules) of(at *field.Path, i int) declarative.RuleReport {
	path := at.Child("x-kubernetes-validations").Index(i).String()
	if m.root != nil {
		path = strings.TrimPrefix(strings.TrimPrefix(path, m.root.String()), ".")
	}
	return m.byPlace[path]
}

// fieldPath reports a fieldPath that leads to no field. That is a mistake of the
// schema and not of the rule.
func (m *judgedRules) fieldPath(f *found, at *field.Path, i int, rule openapi.Rule) {
	for _, e := range m.of(at, i).Mistakes {
		if part, _ := partOfRule(e.Field); part == "fieldPath" {
			f.add(field.Invalid(at.Child("x-kubernetes-validations").Index(i).Child("fieldPath"), rule.FieldPath, "must be a valid path: "+e.Detail))
		}
	}
}

// seenByRules reports whether rules can see the values of a schema
// (k8s.io/apiserver/pkg/cel/common, SchemaDeclType).
func seenByRules(s *spec.Schema) bool {
	if is, _ := s.Extensions.GetBool("x-kubernetes-int-or-string"); is {
		return true
	}
	switch typeOf(s) {
	case "array":
		return s.Items != nil && s.Items.Schema != nil && seenByRules(s.Items.Schema)
	case "object":
		return s.AdditionalProperties == nil || s.AdditionalProperties.Schema == nil || seenByRules(s.AdditionalProperties.Schema)
	case "string", "boolean", "number", "integer":
		return true
	}
	return false
}

// judge reports what is wrong with a rule in a schema without mistakes.
func (m *judgedRules) judge(f *found, at *field.Path, i int, rule openapi.Rule, uncorrelatable *field.Path) {
	where := at.Child("x-kubernetes-validations").Index(i)
	report := m.of(at, i)
	broken := slices.ContainsFunc(report.Mistakes, func(e *field.Error) bool {
		part, _ := partOfRule(e.Field)
		return part == "rule" && !strings.HasPrefix(e.Detail, ruleCost)
	})
	for _, e := range report.Mistakes {
		part, _ := partOfRule(e.Field)
		switch {
		case strings.HasPrefix(e.Detail, ruleCost), strings.HasPrefix(e.Detail, messageCost):
			if m.unchanged {
				continue
			}
			m.over = true
			f.rules = append(f.rules, field.Forbidden(where.Child(part), e.Detail))
		case part == "rule", part == "messageExpression" && !broken:
			f.rules = append(f.rules, field.Invalid(where.Child(part), rule, e.Detail))
		}
	}
	if broken {
		return
	}
	m.observe(where.Child("rule"), report.Cost)
	m.observe(where.Child("messageExpression"), report.MessageCost)
	switch {
	case report.UsesOldSelf:
		if uncorrelatable != nil {
			f.rules = append(f.rules, field.Invalid(where.Child("rule"), rule.Rule, fmt.Sprintf("oldSelf cannot be used on the uncorrelatable portion of the schema within %v", uncorrelatable)))
		}
	case rule.OptionalOldSelf != nil:
		f.rules = append(f.rules, field.Invalid(where.Child("optionalOldSelf"), *rule.OptionalOldSelf, "may not be set if oldSelf is not used in rule"))
	}
}

// observe adds a rule to the total cost.
func (m *judgedRules) observe(at *field.Path, cost uint64) {
	if m.total += cost; m.total < cost {
		m.total = math.MaxUint64
	}
	if cost >= dearRule {
		m.dear = append(m.dear, dear{at, cost})
	}
}

// overall reports that all rules together cost too much, and the dearest ones.
func (m *judgedRules) overall() field.ErrorList {
	if m == nil || m.total <= totalLimit {
		return nil
	}
	slices.SortStableFunc(m.dear, func(a, b dear) int { return cmp.Compare(b.cost, a.cost) })
	var errs field.ErrorList
	for _, one := range m.dear[:min(dearRules, len(m.dear))] {
		errs = append(errs, field.Forbidden(one.at, "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"))
	}
	help := "simplify them, or set maxItems, maxProperties and maxLength where a list, map or string that they look at, or are in, has none"
	if m.over {
		help = "correct the rules first that are over their own limit"
	}
	return append(errs, field.Forbidden(m.root, fmt.Sprintf("estimated cost of all rules %d is over the limit of %d (%.1f times): %s", m.total, totalLimit, float64(m.total)/totalLimit, help)))
}
