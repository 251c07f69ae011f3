package scaffold_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/files/kustomization/render"
	"github.com/diffrun/diffrun/internal/scaffold"
)

// TestValidators: the program calls each function once, and some function for every update.
func TestValidators(t *testing.T) {
	const crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: valves.plant.example}\n" +
		"spec:\n  group: plant.example\n  names: {kind: Valve, plural: valves}\n  scope: Namespaced\n" +
		"  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]\n"
	const head = "package v1\n\nimport \"k8s.io/apimachinery/pkg/util/validation/field\"\n\ntype Valve struct{ Inner *Valve }\n"
	const create, update = "(v *Valve) field.ErrorList ", "(v, old *Valve) field.ErrorList "
	for _, row := range []struct {
		why, source    string
		create, update []string
	}{
		{
			"a function of updates calls one of its own name",
			"func (v *Valve) ValidateUpdate(old *Valve) field.ErrorList { return v.Inner.ValidateUpdate(old.Inner) }\n" +
				"func ValidateValve" + create + "{ return nil }\n",
			[]string{"ValidateValve"},
			[]string{"ValidateValve", "ValidateUpdate"},
		},
		{
			"one of updates calls that of new objects",
			"func ValidateValve" + create + "{ return nil }\nfunc ValidateValveUpdate" + update + "{ return ValidateValve(v) }\n",
			[]string{"ValidateValve"},
			[]string{"ValidateValveUpdate"},
		},
		{
			"one for both calls one of updates, which calls one of new objects",
			"func ValidateValve" + update + "{ return ValidateValveUpdate(v, old) }\n" +
				"func ValidateValveUpdate" + update + "{ return ValidateSize(v) }\nfunc ValidateSize" + create + "{ return nil }\n",
			[]string{"ValidateValve", "ValidateSize"},
			[]string{"ValidateValve", "ValidateSize"},
		},
		{
			"one of new objects calls one of updates, without an old object",
			"func ValidateValve" + create + "{ return ValidateValveUpdate(v, nil) }\n" +
				"func ValidateValveUpdate" + update + "{ return nil }\n",
			[]string{"ValidateValve"},
			[]string{"ValidateValve", "ValidateValveUpdate"},
		},
		{
			"two call each other",
			"func ValidateValve" + create + "{ return ValidateInner(v) }\n" +
				"func ValidateInner" + create + "{ return ValidateValve(v.Inner) }\n",
			[]string{"ValidateValve", "ValidateInner"},
			[]string{"ValidateValve", "ValidateInner"},
		},
	} {
		t.Run(row.why, func(t *testing.T) {
			root := written(t, map[string]string{
				"go.mod": "module example.com/plant\n", "crd.yaml": crd, "api/v1/valve.go": head + row.source,
			})
			project, err := scaffold.Find(root, "diffrun", render.Folder)
			if err != nil || len(project.Validators()) != 1 {
				t.Fatalf("%d validators, %v", len(project.Validators()), err)
			}
			of := project.Validators()[0]
			names := func(functions []*scaffold.Function) (all []string) {
				for _, f := range functions {
					all = append(all, f.Name)
				}
				return all
			}
			if diff := cmp.Diff([][]string{row.create, row.update}, [][]string{names(of.Create), names(of.Update)}); diff != "" {
				t.Errorf("functions of new objects, and of updates (-want +got):\n%s", diff)
			}
		})
	}
}
