package remembered

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"sync"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// key identifies an input by its content.
type key [sha256.Size]byte

// keyOf returns the key of an input. It returns false for one that cannot be written as JSON.
func keyOf(in *harness.Input) (key, bool) {
	object, old, err := contract.Read(in, (*contract.View).Unstructured)
	if err != nil {
		return key{}, false
	}
	data, err := json.Marshal([]any{in.Request, in.Part, object, old, in.Cluster, in.Requested, in.Stored, in.Order})
	return sha256.Sum256(data), err == nil
}

// memory keeps answers by their inputs. It forgets all of them when their size exceeds a bound.
type memory[T any] struct {
	mu   sync.Mutex
	all  map[key]T
	size int
}

// mostRemembered bounds the size of what is kept, in bytes of JSON or so.
const mostRemembered = 256 << 20

func (m *memory[T]) get(k key) (T, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	answer, known := m.all[k]
	return answer, known
}

func (m *memory[T]) put(k key, answer T, size int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.size += size + len(k); m.all == nil || m.size > mostRemembered {
		m.all, m.size = map[key]T{}, size
	}
	m.all[k] = answer
}

// Backend repeats the answers of another one. Faults are not kept.
type Backend struct {
	harness.Backend
	documents bool
	answers   *memory[answer]
}

// answer is what a backend said about an input.
type answer struct {
	errs  field.ErrorList
	notes contract.Notes
}

// New returns a backend that repeats the answers of another one. With documents, these have the documents that would be stored,
// which are much larger than all else.
func New(of harness.Backend, documents bool) Backend {
	return Backend{of, documents, &memory[answer]{}}
}

// Validate implements harness.Backend.
func (b Backend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	k, ok := keyOf(in)
	if !ok {
		return b.Backend.Validate(ctx, in)
	}
	said, known := b.answers.get(k)
	if !known {
		within, notes := contract.CollectNotes(ctx)
		errs, err := b.Backend.Validate(within, in)
		said = answer{errs, notes()}
		if !b.documents {
			said.notes.Stored, said.notes.Admitted, said.notes.Converted = nil, nil, nil
		}
		if err != nil {
			contract.AddNotes(ctx, said.notes)
			return errs, err
		}
		b.answers.put(k, said, said.size())
	}
	contract.AddNotes(ctx, said.notes)
	return slices.Clone(said.errs), nil
}

// sizeOfError is about the size of an error with its texts.
const sizeOfError = 256

// size returns about how many bytes an answer takes.
func (a answer) size() int {
	size := sizeOfError * (1 + len(a.errs) + len(a.notes.Asked))
	for _, document := range []any{a.notes.Stored, a.notes.Admitted} {
		data, _ := json.Marshal(document)
		size += len(data)
	}
	return size
}

// Capabilities implements contract.Capable.
func (b Backend) Capabilities() contract.Capabilities { return contract.CapabilitiesOf(b.Backend) }

// Mutator repeats the changes of another one. Faults are not kept.
type Mutator struct {
	of      world.Mutator
	answers *memory[mutated]
}

// mutated is what a mutator made of an object, as JSON; nil: it stays as it is.
type mutated struct {
	object []byte
	errs   field.ErrorList
}

// read returns the object; nil: it stays as it was.
func (m mutated) read() (object map[string]any, err error) {
	if m.object == nil {
		return nil, nil
	}
	err = utiljson.Unmarshal(m.object, &object)
	return object, err
}

// NewMutator returns a mutator that repeats the changes of another one.
func NewMutator(of world.Mutator) Mutator { return Mutator{of, &memory[mutated]{}} }

// Mutate implements world.Mutator.
func (m Mutator) Mutate(ctx context.Context, in *harness.Input) (map[string]any, field.ErrorList, error) {
	k, ok := keyOf(in)
	if !ok {
		return m.of.Mutate(ctx, in)
	}
	said, known := m.answers.get(k)
	if known {
		object, err := said.read()
		return object, slices.Clone(said.errs), err
	}
	object, errs, err := m.of.Mutate(ctx, in)
	if err != nil {
		return object, errs, err
	}
	said.errs = errs
	if object != nil {
		if said.object, err = json.Marshal(object); err != nil {
			return object, errs, nil
		}
	}
	m.answers.put(k, said, len(said.object)+sizeOfError*len(errs))
	return object, errs, nil
}
