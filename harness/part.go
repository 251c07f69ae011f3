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
	"github.com/diffrun/diffrun/internal/fielderror"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// PartScheme is implemented by a Scheme that also converts typed objects of a part of the
// kind, such as the spec of a Deployment.
type PartScheme interface {
	// Part gives the field of the kind that holds objects of this type, as in "spec" or
	// "spec.template", in a version. It is empty for objects of the kind itself. A struct whose
	// fields stand in JSON among those of the struct around it is at the field of that one. Where
	// the kind has several fields of the type, path says which is meant: it is that of the test
	// (Case.Path) without indexes, as in spec, containers, readinessProbe; empty: the test gives none.
	// The error is an *InexpressibleError if the version has no such field.
	Part(object any, path []string, version schema.GroupVersionKind) (string, error)
}

// PartBackend is implemented by a declarative Backend that can validate a part of the kind
// by the definition of that part.
type PartBackend interface {
	// Part gives the backend of the part at a field. Its errors have paths within the part.
	Part(field string) (Backend, error)
}

// partOf says which part of the kind an object is; empty: it is whole.
func (h *Harness) partOf(object any, at *field.Path, version schema.GroupVersionKind) (string, error) {
	if scheme, ok := h.target.Scheme.(PartScheme); ok {
		return scheme.Part(object, fieldsOf(at), version)
	}
	return "", nil
}

// fieldsOf gives the names of the fields of a path, without indexes and keys.
func fieldsOf(path *field.Path) []string {
	var names []string
	for _, step := range fieldpath.Split(fieldpath.Canonical(path.String())) {
		if !step.Bracket {
			names = append(names, step.Text)
		}
	}
	return names
}

// forPart gives the backend that validates what an input has, with errors below the path of
// the test.
func (p placing) forPart(backend Backend) (Backend, error) {
	if p.part != "" {
		parts, ok := backend.(PartBackend)
		if !ok {
			return nil, fmt.Errorf("the %s backend validates whole objects, and the case has %s alone", backend.Name(), p.part)
		}
		part, err := parts.Part(p.part)
		if err != nil {
			return nil, err
		}
		backend = part
	}
	if p.path == "" && p.fields == nil {
		return backend, nil
	}
	return below{backend, p}, nil
}

// below is a backend whose errors have paths below the root of a placing, and are about its
// fields.
type below struct {
	Backend
	at placing
}

func (b below) Validate(ctx context.Context, in *Input) (field.ErrorList, error) {
	errs, err := b.Backend.Validate(ctx, in)
	return b.move(errs), err
}

func (b below) Unchecked(ctx context.Context, in *Input) (field.ErrorList, error) {
	unchecking, ok := b.Backend.(Unchecking)
	if !ok {
		return nil, nil
	}
	errs, err := unchecking.Unchecked(ctx, in)
	return b.move(errs), err
}

func (b below) Unratcheted(ctx context.Context, in *Input) (field.ErrorList, error) {
	ratcheting, ok := b.Backend.(Ratcheting)
	if !ok {
		return nil, nil
	}
	errs, err := ratcheting.Unratcheted(ctx, in)
	return b.move(errs), err
}

func (b below) Locate(ctx context.Context, in *Input) ([]Located, error) {
	locating, ok := b.Backend.(Locating)
	if !ok {
		return nil, nil
	}
	located, err := locating.Locate(ctx, in)
	located = slices.DeleteFunc(located, func(l Located) bool { return !b.at.has(l.Error) })
	for i := range located {
		located[i].Error = fielderror.Moved(located[i].Error, "", b.at.path)
	}
	return located, err
}

func (b below) ValidatesDeletes() bool { return validatesDeletes(b.Backend) }

func (b below) move(errs field.ErrorList) field.ErrorList {
	there := make(field.ErrorList, 0, len(errs))
	for _, err := range errs {
		if b.at.has(err) {
			there = append(there, fielderror.Moved(err, "", b.at.path))
		}
	}
	return there
}

// placing says where errors are: path is the root in the words of the test, part is the field
// of the kind that stands there.
type placing struct {
	path, part string
	// fields are those that a part has; nil: it is a whole object. The definition at the field
	// has more, if the part stands among the fields of the struct around it.
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

// addFields adds the fields that a struct has in JSON.
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

// has says that an error of the definition is about the part: about a field that it has, or
// about the whole of it.
func (p placing) has(err *field.Error) bool {
	path := fieldpath.Canonical(err.Field)
	if end := strings.IndexAny(path, ".["); end >= 0 {
		path = path[:end]
	}
	return p.fields == nil || path == "" || p.fields[path]
}

// astray says that none of the errors of a call is about what the case has: they begin with another
// path than the case says.
func (p placing) astray(errs field.ErrorList) bool {
	return len(errs) > 0 && !slices.ContainsFunc(errs, func(err *field.Error) bool {
		within := fielderror.Moved(err, p.path, "")
		return (p.path == "" || within != err) && p.has(within)
	})
}

// inKind gives errors with the paths that they have in the kind: rules, exceptions and the
// schema know these. The function it gives puts the errors of pairs back.
func (p placing) inKind(answers ...*equivalence.Answer) (restore func([]equivalence.Pair)) {
	if p.path == p.part {
		return func([]equivalence.Pair) {}
	}
	before := map[*field.Error]*field.Error{}
	for _, answer := range answers {
		for _, list := range []*field.ErrorList{&answer.Steady, &answer.Unstable, &answer.Unchecked, &answer.Unratcheted} {
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
		}
	}
}

// inTheKind gives an error of the test with the path that it has in the kind. An error that
// is not below the path of the test has none, and must not be taken for one that has.
func (p placing) inTheKind(err *field.Error) *field.Error {
	there := fielderror.Moved(err, p.path, p.part)
	if there == err && err != nil {
		copied := *err
		copied.Field = "outside " + err.Field
		return &copied
	}
	return there
}
