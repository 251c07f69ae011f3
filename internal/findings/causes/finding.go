package causes

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Finding is an unexplained difference, or a fault.
type Finding struct {
	// Signature is a hash of class, effect, API group, kind, generalized field and generalized messages,
	// as in the groups of a run. It ignores the version, because a case is compared in all versions of
	// its kind.
	Signature string
	// Class is the class of the difference, or "fault".
	Class string
	// Text describes the finding and its version on one line.
	Text string
	// Native and Declarative are what the sides say about a difference, without the values of one object, each
	// on one line; empty: the side has no error. Message has both, with the names of the sides. They are empty
	// for a fault, whose Text has its message.
	Native, Declarative, Message string
	// Cause is the cause of a difference, and Pair its errors. They are zero for a fault.
	Cause Cause
	Pair  equivalence.Pair
}

// Name returns the name of the files of the finding, without extension.
func (f *Finding) Name() string { return f.Class + "-" + f.Signature }

// Findings returns the unexplained differences and the faults of a result.
func Findings(r *harness.Result) []Finding {
	var all []Finding
	target := "no target"
	if !r.Version.Empty() {
		target = apiname.Target(r.Version)
		if r.Case.Subresource != "" {
			target += "/" + r.Case.Subresource
		}
	}
	for of, fault := range r.Faults() {
		text := SharedMessage(r, fault.Error())
		sum := sha256.Sum256(fmt.Appendf(nil, "%q%q%q%q%q", groupOf(r), r.Version.Kind, of, fault.Reason, text))
		all = append(all, Finding{
			Signature: hex.EncodeToString(sum[:8]), Class: "fault",
			Text: fmt.Sprintf("fault of %s: %s: %s", r.Sides.Source(of), target, text),
		})
	}
	known := map[string][]Finding{}
	for _, pair := range r.Pairs {
		if pair.Explained() {
			continue
		}
		like := likeness(pair)
		found, has := known[like]
		switch {
		case !has:
			found = differences(r, pair, target)
			known[like] = found
		case len(found) == 1:
			found = slices.Clone(found)
			found[0].Pair = byLine(pair)[0]
		}
		all = append(all, found...)
	}
	return all
}

// likeness returns a key that pairs with one cause share. A list may have ten thousand items with the same mistake, and to
// look for the texts of such an object in each message takes minutes.
func likeness(pair equivalence.Pair) string {
	words := []string{string(pair.Class), generalField(pair.Field(), nil)}
	for _, err := range []*field.Error{pair.Native, pair.Declarative} {
		if err != nil {
			words = append(words, string(err.Type), generalField(err.Field, nil), fielderror.PolicyPart(err), SharedText(err.Detail))
		}
		words = append(words, "")
	}
	return fieldpath.JoinKey(words...)
}

// differences returns the findings of a pair: one, or one for each line of a refusal whose text names no field, as
// policy engines list all their denials.
func differences(r *harness.Result, pair equivalence.Pair, target string) (all []Finding) {
	texts := textsOf(r, pair)
	for _, pair := range byLine(pair) {
		cause := causeOf(r, pair, texts)
		found := Finding{
			Signature: cause.Signature(string(r.EffectOf(pair)), groupOf(r)),
			Class:     string(cause.Class),
			Text:      fmt.Sprintf("%s (%s): %s %s", cause.Class, r.EffectOf(pair), target, cause.Field),
			Native:    general(pair.Native, texts), Declarative: general(pair.Declarative, texts),
			Cause: cause, Pair: pair,
		}
		if slices.ContainsFunc(all, func(other Finding) bool { return other.Signature == found.Signature }) {
			continue
		}
		found.Message = message(r.Sides, found)
		all = append(all, found)
	}
	return all
}

// byLine splits a pair whose only error is the text of a refusal with several lines.
func byLine(pair equivalence.Pair) []equivalence.Pair {
	err := cmp.Or(pair.Native, pair.Declarative)
	if pair.Native != nil && pair.Declarative != nil || !fielderror.NamesNoField(err) {
		return []equivalence.Pair{pair}
	}
	text := withoutDiffs(strings.TrimSpace(err.Detail)) // a difference of objects is one text
	if !strings.Contains(text, "\n") {
		return []equivalence.Pair{pair}
	}
	var all []equivalence.Pair
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		one, copied := pair, *err
		copied.Detail = strings.TrimSpace(line)
		if pair.Native != nil {
			one.Native = &copied
		} else {
			one.Declarative = &copied
		}
		all = append(all, one)
	}
	return all
}

// general returns what an error says, without the values of one object.
func general(err *field.Error, texts []string) string {
	if err == nil {
		return ""
	}
	return plaintext.ErrorBody(&field.Error{Type: err.Type, Detail: SharedText(withoutValues(err, texts)), BadValue: field.OmitValueType{}})
}

// message returns what both sides say.
func message(sides harness.Sides, found Finding) string {
	first, second := sides.Labels()
	var parts []string
	if found.Native != "" {
		parts = append(parts, first+": "+found.Native)
	}
	if found.Declarative != "" {
		parts = append(parts, second+": "+found.Declarative)
	}
	return plaintext.Cut(strings.Join(parts, "; "), plaintext.MaxLine)
}

// groupOf returns the API group in which the case of a result is written. Kinds of other groups may have
// the same name, and a case of a kind that moved between groups is compared in each of them.
func groupOf(r *harness.Result) string {
	if r.Case.Version.Empty() {
		return r.Version.Group
	}
	return r.Case.Version.Group
}
