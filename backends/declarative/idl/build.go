package idl

import (
	"fmt"
	"go/ast"
	"strings"

	openapicommon "k8s.io/kube-openapi/pkg/common"
	openapiutil "k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/gotypes"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/overlay"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/openapi"
)

// builder visits Go types depth first, starting at the roots, and creates a definition for each
// struct.
type builder struct {
	sources    *gotypes.Sources
	dialects   []Dialect
	vocabulary *marker.Vocabulary
	overlays   overlay.Files
	bundled    map[string]bool // the files of bundled overlays
	// ignoreUnknown means that misspelled markers are not reported.
	ignoreUnknown bool
	optional      bool     // Config.Optional
	applied       []string // the names of the markers that controller-tools has applied
	schemas       *target.Schemas
	expanding     map[*gotypes.Type]bool
	changed       bool // a marker was applied
	usage         *usage
	unexpressed   []Unexpressed
	mistakes      strictyaml.Mistakes
	misshapen     bool // a Go type has no schema
}

// scope is the declaration that an expression is in. It decides what names refer to.
type scope struct {
	in   *gotypes.Package
	file *ast.File
	at   strictyaml.Position
}

func (b *builder) addf(at strictyaml.Position, format string, args ...any) {
	b.mistakes.Addf(at, format, args...)
}

// misshape reports a Go type that has no schema.
func (b *builder) misshape(at strictyaml.Position, format string, args ...any) {
	b.misshapen = true
	b.addf(at, format, args...)
}

// definitionName returns the name under which Kubernetes publishes a type, for example
// io.k8s.api.apps.v1.Deployment.
func definitionName(packagePath, typeName string) string {
	return openapiutil.ToRESTFriendlyName(packagePath + "." + typeName)
}

// named returns the schema of a declared type.
func (b *builder) named(t *gotypes.Type) (spec.Schema, shape) {
	path := t.Package.Path + "." + t.Spec.Name.Name
	known, made, isKnown := wellKnown(path)
	if _, isStruct := t.Spec.Type.(*ast.StructType); isStruct && !isKnown {
		return b.define(t), shapeStruct
	}
	at := b.scopeOf(t)
	if t.Spec.TypeParams != nil {
		b.misshape(at.at, "type %s has type parameters; a schema needs one Go type", t.Spec.Name.Name)
		return spec.Schema{}, shapeOther
	}
	if b.expanding[t] {
		b.misshape(at.at, "type %s contains itself without a struct in between, so it has no finite schema", t.Spec.Name.Name)
		return spec.Schema{}, shapeOther
	}
	node := known
	if !isKnown {
		b.expanding[t] = true
		node, made = b.expression(at, t.Spec.Type)
		delete(b.expanding, t)
	}
	b.applyTypeMarkers(t, &node)
	return node, made
}

func (b *builder) scopeOf(t *gotypes.Type) scope {
	return scope{in: t.Package, file: t.File, at: b.sources.Position(t.Spec.Pos())}
}

// define creates the definition of a struct type on first use, and returns a reference to it.
func (b *builder) define(t *gotypes.Type) spec.Schema {
	name := definitionName(t.Package.Path, t.Spec.Name.Name)
	if _, ok := b.schemas.Definitions[name]; ok {
		return openapi.RefTo(name)
	}
	node := newStruct()
	target.SetOrigin(&node, "", b.scopeOf(t).at)
	b.schemas.Definitions[name] = &node
	b.schemas.Building[name] = true
	b.addFields(b.scopeOf(t), &node, t.Fields, b.entries(t))
	b.applyTypeMarkers(t, &node)
	b.schemas.FinishStruct(&node)
	delete(b.schemas.Building, name)
	return openapi.RefTo(name)
}

// typeTarget returns the target of the markers of a type.
func (b *builder) typeTarget(t *gotypes.Type, node *spec.Schema) *target.Target {
	to := b.target(b.scopeOf(t), node)
	to.Constants = func(leaveOut func([]marker.Line) bool) ([]any, error) { return b.sources.ConstantsOf(t, leaveOut) }
	return to
}

// fieldTarget returns the target of the markers of a field.
func (b *builder) fieldTarget(in scope, node, owner *spec.Schema, name string) *target.Target {
	to := b.target(in, node)
	to.Owner, to.Field = owner, &target.Field{Name: name}
	return to
}

// inlinedTarget returns the target of the markers of an inlined struct.
func (b *builder) inlinedTarget(in scope, owner *spec.Schema) *target.Target {
	to := b.target(in, owner)
	to.Inlined = true
	return to
}

func (b *builder) target(in scope, node *spec.Schema) *target.Target {
	return &target.Target{
		Node: node, Schemas: b.schemas,
		Constant: func(name string) (string, error) { return b.sources.Constant(in.in, in.file, name) },
	}
}

func newStruct() spec.Schema {
	return spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}, Properties: map[string]spec.Schema{}}}
}

func (b *builder) applyTypeMarkers(t *gotypes.Type, node *spec.Schema) {
	b.apply(b.typeTarget(t, node), b.scopeOf(t), t.Lines, b.entries(t).Lines())
}

