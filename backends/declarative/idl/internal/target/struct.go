package target

import (
	"reflect"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// Struct is the state of a struct while its fields are visited.
type Struct struct {
	GoNames map[string]string // by JSON name
	fields  pending           // work that waits for all fields
	whole   pending           // work that waits for the markers of the struct too
	notes   notes
}

// AfterMarkers defers work that needs all fields and all markers of the struct.
func (s *Struct) AfterMarkers(at strictyaml.Position, do func() error) { s.whole.add(at, do) }

// pending is work that was deferred, with the lines of the markers that deferred it.
type pending struct {
	work  []deferred
	notes notes
}

type deferred struct {
	at strictyaml.Position
	do func() error
}

func (p *pending) add(at strictyaml.Position, do func() error) {
	p.work = append(p.work, deferred{at, do})
}

// notes are the values that dialects keep for a struct or a place, one for each Go type.
type notes map[reflect.Type]any

// StructNotes returns the value that a dialect keeps for a struct. It is initially a zero T.
func StructNotes[T any](s *Struct) *T { return noted[T](&s.notes) }

// PlaceNotes returns the value that a dialect keeps while the markers of one place are applied. It
// is initially a zero T.
func PlaceNotes[T any](t *Target) *T { return noted[T](&t.markers.notes) }

func noted[T any](all *notes) *T {
	key := reflect.TypeFor[T]()
	if (*all)[key] == nil {
		if *all == nil {
			*all = notes{}
		}
		(*all)[key] = new(T)
	}
	return (*all)[key].(*T)
}

// Struct returns the state of the struct with a schema.
func (s *Schemas) Struct(owner *spec.Schema) *Struct {
	if s.structs[owner] == nil {
		s.structs[owner] = &Struct{GoNames: map[string]string{}}
	}
	return s.structs[owner]
}

// FinishFields does the work that waited for all fields of a struct.
func (s *Schemas) FinishFields(owner *spec.Schema) { s.finish(&s.Struct(owner).fields, owner) }

// FinishStruct does the work that waited for all markers of a struct, and forgets its state.
func (s *Schemas) FinishStruct(owner *spec.Schema) {
	s.finish(&s.Struct(owner).whole, owner)
	delete(s.structs, owner)
}

// finish does the deferred work, and records its lines at the rules that it adds to a schema. It
// reports whether a marker was wrong.
func (s *Schemas) finish(p *pending, node *spec.Schema) (failed bool) {
	for _, each := range p.work {
		s.RecordRules(node, each.at, func() {
			if err := each.do(); err != nil {
				failed = s.Fail(each.at, "", err) || failed
			}
		})
	}
	p.work = nil
	return failed
}
