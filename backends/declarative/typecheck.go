package declarative

import (
	"math"
	"slices"
	"strings"

	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// schemaTypes are the types that a schema may name.
func schemaTypes() []string {
	return []string{"object", "array", "string", "number", "integer", "boolean", "null"}
}

// typesOf are the types that a schema accepts. An int-or-string accepts both,
// whether a CRD says so with the extension or a native type with the format.
func typesOf(s *spec.Schema) []string {
	if intOrString(s) {
		return []string{"integer", "string"}
	}
	return s.Type
}

func intOrString(s *spec.Schema) bool {
	set, _ := s.Extensions.GetBool("x-kubernetes-int-or-string")
	return set || s.Format == "int-or-string"
}

// verdict is what the type of a schema says about one kind of value.
type verdict struct {
	wrong     bool
	want, got string // type or format names, for the message
}

// typeCheck is the keyword "type". What it accepts follows kube-openapi's type
// validator, whose answer also depends on the format.
type typeCheck struct {
	site
	verdicts [view.Kinds]verdict
	whole    verdict // of a float that is a whole number
}

func compileType(c *compiler, n *node, s schemaSite) {
	types := typesOf(s.schema)
	for _, t := range types {
		if !slices.Contains(schemaTypes(), t) {
			c.mistake(s.where(), t, "unknown type; accepted are %s", strings.Join(schemaTypes(), ", "))
		}
	}
	var bad bool
	if raw, ok := s.schema.Extensions["x-kubernetes-int-or-string"]; ok {
		if _, isBool := raw.(bool); !isBool {
			c.mistake(s.of("x-kubernetes-int-or-string").where(), raw, "must be true or false")
			bad = true
		}
	}
	format := formatOf(s.schema, c.opts.Semantics)
	if bad || (len(types) == 0 && format == "") {
		return
	}
	check := &typeCheck{site: s.site(), whole: judge(types, format, view.Float, true)}
	for k := range view.Kinds {
		check.verdicts[k] = judge(types, format, k, false)
		if check.verdicts[k].wrong {
			n.on(check, k)
		}
	}
}

// typeNames are the names of a kind as a type and as the format that kube-openapi
// infers from a Go value.
func typeNames(k view.Kind) (typ, format string) {
	switch k {
	case view.Null:
		return "null", ""
	case view.Bool:
		return "boolean", ""
	case view.Int:
		return "integer", "int64"
	case view.Float:
		return "number", "float64"
	case view.String:
		return "string", ""
	case view.List:
		return "array", ""
	case view.Map:
		return "object", ""
	}
	return "unsupported", ""
}

func judge(types []string, format string, k view.Kind, whole bool) verdict {
	has := func(t string) bool { return slices.Contains(types, t) }
	joined := strings.Join(types, ",")
	typ, inferred := typeNames(k)
	if k == view.Null {
		return verdict{wrong: len(types) > 0 && !has("null"), want: joined, got: typ}
	}
	fits := has(typ) || (k == view.Float && whole && has("integer")) || (k == view.Int && has("number"))
	text := k == view.String || k == view.List
	if !text && format != "" && !fits && format != inferred {
		return verdict{wrong: true, want: format, got: inferred}
	}
	if text && format != "" && !has("number") && !has("integer") {
		return verdict{}
	}
	return verdict{wrong: !fits, want: joined, got: typ}
}

func (c *typeCheck) check(w *walk, f *frame) {
	verdict := c.verdicts[f.val.Kind()]
	switch {
	case f.val.Kind() == view.Float && wholeNumber(f.val.Float()):
		verdict = c.whole
	case f.val.Kind() == view.Null && (f.node.nullable || f.spine.nullable):
		return
	}
	if !verdict.wrong {
		return
	}
	w.score-- // a wrong type counts one less (see junctors.go)
	if w.failed() {
		w.invalid(f, &c.site, openapierrors.InvalidType(w.text(f), "body", verdict.want, verdict.got))
	}
}

// wholeNumber says that a float counts as an integer. As in go-openapi that is so
// up to JSON's largest safe integer and within a relative error of 1e-9.
func wholeNumber(f float64) bool {
	const safe, tolerance = 1<<53 - 1, 1e-9
	if math.IsNaN(f) || math.Abs(f) > safe {
		return false
	}
	rounded := math.Round(f)
	return f == rounded || (rounded != 0 && math.Abs(f-rounded) < tolerance*math.Abs(rounded))
}

func compileNullable(_ *compiler, n *node, s schemaSite) { n.nullable = s.schema.Nullable }

// compileStripZero notes what node.link needs to know which zeros count as absent.
func compileStripZero(c *compiler, n *node, s schemaSite) {
	n.zeros.strip, _ = extension[bool](c, s)
	if d := s.schema.Default; d != nil {
		n.zeros.defaulted, n.zeros.kept = true, view.Zero(d)
	}
}
