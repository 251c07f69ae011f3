package exploring

import (
	"cmp"
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
)

// starts are the inputs of the cases of a suite.
type starts struct {
	// inputs are by kind, in any version, and by the subresource that a case updates.
	inputs map[schema.GroupKind]map[string][]explore.Input
	seen   map[string]bool // the JSON of inputs, after their subresource
	// cases are those about objects of a kind.
	cases map[schema.GroupKind][]harness.Case
	// unreadable counts cases that cannot be read.
	unreadable int
	// ofSubresources counts cases whose request to a subresource carries an object of its own.
	ofSubresources int
}

// maxCases is how many cases of a suite are read for their objects: a corpus may have millions.
const maxCases = 10_000

// startsOf reads the inputs of the cases of a suite. If a file cannot be read, it returns the inputs before
// it.
func startsOf(suite *cases.Suite) (*starts, error) {
	found := &starts{
		inputs: map[schema.GroupKind]map[string][]explore.Input{},
		seen:   map[string]bool{},
		cases:  map[schema.GroupKind][]harness.Case{},
	}
	read := 0
	for c, err := range suite.Cases() {
		if err != nil {
			return found, err
		}
		if read++; read > maxCases {
			break
		}
		if c.Fault != nil {
			found.unreadable++
			continue
		}
		found.add(c)
	}
	return found, nil
}

// add adds the documents of a case. An object that creates a subresource is not an object of the
// kind.
func (s *starts) add(c harness.Case) {
	object, isDocument := c.Object.(map[string]any)
	old, _ := c.Old.(map[string]any)
	kind := cmp.Or(c.Version, (&unstructured.Unstructured{Object: object}).GroupVersionKind()).GroupKind()
	if isDocument && !c.Deletes && c.Subresource != "" && old == nil {
		s.ofSubresources++
		return
	}
	if isDocument {
		s.cases[kind] = append(s.cases[kind], c)
	}
	if !isDocument || c.Deletes {
		return
	}
	text, err := json.Marshal([]any{object, old})
	key := c.Subresource + string(text)
	if err != nil || s.seen[key] {
		return
	}
	s.seen[key] = true
	if s.inputs[kind] == nil {
		s.inputs[kind] = map[string][]explore.Input{}
	}
	s.inputs[kind][c.Subresource] = append(s.inputs[kind][c.Subresource], explore.Input{Object: object, Old: old})
}

// in returns inputs with their objects in a version.
func in(version schema.GroupVersionKind, inputs []explore.Input) []explore.Input {
	convert := func(object map[string]any) map[string]any {
		if object == nil {
			return nil
		}
		object = runtime.DeepCopyJSON(object)
		object["apiVersion"], object["kind"] = version.ToAPIVersionAndKind()
		return object
	}
	converted := make([]explore.Input, 0, len(inputs))
	for _, input := range inputs {
		converted = append(converted, explore.Input{Object: convert(input.Object), Old: convert(input.Old)})
	}
	return converted
}
