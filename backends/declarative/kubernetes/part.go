package kubernetes

import (
	"fmt"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Part returns the backend of the part of the kind at a field, such as "spec.template". A part is
// validated by its own definition, without the keywords that the kind has for the field. The parts
// of usedParts also have the rules of the struct around them, as if the siblings made hand-written
// code check the part.
func (b *backend) Part(field string) (harness.Backend, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if part, ok := b.parts[field]; ok {
		return part, nil
	}
	part, err := b.compilePart(fieldpath.Split(field))
	if err != nil {
		return nil, fmt.Errorf("the schema of %s of %s: %w", field, b.kind, err)
	}
	b.parts[field] = part
	return part, nil
}

func (b *backend) compilePart(steps []fieldpath.Step) (harness.Backend, error) {
	at, _, err := b.definitionAt(steps)
	if err != nil {
		return nil, err
	}
	if last := len(steps) - 1; last >= 0 {
		around, place, _ := b.definitionAt(steps[:last]) // definitionAt has already found it
		if siblings := siblingsOfUsed(place, steps[last]); siblings != nil {
			validator, err := b.compileAt(around, steps[:last])
			return usedPart{declarative.Backend{Validator: validator}, steps[last].Text, siblings, place}, err
		}
	}
	validator, err := b.compileAt(at, steps)
	return declarative.Backend{Validator: validator}, err
}

// compileAt compiles a schema for the values at a place of the kind.
func (b *backend) compileAt(at *spec.Schema, steps []fieldpath.Step) (*declarative.Validator, error) {
	opts := options(b.definitions, false)
	opts.Coverage = b.coverage.Part(placeOf(steps), nil)
	return declarative.Compile(at, opts)
}

// placeOf returns the path of a field in coverage: all items of a list share one place.
func placeOf(steps []fieldpath.Step) string {
	place := ""
	for _, step := range steps {
		switch {
		case step.Bracket:
			place += "[*]"
		case place == "":
			place = step.Text
		default:
			place += "." + step.Text
		}
	}
	return place
}

// definitionAt returns the definition of a field of the kind, and its place in the schema of the kind.
func (b *backend) definitionAt(steps []fieldpath.Step) (at *spec.Schema, place string, err error) {
	at = b.root
	for _, step := range steps {
		var next *spec.Schema
		below := ""
		if property, ok := at.Properties[step.Text]; ok && !step.Bracket {
			next, below = &property, "properties["+step.Text+"]"
		} else if step.Bracket && at.Items != nil {
			next, below = at.Items.Schema, "items"
		}
		if next == nil {
			return nil, "", fmt.Errorf("no field %s", step.Text)
		}
		place = strings.TrimPrefix(place+"."+below, ".")
		if name, isReference := openapi.DefinitionName(openapi.Ref(next)); isReference {
			next, place = b.definitions[name], "definitions["+name+"]"
		}
		at = next
	}
	return at, place, nil
}
