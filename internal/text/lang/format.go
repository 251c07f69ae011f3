package lang

import (
	"strings"
	"sync"
)

// Format is a pattern for a format whose check is slow. A match proves that a text has the format; a
// mismatch proves nothing. Without it, schemas with times take 3 times as long, and the rules of
// Kubernetes about keys and names twice as long.
type Format struct {
	longest int // length of a proven text, in bytes; 0: any length
	is      *Pattern
}

// FormatOf returns the Format of a name, or nil. Dashes and upper case in the name do not matter.
func FormatOf(name string) *Format {
	return formats()[strings.ToLower(strings.ReplaceAll(name, "-", ""))]
}

// Proves reports whether a text is known to have the format. A nil Format proves nothing.
func (f *Format) Proves(text string) bool {
	return f != nil && (f.longest == 0 || len(text) <= f.longest) && f.is.Match(text)
}

var formats = sync.OnceValue(func() map[string]*Format {
	const (
		// The 31st of a month and the leap day of a century are left to others.
		day   = `([0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30))|[0-9]{2}(0[48]|[2468][048]|[13579][26])-02-29)`
		label = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
		name  = `[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?`
		// This is the maximum length of a label, and of the name after the prefix of a key.
		labelBytes = 63
	)
	made := map[string]*Format{}
	for _, f := range []struct {
		name, source string
		longest      int
	}{
		{"datetime", day + `[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})`, 0},
		{"byte", `([A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2}([A-Za-z0-9+/]{2}|[A-Za-z0-9+/]=|==)`, 0},
		{"dns1123label", label, labelBytes},
		{"dns1123subdomain", label + `(\.` + label + `)*`, 253},
		{"dns1035label", `[a-z]([-a-z0-9]*[a-z0-9])?`, labelBytes},
		{"labelvalue", name, labelBytes},
		{"qualifiedname", `(` + label + `(\.` + label + `)*/)?` + name, labelBytes},
	} {
		is, err := Compile(`^` + f.source + `$`)
		if err != nil {
			panic(err) // the expressions are constant: it cannot fail
		}
		made[f.name] = &Format{longest: f.longest, is: is}
	}
	return made
})
