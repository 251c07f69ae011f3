package evaluation

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/diffrun/diffrun/internal/celexpr/release"
)

// firstWithPolicies is the first release that serves validating policies of v1 (KEP-3488). Those of earlier versions of the
// API are switched off unless a cluster is configured otherwise.
var firstWithPolicies = version.MajorMinor(1, 30)

// releases reports a policy that a release with policies refuses, because it lacks a function or a type.
func (l *linter) releases() {
	all := l.policy.expressions()
	var before []wrong
	for _, one := range release.All() {
		if one.LessThan(firstWithPolicies) {
			continue
		}
		found, err := all.check(environment.MustBaseEnvSet(release.Libraries(one)))
		if err != nil {
			return
		}
		if len(found) > 0 {
			before = found
			continue
		}
		if len(before) > 0 {
			slices.SortFunc(before, func(a, b wrong) int { return strings.Compare(a.path, b.path) })
			l.found = append(l.found, LintFinding{
				Of: fmt.Sprintf("%s %q", l.policy.kind.Kind, l.policy.object().GetName()), Path: before[0].path, Release: one.String(),
				What:     fmt.Sprintf("Kubernetes %s refuses it: %s", one.OffsetMinor(-1), before[0].message),
				Position: l.policy.at(before[0].path),
			})
		}
		return
	}
}
