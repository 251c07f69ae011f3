package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/schema/diff"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// onceStored says what B does with objects that A has stored: which updates it accepts and refuses, of those that were
// tried.
func onceStored(of diff.OnceStored) string {
	tried := "; tried on " + plaintext.Count(of.Objects, "object")
	accepted, refused := changesOf(of.Accepted), changesOf(of.Refused)
	some := ""
	if of.Varies {
		some = " for some values"
	}
	switch of.State {
	case diff.Dropped:
		said := "dropped: reads in this version no longer return the value, and the next write in it removes it"
		if len(of.Refused) > 0 {
			said += "; objects that need the value are wrong then, and B refuses changes of " + refused
		}
		return said
	case diff.BecomesStuck:
		even := "a change of its labels"
		if slices.Contains(of.Refused, diff.NoChange) {
			even = "one that changes nothing"
		}
		return "stuck" + some + ": B refuses every update that leaves the value as it is, even " + even + tried
	case diff.Restricted:
		return "in part" + some + ": B accepts changes of " + accepted + ", and refuses those of " + refused +
			": until the value is corrected, " +
			locked(of.Refused) + " must stay as it is" + tried
	}
	return "editable: B accepts changes of " + accepted + " that leave the value as it is (ratcheting)" + tried
}

// changesOf lists the fields that updates changed.
func changesOf(updates []string) string {
	return plaintext.List(slices.DeleteFunc(slices.Clone(updates), func(name string) bool { return name == diff.NoChange }))
}

// locked returns the path of the value that must stay as it is: the one around all fields that cannot be changed.
func locked(refused []string) string {
	parents := make([]string, 0, len(refused)) // the labels were not refused, so no field is at the root
	for _, field := range refused {
		parent, item := strings.CutSuffix(field, "[*]")
		if !item {
			parent = field[:max(0, strings.LastIndex(field, "."))]
		}
		parents = append(parents, parent)
	}
	return slices.MinFunc(parents, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
}
