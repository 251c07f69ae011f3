package declarative

import (
	"sync"

	"github.com/diffrun/diffrun/backends/declarative/internal/declared"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// declarations are what a schema declares, with the words that it has.
type declarations struct {
	*declared.Known
	words func() map[string]bool // collected on first use
}

func newDeclarations(schema declared.Schema) declarations {
	return declarations{declared.NewKnown(schema), sync.OnceValue(schema.Words)}
}

// Names implements fieldpath.Naming.
func (d declarations) Names() fieldpath.Names { return names{d.Top()} }

// HasWord implements fieldpath.Naming.
func (d declarations) HasWord(word string) bool { return d.words()[word] }

// names are those of a place.
type names struct{ declared.Place }

// Field implements fieldpath.Names.
func (n names) Field(name string) fieldpath.Names { return names{n.Place.Field(name)} }

// Entry implements fieldpath.Names.
func (n names) Entry(key string) fieldpath.Names { return names{n.Place.Entry(key)} }
