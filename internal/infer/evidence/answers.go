package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Answers counts what the native validator answered to the requests of an operation.
type Answers struct {
	Operation admissionv1.Operation `json:"operation"`
	Accepted  int                   `json:"accepted"`
	Refused   int                   `json:"refused"`
}

// Tally are the answers of each operation.
type Tally []Answers

// Count counts the answer of a result, if there is one.
func (a *Tally) Count(of admissionv1.Operation, r *harness.Result) {
	if r.Native.Fault != nil {
		return
	}
	one := Answers{Operation: of}
	if len(r.Native.Errors) > 0 {
		one.Refused = 1
	} else {
		one.Accepted = 1
	}
	a.Add(one)
}

// Add adds the counts of an operation.
func (a *Tally) Add(one Answers) {
	at := slices.IndexFunc(*a, func(known Answers) bool { return known.Operation == one.Operation })
	if at < 0 {
		*a = append(*a, Answers{Operation: one.Operation})
		slices.SortFunc(*a, func(x, y Answers) int { return cmp.Compare(x.Operation, y.Operation) })
		at = slices.IndexFunc(*a, func(known Answers) bool { return known.Operation == one.Operation })
	}
	(*a)[at].Accepted += one.Accepted
	(*a)[at].Refused += one.Refused
}

// Sum returns how many requests were accepted and refused.
func (a Tally) Sum() (accepted, refused int) {
	for _, one := range a {
		accepted, refused = accepted+one.Accepted, refused+one.Refused
	}
	return accepted, refused
}

// Text says what was asked.
func (a Tally) Text(native string) string {
	var parts []string
	for _, operation := range []admissionv1.Operation{admissionv1.Create, admissionv1.Update, admissionv1.Delete} {
		at := slices.IndexFunc(a, func(one Answers) bool { return one.Operation == operation })
		if at < 0 {
			parts = append(parts, fmt.Sprintf("no %s", operation))
			continue
		}
		one := a[at]
		asked := plaintext.Number(one.Accepted + one.Refused)
		parts = append(parts, fmt.Sprintf("%s %s (%d accepted, %d refused)", asked, operation, one.Accepted, one.Refused))
	}
	return contract.Capital(native) + " was asked about " + strings.Join(parts, ", ") + "."
}
