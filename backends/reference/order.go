package reference

import (
	"cmp"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// compare is the canonical order of errors. apiextensions-apiserver gives them in
// the order of Go's maps.
func compare(a, b *field.Error) int {
	return cmp.Or(
		compareFields(a.Field, b.Field),
		cmp.Compare(a.Type, b.Type),
		cmp.Compare(a.Detail, b.Detail),
	)
}

// compareFields orders paths by their bytes, and indices by their value.
func compareFields(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			continue
		}
		if start := index(a, i); start >= 0 && start == index(b, i) {
			if c := cmp.Compare(digits(a[start:]), digits(b[start:])); c != 0 {
				return c // of two numbers without leading zeros the longer is the greater
			}
		}
		return cmp.Compare(a[i], b[i])
	}
	return cmp.Compare(len(a), len(b))
}

// index is where the index begins that s[i] is a digit of or ends, or -1.
func index(s string, i int) int {
	for i > 0 && digits(s[i-1:]) > 0 {
		i--
	}
	if i > 0 && s[i-1] == '[' && digits(s[i:]) > 0 {
		return i
	}
	return -1
}

// digits is how many digits s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}
