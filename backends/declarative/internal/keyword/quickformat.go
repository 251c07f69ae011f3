package keyword

import (
	"sync"

	"github.com/diffrun/diffrun/backends/declarative/internal/pattern"
)

// quickFormats holds a pattern for each format that strfmt checks slowly. A match proves that
// the string has the format; a mismatch proves nothing. Names of formats have no dashes here.
// Schemas with times take up to 8 times as long without it.
var quickFormats = sync.OnceValue(func() map[string]*pattern.Pattern {
	// The 31st of a month is not simple, nor is a leap day of a century.
	const day = `([0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30))|[0-9]{2}(0[48]|[2468][048]|[13579][26])-02-29)`
	made := map[string]*pattern.Pattern{}
	for format, source := range map[string]string{
		"datetime": `^` + day + `[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$`,
		"byte":     `^([A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2}([A-Za-z0-9+/]{2}|[A-Za-z0-9+/]=|==)$`,
	} {
		simple, err := pattern.Compile(source)
		if err != nil {
			panic(err) // the expressions are constant: it cannot fail
		}
		made[format] = simple
	}
	return made
})
