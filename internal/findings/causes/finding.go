package causes

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
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
	}
	for of, fault := range r.Faults() {
		text := SharedMessage(r, fault.Error())
		sum := sha256.Sum256(fmt.Appendf(nil, "%q%q%q%q%q", groupOf(r), r.Version.Kind, of, fault.Reason, text))
		all = append(all, Finding{
			Signature: hex.EncodeToString(sum[:8]), Class: "fault", Text: fmt.Sprintf("fault of the %s: %s: %s", of, target, text),
		})
	}
	for _, pair := range r.Pairs {
		if pair.Explained() {
			continue
		}
		cause := CauseOf(r, pair)
		all = append(all, Finding{
			Signature: cause.Signature(string(r.EffectOf(pair)), groupOf(r)),
			Class:     string(cause.Class),
			Text:      fmt.Sprintf("%s (%s): %s %s", cause.Class, r.EffectOf(pair), target, cause.Field),
			Cause:     cause, Pair: pair,
		})
	}
	return all
}

// groupOf returns the API group in which the case of a result is written. Kinds of other groups may have
// the same name, and a case of a kind that moved between groups is compared in each of them.
func groupOf(r *harness.Result) string {
	if r.Case.Version.Empty() {
		return r.Version.Group
	}
	return r.Case.Version.Group
}
