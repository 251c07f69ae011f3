package cases

import (
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/internal/schema/kepwords"
)

// loadKEPs reads the key. Without it, everything is done as the API server does.
func (l *loader) loadKEPs(side *suitefile.Schemas) apiresource.KEPs {
	if side == nil || side.KEPs == nil {
		return apiresource.KEPs{}
	}
	k := side.KEPs
	if side.Builtin != "" {
		l.shared.mistakes.Addf(k.Position, "keps is about the definitions of a suite; the built-in kinds are as KEP-4153 has them")
	}
	words := kepwords.Words{Preserving: k.PreserveUnknownFields, Nulls: k.NullDefaulting, Scale: k.Scale, Proposals: k.Proposals}
	made, err := words.KEPs(func(word string) string {
		return map[string]string{"preserving": "preserveUnknownFields", "nulls": "nullDefaulting", "scale": "scale"}[word]
	})
	if err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			l.shared.mistakes.Addf(k.Position, "keps: %s", line)
		}
	}
	return made
}
