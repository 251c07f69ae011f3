package rules

import (
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// inside returns the site as if it were about the items of a list.
func inside(s *Facts, p evidence.Place) *Facts {
	item := *s
	item.Scope = s.Scope.Below(p...).Below(evidence.AnyItem)
	item.Schema = s.SchemaAt(p.Below(evidence.AnyItem))
	item.Target, item.Fields, item.Focus = nil, nil, nil
	item.findFields(s.Site.First.Detail)
	item.Fields = item.Fields[:min(len(item.Fields), 8)]
	item.Seen = s.Evidence.ValuesAt(item.Scope)
	return &item
}

// itemTries returns changes of a list whose first item is changed.
func itemTries(s *Facts, p evidence.Place, tries []Try) []Try {
	like, _ := s.value(p).([]any)
	if len(like) == 0 {
		if made := s.made(p.Below(evidence.AnyItem)); made != nil {
			like = []any{made}
		}
	}
	if len(like) == 0 {
		return nil
	}
	var all []Try
	for _, one := range tries {
		item := like[0]
		for _, c := range one {
			item = c.Field.Path().Set(item, c.To)
		}
		all = append(all, Try{{Field: p, To: []any{item}}}, Try{{Field: p, To: append([]any{item}, like[1:]...)}})
	}
	return all
}

// mostItems bounds the items of accepted lists that are combined.
const mostItems = 7

// itemPairs returns lists of two items of accepted objects: what is accepted alone may not be together.
func itemPairs(s *Facts, p evidence.Place) []Try {
	some := itemKinds(s, p)
	var all []Try
	for i, one := range some {
		for _, other := range some[i+1:] {
			all = append(all, Try{{Field: p, To: []any{one, other}}})
		}
	}
	return all
}

// itemKinds returns items of accepted objects that look different.
func itemKinds(s *Facts, p evidence.Place) []any {
	return s.Evidence.AcceptedAt(slices.Concat(s.Scope, p, evidence.Place{evidence.AnyItem}), mostItems, func(value any) string {
		fields, _ := value.(map[string]any)
		if len(fields) == 0 {
			return ""
		}
		return fmt.Sprint(fields["type"], fields["kind"], fields["name"], evidence.SortedKeys(fields))
	})
}
