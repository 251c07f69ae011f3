package harness

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// partOf returns the field of the kind that holds the object of a case; empty: it is whole, as each document.
func (h *Harness) partOf(c *Case, version schema.GroupVersionKind) (string, error) {
	if _, isDocument := c.Object.(map[string]any); isDocument || h.scheme.Part == nil {
		return "", nil
	}
	return h.scheme.Part(c.Object, fieldsOf(c.Path), version)
}

// fieldsOf returns the field names of a path, without indexes and keys.
func fieldsOf(path *field.Path) []string {
	var names []string
	for _, step := range fieldpath.Split(fieldpath.Canonical(path.String())) {
		if !step.Bracket {
			names = append(names, step.Text)
		}
	}
	return names
}

// forPart returns the backend for the part that an input has, with errors below the path of the
// test.
func (p placing) forPart(backend capableBackend) (capableBackend, error) {
	if p.part != "" {
		if backend.can.Part == nil {
			return capableBackend{}, fmt.Errorf("the %s backend validates whole objects, but the case has only %s", backend.Name(), p.part)
		}
		part, err := backend.can.Part(p.part)
		if err != nil {
			return capableBackend{}, err
		}
		backend = capable(part)
	}
	if p.path == "" && p.fields == nil {
		return backend, nil
	}
	return p.below(backend), nil
}

// below returns a backend that reports only errors about the fields of a placing, with paths below
// its root.
func (p placing) below(backend capableBackend) capableBackend {
	can := contract.Capabilities{
		ValidatesDeletes:  backend.can.ValidatesDeletes,
		UncheckedRules:    p.moving(backend.can.UncheckedRules),
		WithoutRatcheting: p.moving(backend.can.WithoutRatcheting),
	}
	if locate := backend.can.Locate; locate != nil {
		can.Locate = func(ctx context.Context, in *Input) ([]contract.Located, error) {
			located, err := locate(ctx, in)
			located = slices.DeleteFunc(located, func(l contract.Located) bool { return !p.has(l.Error) })
			for i := range located {
				located[i].Error = fielderror.Moved(located[i].Error, "", p.path)
			}
			return located, err
		}
	}
	return capableBackend{below{backend, p.moving(backend.Validate)}, can}
}

// below is a backend with a different Validate.
type below struct {
	Backend
	validate func(context.Context, *Input) (field.ErrorList, error)
}

func (b below) Validate(ctx context.Context, in *Input) (field.ErrorList, error) {
	return b.validate(ctx, in)
}

// moving wraps a function of a backend like below; nil stays nil.
func (p placing) moving(validate func(context.Context, *Input) (field.ErrorList, error)) func(context.Context,
	*Input) (field.ErrorList, error) {
	if validate == nil {
		return nil
	}
	return func(ctx context.Context, in *Input) (field.ErrorList, error) {
		errs, err := validate(ctx, in)
		there := make(field.ErrorList, 0, len(errs))
		for _, err := range errs {
			if p.has(err) {
				there = append(there, fielderror.Moved(err, "", p.path))
			}
		}
		return there, err
	}
}

// placing is where errors are: path is the root in the test, part is the field of the kind at that
// root.
type placing struct {
	path, part string
	// fields are the fields of a part; nil: it is a whole object. The definition at the field has
	// more, if the struct of the part is inlined in another struct.
	fields map[string]bool
}

func placeOf(in *Input, c *Case) placing {
	at := placing{path: fieldpath.Canonical(c.Path.String()), part: in.Part}
	if in.Part != "" && in.Object != nil {
		if typ := reflect.Indirect(reflect.ValueOf(in.Object.Go())).Type(); typ.Kind() == reflect.Struct {
			at.fields = map[string]bool{}
			at.addFields(typ)
		}
	}
	return at
}

// addFields adds the JSON fields of a struct.
func (p placing) addFields(typ reflect.Type) {
	for field := range typ.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		inside := field.Type
		if inside.Kind() == reflect.Pointer {
			inside = inside.Elem()
		}
		if name == "" && inside.Kind() == reflect.Struct {
			p.addFields(inside)
		}
		p.fields[name] = true
	}
}

// has reports whether an error of the definition is about the part: about one of its fields, or the
// whole of it.
func (p placing) has(err *field.Error) bool {
	path := fieldpath.Canonical(err.Field)
	if end := strings.IndexAny(path, ".["); end >= 0 {
		path = path[:end]
	}
	return p.fields == nil || path == "" || p.fields[path]
}

// outsidePath reports whether there are errors and all lie outside the fields of the object at the
// path of the case.
func (p placing) outsidePath(errs field.ErrorList) bool {
	return len(errs) > 0 && !slices.ContainsFunc(errs, func(err *field.Error) bool {
		within := fielderror.Moved(err, p.path, "")
		return (p.path == "" || within != err) && p.has(within)
	})
}

// inKind changes the paths of errors to those in the kind, which rules, exceptions and the schema
// use. The returned function restores the errors of pairs.
func (p placing) inKind(answers ...*difference.Answer) (restore func([]equivalence.Pair)) {
	if p.path == p.part {
		return func([]equivalence.Pair) {}
	}
	before := map[*field.Error]*field.Error{}
	for _, answer := range answers {
		for _, list := range []*field.ErrorList{&answer.Errors, &answer.Unstable, &answer.Unchecked, &answer.WithoutRatcheting} {
			there := make(field.ErrorList, len(*list))
			for i, err := range *list {
				there[i] = p.inTheKind(err)
				before[there[i]] = err
			}
			*list = there
		}
	}
	return func(pairs []equivalence.Pair) {
		for i := range pairs {
			pairs[i].Native, pairs[i].Declarative = before[pairs[i].Native], before[pairs[i].Declarative]
			if dropped := pairs[i].Dropped; dropped != nil {
				pairs[i].Dropped = &difference.Dropped{Error: before[dropped.Error], Count: dropped.Count, Class: dropped.Class}
			}
		}
	}
}

// inTheKind returns an error of the test with its path in the kind. An error outside the path of
// the test has none, and gets a path that no field has.
func (p placing) inTheKind(err *field.Error) *field.Error {
	there := fielderror.Moved(err, p.path, p.part)
	if there == err && err != nil {
		copied := *err
		copied.Field = "outside " + err.Field
		return &copied
	}
	return there
}
