package harness

import (
	"slices"

	"github.com/diffrun/diffrun/harness/contract"
)

// note copies notes to the outcome. After a time-out the backend may still add some.
func (o *Outcome) note(n contract.Notes) {
	o.Warnings, o.Omitted, o.Asked = slices.Clone(n.Warnings), slices.Clone(n.Omitted), slices.Clone(n.Asked)
	o.Executed, o.AccessReviews = n.Executed, slices.Clone(n.AccessReviews)
	o.stored, o.admitted, o.storedAs = n.Stored, n.Admitted, n.StoredAs
	o.converted, o.located = slices.Clone(n.Converted), slices.Clone(n.Located)
}

// omittedByBoth moves the omissions that both outcomes have to the result.
func (r *Result) omittedByBoth() {
	native := r.Native.Omitted
	r.Native.Omitted = withoutThese(native, r.Declarative.Omitted)
	for _, omission := range native {
		if slices.Contains(r.Declarative.Omitted, omission) && !slices.Contains(r.Omitted, omission) {
			r.Omitted = append(r.Omitted, omission)
		}
	}
	r.Declarative.Omitted = withoutThese(r.Declarative.Omitted, native)
}

func withoutThese(omitted, others []contract.Omission) []contract.Omission {
	return slices.DeleteFunc(slices.Clone(omitted), func(o contract.Omission) bool { return slices.Contains(others, o) })
}