// addFields adds the fields of a struct to its schema.
func (b *builder) addFields(in scope, owner *spec.Schema, fields []*gotypes.Field, entries overlay.Entries) {
	for _, f := range fields {
		here := scope{in: in.in, file: in.file, at: f.At}
		node, made := b.expression(here, f.Expr)
		if f.JSONName == "" && b.embed(here, owner, f, &node, entries) {
			continue
		}
		field := *f
		field.JSONName = f.Name()
		if f.AsString {
			node = typed("string", "")
		}
		b.schemas.Struct(owner).GoNames[field.JSONName] = f.GoName
		target.SetOrigin(&node, "", f.At)
		to := b.fieldTarget(here, &node, owner, field.JSONName)
		b.apply(to, here, f.Lines, entries.FieldLines(field.JSONName))
		finishField(to, &field, made, in.in.Optional || b.optional)
	}
	b.schemas.FinishFields(owner)
}

// embed adds the fields and rules of an inlined struct to its owner. It returns false if the
// embedded type is not a struct: encoding/json treats that as a field.
func (b *builder) embed(in scope, owner *spec.Schema, f *gotypes.Field, node *spec.Schema, entries overlay.Entries) bool {
	inner := b.schemas.Resolve(node)
	if target.KindOf(inner) != target.KindStruct {
		return false
	}
	if name, ok := target.RefName(node); ok && b.schemas.Building[name] {
		b.misshape(in.at, "struct %s is inlined into itself", f.GoName)
		return true
	}
	inner = target.Clone(inner)
	for name, property := range inner.Properties {
		if _, shadowed := owner.Properties[name]; !shadowed {
			owner.Properties[name] = property
		}
	}
	if _, pointer := f.Expr.(*ast.StarExpr); !pointer { // a nil pointer leaves all of them out
		owner.Required = append(owner.Required, inner.Required...)
	}
	owner.AllOf = append(owner.AllOf, inner.AllOf...)
	for _, rule := range target.RulesOf(inner) {
		target.AddRule(owner, rule.(map[string]any))
	}
	b.apply(b.inlinedTarget(in, owner), in, f.Lines, entries.FieldLines(f.GoName))
	return true
}

// expression returns the schema of a type expression.
func (b *builder) expression(in scope, expr ast.Expr) (spec.Schema, shape) {
	written := gotypes.ReadType(expr)
	node, made := b.written(in, written)
	if written.Pointer {
		made = shapePointer
	}
	return node, made
}

func (b *builder) written(in scope, written gotypes.TypeExpr) (spec.Schema, shape) {
	switch {
	case written.Name != "":
		return b.identifier(in, written)
	case written.Key != nil:
		return b.mapping(in, written), shapeOther
	case written.Element != nil:
		return b.list(in, written), shapeOther
	case written.Interface:
		return extended("", openapi.XPreserveUnknownFields), shapeInterface
	case written.Struct != nil:
		node := newStruct()
		comments := b.sources.CommentsOf(in.in, in.file)
		b.addFields(in, &node, b.sources.ParseFields(written.Struct, comments), nil)
		b.schemas.FinishStruct(&node)
		return node, shapeStruct
	}
	b.misshape(in.at, "a %s has no JSON form", strings.TrimPrefix(fmt.Sprintf("%T", written.Other), "*ast."))
	return spec.Schema{}, shapeOther
}

func (b *builder) identifier(in scope, written gotypes.TypeExpr) (spec.Schema, shape) {
	of, err := b.sources.PackageOf(in.in, in.file, written)
	if err != nil {
		b.misshape(in.at, "%v", err)
		return spec.Schema{}, shapeOther
	}
	name := written.Name
	if t, ok := of.Types[name]; ok {
		return b.named(t)
	}
	switch name {
	case "any":
		return extended("", openapi.XPreserveUnknownFields), shapeInterface
	case "bool":
		return typed("boolean", ""), shapeBool
	}
	typeName, format := openapicommon.OpenAPITypeFormat(name)
	switch typeName {
	case "string":
		return typed(typeName, format), shapeOther
	case "integer", "number":
		return typed(typeName, format), shapeNumber
	}
	b.misshape(in.at, "package %s has no type %s that can be encoded as JSON", of.Path, name)
	return spec.Schema{}, shapeOther
}

func (b *builder) list(in scope, written gotypes.TypeExpr) spec.Schema {
	if element := gotypes.ReadType(written.Element); element == (gotypes.TypeExpr{Name: "byte"}) ||
		element == (gotypes.TypeExpr{Name: "uint8"}) {
		return typed("string", "byte")
	}
	item, _ := b.expression(in, written.Element)
	return spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"array"}, Items: &spec.SchemaOrArray{Schema: &item}}}
}

func (b *builder) mapping(in scope, written gotypes.TypeExpr) spec.Schema {
	key, _ := b.expression(in, written.Key)
	if kind := target.KindOf(b.schemas.Resolve(&key)); kind != target.KindText && kind != target.KindNumber {
		b.misshape(in.at, "a map with keys of kind %s has no JSON form", kind)
	}
	value, _ := b.expression(in, written.Element)
	return spec.Schema{SchemaProps: spec.SchemaProps{
		Type: []string{"object"}, AdditionalProperties: &spec.SchemaOrBool{Allows: true, Schema: &value},
	}}
}
