package scaffold

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// The limits of the objects that are made for a kind without a sample.
const (
	madeSteps  = 400 // changes that make the least object valid
	madeFields = 80  // fields that the larger object may get
	madeDepth  = 4   // of these fields
)

// objectMaker makes objects that a version of a definition accepts.
type objectMaker struct {
	maker     explore.Maker
	resource  *apiresource.Definition
	validator *apiresource.Validator
}

// addMade adds objects that are made from the schema to a suite without samples: the least object, and one with as many
// fields as the definition accepts together. If it accepts none, the least one stays, and what it refuses is left open.
func (plan *Plan) addMade(s *Suite, changes *variations) {
	d, version := s.Definition, s.madeVersion()
	least := map[string]any{
		"apiVersion": version.GroupVersion().String(), "kind": version.Kind,
		"metadata": map[string]any{"name": strings.ToLower(version.Kind)},
	}
	if d.CRD.Spec.Scope != "Cluster" {
		least["metadata"].(map[string]any)["namespace"] = "default"
	}
	add := func(name string, object map[string]any) {
		s.Objects = append(s.Objects, NamedObject{name, Sample{Kind: version.GroupVersionKind, Object: object}})
		s.Cases = append(s.Cases, Case{Name: name, Object: name})
		changes.add(name, object, version.Schema)
	}
	of, err := newObjectMaker(d, version)
	if err != nil {
		plan.open("%s has no sample of %s, and no object can be made from its schema: %v; write one into cases.yaml", d.CRD.Name,
			version.Kind, err)
		add("least", least)
		return
	}
	least, why := of.accepted(least)
	if why != "" {
		plan.open("%s has no sample of %s, and the definition refuses the object that was made from its schema: %s; correct it in "+
			"cases.yaml", d.CRD.Name, version.Kind, why)
		add("least", least)
		return
	}
	plan.open("%s has no sample of %s: the cases begin with objects that were made from its schema; add real ones to cases.yaml",
		d.CRD.Name, version.Kind)
	add("least", least)
	if full, grew := of.grown(least); grew {
		add("full", full)
	}
}

// madeVersion returns the version that objects are made in: the compared one, or else the stored one.
func (s *Suite) madeVersion() *definitions.Version {
	of := s.Definition
	for _, version := range of.CRD.Spec.Versions {
		at := slices.IndexFunc(of.Versions, func(v *definitions.Version) bool { return v.Version == version.Name })
		if at >= 0 && version.Served && (version.Name == s.Version || s.Version == "" && version.Storage) {
			return of.Versions[at]
		}
	}
	return of.Versions[0]
}

func newObjectMaker(d *Definition, version *definitions.Version) (*objectMaker, error) {
	props, err := generate.Expand(version.Schema, nil)
	if err != nil {
		return nil, err
	}
	resource, err := apiresource.NewDefinition(apiresource.New(d.CRD, apiresource.Version{Name: version.Version, Schema: version.Schema}))
	if err != nil {
		return nil, err
	}
	backend, err := resource.Backend(version.Version)
	if err != nil {
		return nil, err
	}
	maker := explore.Maker{Source: generate.Seeded(1), Schema: props}
	return &objectMaker{maker, resource, backend.Validator}, nil
}

// refused returns what the definition refuses in a new object.
func (m *objectMaker) refused(object map[string]any) field.ErrorList {
	defaulted, err := m.resource.Default(object)
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	return m.validator.Validate(context.Background(), defaulted, nil)
}

// accepted returns an object changed into one that the definition accepts, or why there is none.
func (m *objectMaker) accepted(object map[string]any) (made map[string]any, why string) {
	identity := object["metadata"]
	wrong := func(object map[string]any) (all []generate.Mistake) {
		for _, err := range m.refused(object) {
			all = append(all, generate.Mistake{Field: err.Field, Text: err.Error()})
		}
		return all
	}
	made, _ = generate.Mend(m.maker.Source, m.maker.Schema, object, generate.Mending{
		Wrong: wrong, Steps: madeSteps, Object: generate.ObjectOptions{Values: 1},
	})
	made["metadata"] = identity
	if left := wrong(made); len(left) > 0 {
		return made, fmt.Sprintf("%s (%s)", left[0].Text, plaintext.Count(len(left), "error"))
	}
	return made, ""
}

// grown returns an object with the fields of the schema that can be added one after the other, and whether there are any.
func (m *objectMaker) grown(object map[string]any) (made map[string]any, grew bool) {
	made = object
	for _, at := range m.fields() {
		if _, has := m.maker.ValueAt(made, at); has {
			continue
		}
		if larger := m.maker.WithPart(made, at); larger != nil && len(m.refused(larger)) == 0 {
			made, grew = larger, true
		}
	}
	return made, grew
}

// fields returns the places of the fields that a user writes, those near the root first.
func (m *objectMaker) fields() (all [][]string) {
	type place struct {
		at []string
		of *spec.Schema
	}
	level := []place{{nil, m.schema()}}
	for depth := 0; depth < madeDepth && len(all) < madeFields; depth++ {
		var next []place
		for _, above := range level {
			for child := range openapi.Children(above.of) {
				at := slices.Clip(above.at)
				switch {
				case child.Keyword == "properties" && !(len(at) == 0 && isOfEveryKind(child.Name)):
					at = append(at, child.Name)
					all = append(all, at)
				case child.Keyword == "items" || child.Keyword == "additionalProperties":
					at = append(at, "[*]")
				default:
					continue
				}
				next = append(next, place{at, child.Schema})
			}
		}
		level = next
	}
	return all[:min(len(all), madeFields)]
}

// isOfEveryKind reports whether every kind has a field, or the server writes it.
func isOfEveryKind(name string) bool {
	return slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, name)
}

func (m *objectMaker) schema() *spec.Schema { return m.resource.Resource().Versions[0].Schema }
