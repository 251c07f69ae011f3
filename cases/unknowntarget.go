package cases

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// unknownTargetError is the error for a version that the suite has no target for.
type unknownTargetError struct {
	version  schema.GroupVersionKind
	accepted []string
	why      error // nil: the suite does not have the version
}

func (e *unknownTargetError) Error() string {
	if e.why != nil {
		return e.why.Error()
	}
	return "the suite has no target " + apiname.Target(e.version) + "; it has " + oneof.OrNone(e.accepted)
}

func versionNames(versions []harness.Version) []string {
	names := make([]string, len(versions))
	for i, version := range versions {
		names[i] = apiname.Target(version.GroupVersionKind)
	}
	return names
}

func kindNames(kinds []schema.GroupKind) []string {
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = kind.String()
	}
	return names
}

// fewKinds is how many kinds a message lists although they are not near to the one that is missing.
const fewKinds = 12

// nearKinds names what a suite has in the place of a kind: the kind in other groups, or else all
// kinds, if they are few, those of the group, or the groups.
func nearKinds(kinds []schema.GroupKind, missing schema.GroupVersionKind) []string {
	var sameKind, sameGroup []schema.GroupKind
	var groups []string
	for _, kind := range kinds {
		if kind.Kind == missing.Kind {
			sameKind = append(sameKind, kind)
		}
		if kind.Group == missing.Group {
			sameGroup = append(sameGroup, kind)
		}
		groups = append(groups, kind.Group)
	}
	switch {
	case len(sameKind) > 0:
		return kindNames(sameKind)
	case len(kinds) <= fewKinds:
		return kindNames(kinds)
	case len(sameGroup) > 0:
		return append(kindNames(sameGroup), fmt.Sprintf("and %d kinds of other groups", len(kinds)-len(sameGroup)))
	}
	slices.Sort(groups)
	groups = slices.Compact(groups)
	groups[0] = cmp.Or(groups[0], "core") // as the group "" is called
	return []string{"kinds of the groups " + strings.Join(groups, ", ")}
}
