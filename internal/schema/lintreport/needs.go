package lintreport

import (
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/schema/source"
	"github.com/diffrun/diffrun/internal/text/oneline"
	"github.com/diffrun/diffrun/userfile"
)

// Need is a rule that old releases of Kubernetes refuse.
type Need struct {
	// Of is the definition or policy, and Versions are the versions of the definition that have the rule.
	Of       string
	Versions []string
	// Release is the oldest release that accepts it. At is the place of a rule that the release before refuses, and What is why.
	Release, At, What string
	Position          userfile.Position
}

// needs returns the definitions that some releases since 1.25 refuse, with one of their rules each.
func needs(schemas []source.Schema) (all []Need) {
	for _, one := range schemas {
		if one.Version == nil {
			continue
		}
		oldest, before := structural.Oldest(one.Schema)
		if len(before) == 0 {
			continue
		}
		made := Need{
			Of: one.Of(), Versions: []string{one.Version.Version}, Release: oldest.String(), At: before[0].Field,
			What:     fmt.Sprintf("Kubernetes %s refuses it: %s", oldest.OffsetMinor(-1), oneline.Text(before[0].Detail)),
			Position: one.At(before[0].Field),
		}
		at := slices.IndexFunc(all, func(n Need) bool { return n.Of == made.Of && n.At == made.At && n.What == made.What })
		if at < 0 {
			all = append(all, made)
			continue
		}
		all[at].Versions = append(all[at].Versions, made.Versions...)
	}
	return all
}
