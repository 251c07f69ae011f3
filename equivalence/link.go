package equivalence

import (
	"cmp"
	"slices"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// link is a possible pair. Between sets with equally many links, the lower total cost wins.
type link struct {
	native, declarative int // indices of lines
	cost                int
	class               difference.Class
	rule                *Rule
}

// Costs of links, in each of the two steps of matching. One difference is nearer than two: first a
// different type with the same text, then a different field, a different text, and last a different type
// and text.
const (
	exactCost  = 0
	ruleCost   = 1 * agreementScale
	originCost = 2 * agreementScale
	policyCost = 3 * agreementScale

	// copyCost is the cost of each line that repeats an earlier one of its side. Of links that agree equally
	// well, those of different errors come first, so that only copies are left over. All copies together
	// cost less than the next way to agree.
	copyCost       = 1
	agreementScale = 4 * maxAssigned

	otherTypeCost        = 0
	otherFieldCost       = 10 // plus the distance of the fields
	otherTextCost        = 20
	otherTypeAndTextCost = 30
	// contradictionCost makes errors about different values the second choice.
	contradictionCost = 5
)

// keyFunc returns the key by which a line finds partners, if it has one.
type keyFunc func(line) (key string, ok bool)

// linkTable collects links, the first one for each pair of lines.
type linkTable struct {
	*comparison
	links    map[[2]int]link
	copyCost int // added for each line that repeats an earlier one
}

// agreements returns the links between errors that mean the same.
func (c *comparison) agreements(rules []*Rule, origin, policy *Rule) []link {
	if len(c.native.lines) == 0 || len(c.declarative.lines) == 0 {
		return nil
	}
	table := linkTable{comparison: c, links: map[[2]int]link{}, copyCost: copyCost}
	table.join(exactKey, exactKey, func(a, b line) (link, bool) {
		return link{cost: exactCost}, a.equals(b)
	})
	for _, rule := range rules {
		table.join(rule.nativeKey, rule.declarativeKey, func(a, b line) (link, bool) {
			return link{cost: ruleCost, rule: rule}, rule.holds(a, b)
		})
	}
	if origin != nil {
		table.join(originKey, originKey, func(a, b line) (link, bool) {
			return link{cost: originCost, rule: origin}, !a.disagrees(b)
		})
	}
	if policy != nil {
		sameText := func(a, b line) (link, bool) {
			return link{cost: policyCost, rule: policy}, a.deniesAs(b) || b.deniesAs(a)
		}
		table.join(denialKey, textKey, sameText)
		table.join(textKey, denialKey, sameText)
	}
	return table.sorted()
}

// nearMisses returns the links between errors that differ, but may be meant to be the same.
func (c *comparison) nearMisses() []link {
	table := linkTable{comparison: c, links: map[[2]int]link{}}
	table.join(fieldKey, fieldKey, sameField)
	table.join(wordsKey, wordsKey, otherField)
	table.join(refusalKey, anyKey, func(line, line) (link, bool) {
		return link{class: difference.Path, cost: otherTypeAndTextCost}, true
	})
	return table.sorted()
}

func exactKey(l line) (string, bool) {
	return fieldpath.JoinKey(string(l.err.Type), l.field, l.detail), true
}

func fieldKey(l line) (string, bool) { return l.field, !l.mute() && !l.rulesNotChecked() }

func wordsKey(l line) (string, bool) {
	return fieldpath.JoinKey(string(l.err.Type), l.detail), !l.mute()
}

// refusalKey matches a refusal that has a text and no field. Any error of the schema may be the same
// error.
func refusalKey(l line) (string, bool) {
	return "", l.err.Origin == fielderror.OriginText && l.field == "" && !l.mute()
}

func anyKey(l line) (string, bool) { return "", !l.mute() && !l.rulesNotChecked() }

func originKey(l line) (string, bool) {
	return fieldpath.JoinKey(string(l.err.Type), l.field, l.err.Origin), l.err.Origin != "" && !l.mute()
}

func sameField(a, b line) (link, bool) {
	cost := 0
	if a.contradicts(b) {
		cost = contradictionCost
	}
	switch {
	case a.err.Type == b.err.Type:
		return link{class: difference.Detail, cost: cost + otherTextCost}, true
	case a.detail == b.detail:
		return link{class: difference.Type, cost: cost + otherTypeCost}, true
	}
	return link{class: difference.Type, cost: cost + otherTypeAndTextCost}, true
}

// otherField links errors with the same type and text. Without a text, as in most FieldValueRequired
// errors, equal types would link any two missing fields, so the fields must be close or the values equal.
func otherField(a, b line) (link, bool) {
	if a.field == b.field {
		return link{}, false
	}
	distance := fieldDistance(a.steps, b.steps)
	if a.detail == "" && (a.contradicts(b) || distance == elsewhere && !a.bad().confirms(b.bad(), amountOf(a, b))) {
		return link{}, false
	}
	cost := otherFieldCost + distance
	if a.contradicts(b) {
		cost += contradictionCost
	}
	return link{class: difference.Path, cost: cost}, true
}

// join links available lines with the same key. It does not compare all pairs, because an object may have
// 100,000 errors.
func (t *linkTable) join(nativeKey, declarativeKey keyFunc, linkOf func(a, b line) (link, bool)) {
	declarative := t.declarative.byKey(declarativeKey)
	if len(declarative) == 0 {
		return
	}
	for key, natives := range t.native.byKey(nativeKey) {
		partners := declarative[key]
		for n, i := range natives {
			for _, j := range window(partners, n) {
				found, ok := linkOf(t.native.lines[i], t.declarative.lines[j])
				if _, known := t.links[[2]int{i, j}]; known || !ok {
					continue
				}
				found.native, found.declarative = i, j
				found.cost += t.copyCost * (t.native.repeats(i) + t.declarative.repeats(j))
				t.links[[2]int{i, j}] = found
			}
		}
	}
}

// window returns all partners of a line or, if there are too many, those near its own place: both lists
// are in canonical order.
func window(partners []int, place int) []int {
	if len(partners) <= maxAssigned {
		return partners
	}
	size := max(2, maxAssigned*maxAssigned/len(partners))
	start := min(place, len(partners)-size)
	return partners[start : start+size]
}

// byKey groups the available lines, each group in canonical order.
func (p *side) byKey(key keyFunc) map[string][]int {
	groups := map[string][]int{}
	for i, line := range p.lines {
		if !p.available(i) {
			continue
		}
		if k, ok := key(line); ok {
			groups[k] = append(groups[k], i)
		}
	}
	return groups
}

func (t *linkTable) sorted() []link {
	links := make([]link, 0, len(t.links))
	for _, link := range t.links {
		links = append(links, link)
	}
	slices.SortFunc(links, compareLinks)
	return links
}

func compareLinks(a, b link) int {
	return cmp.Or(cmp.Compare(a.native, b.native), cmp.Compare(a.declarative, b.declarative))
}
