package search

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/infer/rules"
)

// SavedKey finds the explanation of a site at a scope again. Lines of the source may move.
type SavedKey struct {
	Place  string
	Typ    field.ErrorType
	Detail string
	Scope  string
}

func (s *Subject) savedKey() SavedKey {
	return SavedKey{s.Facts.Site.Key.Place, s.Facts.Site.Key.Typ, s.Facts.Site.Key.Detail, s.Facts.Scope.String()}
}

// explainAsRemembered explains a site as an earlier run did, if the answers still agree.
func (s *Subject) explainAsRemembered(ctx context.Context, x *Explanation, conditions []*rules.Condition) {
	var exprs []string
	for _, parts := range s.remembered {
		exprs = append(exprs, parts...)
	}
	if len(exprs) == 0 {
		return
	}
	x.universe.evaluate(ctx, exprs, x.Labels.known())
	var sound []*Hypothesis
	for _, parts := range s.remembered {
		var found []*rules.Condition
		for _, expr := range parts {
			if at := slices.IndexFunc(conditions, func(c *rules.Condition) bool { return c.Expr == expr }); at >= 0 {
				found = append(found, conditions[at])
			}
		}
		if len(found) != len(parts) {
			return
		}
		if h := x.consider(found); h != nil {
			sound = append(sound, h)
		}
	}
	x.choose(sound)
}
