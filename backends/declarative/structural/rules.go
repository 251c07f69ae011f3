package structural

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/cel"
	"github.com/diffrun/diffrun/backends/declarative/structural/openapi"
)

// What the cost mistakes of package declarative begin with, and from which cost on
// the API server names a rule when the sum of all is over its limit.
const (
	ruleCost    = "estimated rule cost"
	messageCost = "estimated messageExpression cost"
	totalCost   = "estimated cost of all rules"

	dearRule  = 1_000_000
	dearRules = 4
)

// ruleMistakes are the mistakes that compiling a schema finds in its rules, by their
// place in the schema.
type ruleMistakes struct {
	root   *field.Path
	byRule map[string]field.ErrorList // "…x-kubernetes-validations[i]"
	total  *field.Error
	// blocked says that some rules are not judged because the schema around them has
	// mistakes. What all rules cost together is not known then.
	blocked bool
	dear    []dear
	parser  *celgo.Env
}

// dear is a rule that costs much, with the cost in CEL's units.
type dear struct {
	at   *field.Path
	cost uint64
}

// compileRules compiles the rules of a resource's schema with the libraries that the
// API server lets new rules use. The error is a fault: the rules cannot be judged.
func compileRules(schema *spec.Schema, root *field.Path) (*ruleMistakes, error) {
	parser, err := celgo.NewEnv(celgo.OptionalTypes())
	if err != nil {
		return nil, err
	}
	m := &ruleMistakes{root: root, byRule: map[string]field.ErrorList{}, parser: parser}
	_, err = declarative.Compile(schema, declarative.Options{
		Root: true, Semantics: declarative.CustomResources, CompatibilityVersion: environment.DefaultCompatibilityVersion(),
	})
	var mistakes *declarative.SchemaError
	if err != nil && !errors.As(err, &mistakes) {
		return nil, err
	}
	if mistakes == nil {
		return m, nil
	}
	for _, e := range mistakes.Errors {
		if strings.HasPrefix(e.Detail, totalCost) {
			m.total = e
		}
		if at, _, ok := cutRule(e.Field); ok {
			m.byRule[at] = append(m.byRule[at], e)
		}
	}
	return m, nil
}

// cutRule parts the path of a mistake into that of the rule and the field in it.
func cutRule(path string) (rule, part string, ok bool) {
	dot := strings.LastIndexByte(path, '.')
	if dot < 0 || !strings.HasSuffix(path[:dot], "]") {
		return "", "", false
	}
	rule, part = path[:dot], path[dot+1:]
	open := strings.LastIndexByte(rule, '[')
	return rule, part, open >= 0 && strings.HasSuffix(rule[:open], "x-kubernetes-validations")
}

// of are the mistakes in the i-th rule of the schema at a place.
func (m *ruleMistakes) of(at *field.Path, i int) field.ErrorList {
	path := at.Child("x-kubernetes-validations").Index(i).String()
	if m.root != nil {
		path = strings.TrimPrefix(strings.TrimPrefix(path, m.root.String()), ".")
	}
	return m.byRule[path]
}

// fieldPath reports a fieldPath that leads to no field. That is a mistake of the
// schema and not of the rule.
func (m *ruleMistakes) fieldPath(f *found, at *field.Path, i int, rule openapi.Rule) {
	for _, e := range m.of(at, i) {
		if _, part, _ := cutRule(e.Field); part == "fieldPath" {
			f.add(field.Invalid(at.Child("x-kubernetes-validations").Index(i).Child("fieldPath"), rule.FieldPath, "must be a valid path: "+e.Detail))
		}
	}
}

// blind says that rules cannot see the values of a schema because it has no type.
func (m *ruleMistakes) blind(at *field.Path) bool {
	return slices.ContainsFunc(m.of(at, 0), func(e *field.Error) bool { return e.Detail == cel.ErrNoType.Error() })
}

// judge reports what is wrong with a rule in a schema without mistakes.
func (m *ruleMistakes) judge(f *found, at *field.Path, i int, rule openapi.Rule, uncorrelatable *field.Path) {
	where := at.Child("x-kubernetes-validations").Index(i)
	mistakes := m.of(at, i)
	broken := slices.ContainsFunc(mistakes, func(e *field.Error) bool {
		_, part, _ := cutRule(e.Field)
		return part == "rule" && !strings.HasPrefix(e.Detail, ruleCost)
	})
	for _, e := range mistakes {
		_, part, _ := cutRule(e.Field)
		switch {
		case strings.HasPrefix(e.Detail, ruleCost), strings.HasPrefix(e.Detail, messageCost):
			f.rules = append(f.rules, field.Forbidden(where.Child(part), e.Detail))
			m.observe(where.Child(part), e.Detail)
		case part == "rule", part == "messageExpression" && !broken:
			f.rules = append(f.rules, field.Invalid(where.Child(part), rule, e.Detail))
		}
	}
	if broken {
		return
	}
	switch {
	case m.usesOldSelf(rule.Rule):
		if uncorrelatable != nil {
			f.rules = append(f.rules, field.Invalid(where.Child("rule"), rule.Rule, fmt.Sprintf("oldSelf cannot be used on the uncorrelatable portion of the schema within %v", uncorrelatable)))
		}
	case rule.OptionalOldSelf != nil:
		f.rules = append(f.rules, field.Invalid(where.Child("optionalOldSelf"), *rule.OptionalOldSelf, "may not be set if oldSelf is not used in rule"))
	}
}

func (m *ruleMistakes) observe(at *field.Path, detail string) {
	var cost uint64
	for _, prefix := range []string{ruleCost, messageCost} {
		if rest, ok := strings.CutPrefix(detail, prefix); ok {
			if _, err := fmt.Sscan(rest, &cost); err == nil && cost >= dearRule {
				m.dear = append(m.dear, dear{at, cost})
			}
		}
	}
}

// overall reports that all rules together cost too much, and the dearest ones.
func (m *ruleMistakes) overall() field.ErrorList {
	if m == nil || m.total == nil || m.blocked {
		return nil
	}
	slices.SortStableFunc(m.dear, func(a, b dear) int { return cmp.Compare(b.cost, a.cost) })
	var errs field.ErrorList
	for _, one := range m.dear[:min(dearRules, len(m.dear))] {
		errs = append(errs, field.Forbidden(one.at, "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"))
	}
	return append(errs, field.Forbidden(m.root, m.total.Detail))
}

// usesOldSelf says that an expression names oldSelf.
func (m *ruleMistakes) usesOldSelf(expression string) bool {
	parsed, issues := m.parser.Parse(expression)
	if issues.Err() != nil {
		// Macros of libraries are not known here; the name alone decides.
		return strings.Contains(expression, "oldSelf")
	}
	uses := false
	ast.PreOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		uses = uses || (e.Kind() == ast.IdentKind && e.AsIdent() == "oldSelf")
	}))
	return uses
}
