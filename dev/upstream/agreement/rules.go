package agreement

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/dev/upstream/capture"
)

// ruleCost compares the cost of the rules of a call. With a budget of upstream's cost all rules
// pass, and with one unit less they fail.
func ruleCost(ctx context.Context, c *capture.Call) (comparison, error) {
	cost, _ := c.Number("cost")
	switch {
	case len(c.Errors) > 0:
		return comparison{apart: "a rule that fails costs more where its message is an expression"}, nil
	case cost < 2:
		return comparison{apart: "it costs nothing, or no more than the least budget"}, nil
	case c.Flag("cancelled"):
		return comparison{apart: "it is interrupted at some time"}, nil
	}
	schema, err := readSchema(c)
	if err != nil {
		return comparison{}, err
	}
	if endsEarly(schema) {
		return comparison{apart: "a search ends within a map, in which the order of upstream's steps is chance"}, nil
	}
	var got outcome
	for _, budget := range []int64{cost, cost - 1} {
		opts := stageOptions(c)
		opts.Root, opts.Limits = c.Flag("root"), declarative.Limits{PerObject: budget}
		errs, err := validate(ctx, c, schema, opts)
		found, err := judge(only(errs, true, rulesKeyword), err)
		if err != nil || found.refused {
			return comparison{want: outcome{facts: []string{"rules that compile"}}, got: found}, err
		}
		enough := !slices.ContainsFunc(found.errs, func(f failure) bool { return strings.Contains(f.detail, "cost budget") })
		got.facts = append(got.facts, fmt.Sprintf("%d is enough: %t", budget, enough))
	}
	want := outcome{weighty: true, facts: []string{fmt.Sprintf("%d is enough: true", cost), fmt.Sprintf("%d is enough: false", cost-1)}}
	return comparison{want: want, got: got}, nil
}

// search matches the beginning of a rule that searches a property, or a list of its values, and
// stops at the first match.
var search = regexp.MustCompile(`^self\.(\w+)\.(?:map\(\w+, self\.\w+\[\w+\]\)\.)?exists\(`)

// endsEarly reports whether a rule of a schema searches a map.
func endsEarly(s *spec.Schema) bool {
	rules, _ := s.Extensions[rulesKeyword].([]any)
	return slices.ContainsFunc(rules, func(x any) bool {
		rule, _ := x.(map[string]any)
		text, _ := rule["rule"].(string)
		in := search.FindStringSubmatch(text)
		return in != nil && s.Properties[in[1]].AdditionalProperties != nil
	})
}

// rulePath compares whether a path may be the fieldPath of a rule, and which field it means: that
// of the error if the rule fails.
func rulePath(ctx context.Context, c *capture.Call) (comparison, error) {
	if !c.Flag("brackets") {
		return comparison{apart: "a path of a selectable field, in which nothing stands in brackets"}, nil
	}
	schema, err := readSchema(c)
	if err != nil {
		return comparison{}, err
	}
	schema.AddExtension(rulesKeyword, []any{map[string]any{"rule": "false", "fieldPath": c.Flags["path"]}})
	opts := declarative.Options{Semantics: declarative.CustomResources, WithoutEstimation: true, WithoutBlocking: true}
	var got outcome
	validator, err := declarative.Compile(schema, opts)
	if err != nil {
		got.facts = []string{"no path" + refusal}
	} else {
		for _, e := range only(validator.Validate(ctx, value.NewValueInterface(map[string]any{}), nil), true, rulesKeyword) {
			got.facts = append(got.facts, e.Field)
		}
	}
	want := outcome{facts: []string{fmt.Sprint(c.Flags["field"])}}
	if !c.Flag("valid") {
		want.facts = []string{"no path" + refusal}
	}
	return comparison{want: want, got: got}, nil
}

// compileRules compares, for the rules of the root of a schema, whether they and their
// messageExpressions compile, whether they use oldSelf, and their worst-case cost estimates.
func compileRules(_ context.Context, c *capture.Call) (comparison, error) {
	schema, err := readSchema(c)
	if err != nil {
		return comparison{}, err
	}
	opts := declarative.Options{Root: c.Flag("root"), Semantics: declarative.CustomResources, WithoutEstimation: true}
	if c.Flag("new") {
		opts.CompatibilityVersion = environment.DefaultCompatibilityVersion()
	}
	reports, err := declarative.Rules(schema, opts)
	if err != nil && len(reports) == 0 {
		return comparison{}, err
	}
	byPlace := map[string]declarative.RuleReport{}
	for _, r := range reports {
		byPlace[r.At] = r
	}
	var want, got outcome
	for i, rule := range c.Rules {
		want.facts = append(want.facts, upstreamFact(rule))
		report, there := byPlace[fmt.Sprintf("%s[%d]", rulesKeyword, i)]
		if !there {
			got.facts = append(got.facts, fmt.Sprintf("%q was not compiled", rule.Rule))
			continue
		}
		got.facts = append(got.facts, ownFact(report))
	}
	return comparison{want: want, got: got}, nil
}

// refusal ends the fact about a rule that does not compile.
const refusal = " does not compile"

func isRefusal(fact string) bool { return strings.HasSuffix(fact, refusal) }

func upstreamFact(r capture.Rule) string {
	switch {
	case strings.TrimSpace(r.Rule) == "":
		// Upstream leaves an empty rule to the validation of the definition.
		return "an empty rule" + refusal
	case r.Error != "":
		return fmt.Sprintf("%q", r.Rule) + refusal
	}
	return fact(r.Rule, r.MessageError == "", r.UsesOldSelf, r.Cost, r.MessageCost)
}

func ownFact(r declarative.RuleReport) string {
	message := true
	for _, m := range r.Mistakes {
		switch {
		case strings.TrimSpace(r.Rule) == "":
			return "an empty rule" + refusal
		case strings.HasSuffix(m.Field, ".rule"):
			return fmt.Sprintf("%q", r.Rule) + refusal
		case strings.HasSuffix(m.Field, ".messageExpression"):
			message = false
		}
	}
	return fact(r.Rule, message, r.UsesOldSelf, r.Cost, r.MessageCost)
}

func fact(rule string, message, oldSelf bool, cost, messageCost uint64) string {
	return fmt.Sprintf("%q: message %t, oldSelf %t, cost %d, message's cost %d", rule, message, oldSelf, cost, messageCost)
}
