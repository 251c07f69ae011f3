package structural

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/celexpr/release"
	"github.com/diffrun/diffrun/internal/openapi"
)

// firstWithOptionalOldSelf is the first release that knows optionalOldSelf unless it is configured otherwise. Earlier ones
// drop the key.
var firstWithOptionalOldSelf = version.MajorMinor(1, 30)

// RefusedBy returns the rules of a schema that compile today and that a release refuses: it lacks a function or a type. Their
// fields are places in the schema. Limits of costs are those of today, and no release refuses an unknown format.
func RefusedBy(schema *spec.Schema, of *version.Version) field.ErrorList {
	return refusedBy(schema, compiling(schema), of)
}

// Oldest returns the oldest known release that accepts the rules of a schema, and what the release before it refuses.
func Oldest(schema *spec.Schema) (oldest *version.Version, before field.ErrorList) {
	today := compiling(schema)
	for _, one := range release.All() {
		refused := refusedBy(schema, today, one)
		if oldest = one; len(refused) == 0 {
			break
		}
		before = refused
	}
	return oldest, before
}

// compiling returns the places of the rules that compile today.
func compiling(schema *spec.Schema) map[string]bool {
	today := map[string]bool{}
	for _, report := range rulesFor(schema, nil) {
		today[report.At] = len(report.Mistakes) == 0
	}
	return today
}

func refusedBy(schema *spec.Schema, today map[string]bool, of *version.Version) (refused field.ErrorList) {
	if len(today) == 0 {
		return nil
	}
	if of.LessThan(firstWithOptionalOldSelf) {
		schema = withoutOptionalOldSelf(schema)
	}
	for _, report := range rulesFor(schema, release.Libraries(of)) {
		if today[report.At] {
			refused = append(refused, report.Mistakes...)
		}
	}
	return refused
}

// rulesFor compiles the rules of a schema with the libraries of a version; nil: all.
func rulesFor(schema *spec.Schema, libraries *version.Version) []declarative.RuleReport {
	reports, _ := declarative.Rules(schema, declarative.Options{
		Root: true, Semantics: declarative.CustomResources, WithoutEstimation: true, CompatibilityVersion: libraries,
	}) // mistakes of the schema are not about a release
	return reports
}

func withoutOptionalOldSelf(s *spec.Schema) *spec.Schema {
	made := openapi.MapChildren(s, func(child openapi.Child) *spec.Schema { return withoutOptionalOldSelf(child.Schema) })
	rules, _ := made.Extensions[openapi.XValidations].([]any)
	if len(rules) == 0 {
		return made
	}
	rules = slices.Clone(rules)
	for i, rule := range rules {
		if written, is := rule.(map[string]any); is {
			written = maps.Clone(written)
			delete(written, "optionalOldSelf")
			rules[i] = written
		}
	}
	made.Extensions = maps.Clone(made.Extensions)
	made.Extensions[openapi.XValidations] = rules
	return made
}
