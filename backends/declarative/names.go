package declarative

import (
	"reflect"
	"sync"

	"github.com/diffrun/diffrun/backends/declarative/internal/declared"
	"github.com/diffrun/diffrun/equivalence"
)

// declarations are what a schema declares, with the words that it has.
type declarations struct {
	declared.Schema
	words func() map[string]bool // collected on first use
}

func newDeclarations(schema declared.Schema) declarations {
	return declarations{schema, sync.OnceValue(schema.Words)}
}

// Names implements equivalence.Naming.
func (d declarations) Names() equivalence.Names { return names{d.Top()} }

// HasWord implements equivalence.Naming.
func (d declarations) HasWord(word string) bool { return d.words()[word] }

// NamesOf returns the JSON names of the fields of a Go value, for objects without a schema.
func NamesOf(value any) equivalence.Names { return names{declared.OfType(reflect.TypeOf(value))} }

// names are those of a place.
type names struct{ declared.Place }

// Field implements equivalence.Names.
func (n names) Field(name string) equivalence.Names { return names{n.Place.Field(name)} }

// Entry implements equivalence.Names.
func (n names) Entry(key string) equivalence.Names { return names{n.Place.Entry(key)} }
