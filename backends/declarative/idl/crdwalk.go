package idl

import (
	"go/ast"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/gotypes"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/openapi/formats"
)

// crdWalk visits the Go types that a schema of controller-gen was made of, beside the schema,
// and applies our markers to it. The schema has no references.
type crdWalk struct {
	builder *builder
	check   func(*spec.Schema) field.ErrorList // nil: bundled rules are not compiled
	inside  map[*gotypes.Type]bool
}

// version applies our markers to the schema of a version, and returns its origins. Without our
// markers the schema does not change.
func (w *crdWalk) version(root TypeName, props *apiextensionsv1.JSONSchemaProps) (Origins, error) {
	in, err := w.builder.sources.Root(root.Package)
	if err != nil {
		return nil, err
	}
	var node spec.Schema
	if err := copyJSON(props, &node); err != nil {
		return nil, err
	}
	w.builder.changed = false
	t, origins := in.Types[root.Name], Origins{}
	target.SetOrigin(&node, "", w.builder.scopeOf(t).at)
	w.named(t, &node)
	if w.builder.changed {
		node = *withoutKEP4153(&node)
	}
	if w.check != nil {
		w.adapt(&node)
	}
	node = *origins.collect(&node, nil)
	if !w.builder.changed {
		return origins, nil
	}
	*props = apiextensionsv1.JSONSchemaProps{}
	return origins, copyJSON(&node, props)
}

// named applies the markers of a type, from the inside out.
func (w *crdWalk) named(t *gotypes.Type, node *spec.Schema) {
	if w.inside[t] {
		return // controller-gen cuts the recursion here too
	}
	w.inside[t] = true
	defer delete(w.inside, t)
	at := w.builder.scopeOf(t)
	if _, isStruct := t.Spec.Type.(*ast.StructType); isStruct {
		w.fields(at, t, node)
	} else {
		w.expression(at, t.Spec.Type, node)
	}
	w.builder.apply(w.builder.typeTarget(t, node), at, w.own(t.Package, t.Lines), w.builder.entries(t).Lines())
	w.builder.schemas.FinishStruct(node)
}

// own returns the lines of the source, or none if the markers of the package are left to
// controller-gen.
func (w *crdWalk) own(p *gotypes.Package, lines []marker.Line) []marker.Line {
	if w.builder.editable(p) {
		return lines
	}
	return nil
}

func (w *crdWalk) fields(in scope, t *gotypes.Type, owner *spec.Schema) {
	entries := w.builder.entries(t)
	for _, f := range t.Fields {
		here := scope{in: in.in, file: in.file, at: f.At}
		lines := w.own(in.in, f.Lines)
		if f.JSONName == "" {
			w.expression(here, f.Expr, owner)
			w.builder.apply(w.builder.inlinedTarget(here, owner), here, lines, entries.FieldLines(f.GoName))
			continue
		}
		node, ok := owner.Properties[f.JSONName]
		if !ok {
			continue // the struct has its own JSON form, such as a time
		}
		target.SetOrigin(&node, "", f.At)
		w.expression(here, f.Expr, &node)
		w.builder.schemas.Struct(owner).GoNames[f.JSONName] = f.GoName
		to := w.builder.fieldTarget(here, &node, owner, f.JSONName)
		w.builder.apply(to, here, lines, entries.FieldLines(f.JSONName))
		owner.Properties[f.JSONName] = node
		if to.Field.Required != nil {
			owner.Required = slices.DeleteFunc(owner.Required, func(name string) bool { return name == f.JSONName })
			if *to.Field.Required {
				owner.Required = append(owner.Required, f.JSONName)
			}
			slices.Sort(owner.Required)
		}
	}
	w.builder.schemas.FinishFields(owner)
}

// expression follows a type as it is written to the types that it names.
func (w *crdWalk) expression(in scope, expr ast.Expr, node *spec.Schema) {
	written := gotypes.ReadType(expr)
	switch {
	case written.Name != "":
		of, err := w.builder.sources.PackageOf(in.in, in.file, written)
		if err != nil {
			w.builder.addf(in.at, "%v", err)
			return
		}
		if t, ok := of.Types[written.Name]; ok {
			w.named(t, node)
		}
	case written.Key != nil:
		if node.AdditionalProperties != nil && node.AdditionalProperties.Schema != nil {
			w.expression(in, written.Element, node.AdditionalProperties.Schema)
		}
	case written.Element != nil:
		if node.Items != nil && node.Items.Schema != nil {
			w.expression(in, written.Element, node.Items.Schema)
		}
	}
}

// withoutKEP4153 replaces the formats and extensions of KEP-4153 by what the API server knows. The KEP
// wants its formats "translated into an inline schema".
func withoutKEP4153(s *spec.Schema) *spec.Schema {
	plain := openapi.MapChildren(s, func(child openapi.Child) *spec.Schema { return withoutKEP4153(child.Schema) })
	plain.Extensions = maps.Clone(s.Extensions)
	if format := formats.Of(s.Format); format.Proposed {
		known, validated := formats.OfCEL(format.CEL), "format."+format.CEL+"().validate(self)"
		if plain.Format = known.Name; known.Proposed {
			plain.Format = ""
			target.AddRule(plain, map[string]any{
				"rule":              "!" + validated + ".hasValue()",
				"messageExpression": validated + ".value().join('; ')",
				"reason":            string(field.ErrorTypeInvalid),
			})
		}
	}
	delete(plain.Extensions, openapi.XStripZero)
	delete(plain.Extensions, openapi.XValidationErrors)
	return plain
}

// editable reports whether a package is one of the roots or in their module.
func (b *builder) editable(p *gotypes.Package) bool {
	module := p.Loaded.Module
	return b.sources.Roots[p.Path] != nil || module != nil && module.Main
}

// foreign reports by file whether its package is not editable. Bundled overlays are not.
func (b *builder) foreign() map[string]bool {
	files := maps.Clone(b.bundled)
	for _, p := range b.sources.Parsed {
		for _, file := range p.Loaded.Syntax {
			files[b.sources.Position(file.Package).File] = !b.editable(p)
		}
	}
	return files
}
