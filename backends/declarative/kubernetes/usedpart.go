package kubernetes

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// usedParts returns the fields whose rules are on the struct around them, because hand-written code
// checks the field only for some values of its siblings. The values are those siblings.
func usedParts() map[string]map[string]any {
	return map[string]map[string]any{
		"DaemonSetUpdateStrategy.rollingUpdate": {"type": "RollingUpdate"}, // ValidateRollingUpdateDaemonSet
		"DeploymentStrategy.rollingUpdate":      {"type": "RollingUpdate"}, // ValidateRollingUpdateDeployment
	}
}

// siblingsOfUsed returns the siblings of a field that make hand-written code check it, or nil if its
// rules do not depend on siblings. place is that of the struct.
func siblingsOfUsed(place string, at fieldpath.Step) map[string]any {
	if at.Bracket {
		return nil
	}
	return usedParts()[strings.TrimSuffix(place[strings.LastIndex(place, ".")+1:], "]")+"."+at.Text]
}

// usedPart validates a part inside the struct around it, which has only the siblings that make
// hand-written code check the part. Its errors have paths within the part.
type usedPart struct {
	declarative.Backend // of the struct
	field               string
	siblings            map[string]any
	place               string // of the struct in the schema of the kind
}

// Validate implements harness.Backend.
func (u usedPart) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	return u.inside(u.Backend.Validate)(ctx, in)
}

// Capabilities implements contract.Capable.
func (u usedPart) Capabilities() contract.Capabilities {
	can := u.Backend.Capabilities()
	locate := can.Locate
	can.WithoutRatcheting, can.UncheckedRules = u.inside(can.WithoutRatcheting), u.inside(can.UncheckedRules)
	can.Declarations = nil // they would be those of the struct
	can.Locate = func(ctx context.Context, in *harness.Input) ([]contract.Located, error) {
		located, err := locate(ctx, u.around(in))
		for i, one := range located {
			located[i].Error = fielderror.Moved(one.Error, u.field, "")
			for j, place := range one.Declared {
				if !strings.HasPrefix(place, "definitions[") {
					located[i].Declared[j] = u.place + "." + place
				}
			}
		}
		return located, err
	}
	return can
}

// inside returns a function that validates the struct around a part, and returns errors with paths
// within the part.
func (u usedPart) inside(validate func(context.Context, *harness.Input) (field.ErrorList, error)) func(context.Context,
	*harness.Input) (field.ErrorList, error) {
	return func(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
		errs, err := validate(ctx, u.around(in))
		for i := range errs {
			errs[i] = fielderror.Moved(errs[i], u.field, "")
		}
		return errs, err
	}
}

// around puts the objects of an input into structs.
func (u usedPart) around(in *harness.Input) *harness.Input {
	whole := *in
	for _, view := range []**contract.View{&whole.Object, &whole.Old} {
		if *view != nil {
			*view = contract.NewView(u.structOf((*view).Go()))
		}
	}
	return &whole
}

// structOf makes a Go struct of a part, which is read in place as a typed object.
func (u usedPart) structOf(part any) any {
	values := maps.Clone(u.siblings)
	values[u.field] = part
	names := slices.Sorted(maps.Keys(values))
	fields := make([]reflect.StructField, len(names))
	for i, name := range names {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("Field%d", i),
			Type: reflect.TypeOf(values[name]),
			Tag:  reflect.StructTag(fmt.Sprintf("json:%q", name)),
		}
	}
	made := reflect.New(reflect.StructOf(fields))
	for i, name := range names {
		made.Elem().Field(i).Set(reflect.ValueOf(values[name]))
	}
	return made.Interface()
}
