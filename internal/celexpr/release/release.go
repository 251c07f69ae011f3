// Package release has the releases of Kubernetes whose CEL is known: those that evaluate rules of definitions.
package release

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

// first is the first release that evaluates rules of definitions unless it is configured otherwise (KEP-2876).
var first = version.MajorMinor(1, 25)

// All returns the releases, the oldest first.
func All() (all []*version.Version) {
	newest := environment.DefaultCompatibilityVersion().OffsetMinor(1)
	for one := first; !newest.LessThan(one); one = one.OffsetMinor(1) {
		all = append(all, one)
	}
	return all
}

// Parse returns the release that a text such as "1.29" or "v1.29.3" names. The error says which are known.
func Parse(text string) (*version.Version, error) {
	all := All()
	parsed, err := version.ParseGeneric(text)
	if err == nil {
		for _, one := range all {
			if one.Major() == parsed.Major() && one.Minor() == parsed.Minor() {
				return one, nil
			}
		}
	}
	return nil, fmt.Errorf("%q is no known release of Kubernetes; accepted: %s to %s", text, all[0], all[len(all)-1])
}

// Libraries returns the version of the CEL libraries that new expressions may use in a release: those that the release
// before it evaluates too, so that it can be rolled back (environment.DefaultCompatibilityVersion).
func Libraries(of *version.Version) *version.Version { return of.OffsetMinor(-1) }
