package infer

import (
	"context"
	"errors"
	"maps"
	"math"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/openapi"
)

// universe is all values at a scope in the samples, and for each CEL expression the values for which
// it is true.
type universe struct {
	scope  place
	root   *spec.Schema
	rows   []row
	byPath map[*sample]map[string]int
	// read counts the samples that rows are from.
	read int
	// true has the rows of each expression; nil: it does not compile.
	holds  map[string]bits
	probes []probe
}

// row is a value at the scope.
type row struct {
	of   *sample
	path steps
	self any
}

// probe is a schema with expressions as rules.
type probe struct {
	validator *declarative.Validator
	exprs     []string
}

// bits is a set of rows.
type bits []uint64

func (b bits) has(i int) bool { return i/64 < len(b) && b[i/64]&(1<<(i%64)) != 0 }

func (b *bits) add(i int) {
	for len(*b) <= i/64 {
		*b = append(*b, 0)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

// and returns the rows of both sets.
func (b bits) and(other bits) bits {
	out := make(bits, min(len(b), len(other)))
	for i := range out {
		out[i] = b[i] & other[i]
	}
	return out
}

// without returns the rows that are not in another set.
func (b bits) without(other bits) bits {
	out := make(bits, len(b))
	for i := range out {
		out[i] = b[i]
		if i < len(other) {
			out[i] &^= other[i]
		}
	}
	return out
}

func (b bits) count() (n int) {
	for _, word := range b {
		for ; word != 0; word &= word - 1 {
			n++
		}
	}
	return n
}

func (b bits) empty() bool {
	for _, word := range b {
		if word != 0 {
			return false
		}
	}
	return true
}

func newUniverse(root *spec.Schema, scope place) *universe {
	return &universe{scope: scope, root: skeleton(root), byPath: map[*sample]map[string]int{}, holds: map[string]bits{}}
}

// skeleton returns a schema without validations. It keeps the formats that have CEL types of their
// own.
func skeleton(s *spec.Schema) *spec.Schema {
	stripped := structural.Strip(s)
	var keep func(from, to *spec.Schema) *spec.Schema
	keep = func(from, to *spec.Schema) *spec.Schema {
		out := openapi.MapParts(to, func(part *spec.Schema) *spec.Schema { return part })
		switch from.Format {
		case "date", "date-time", "datetime", "duration", "byte":
			out.Format = from.Format
		}
		for child := range openapi.Children(from) {
			if part := child.In(to); child.IsPart() && part != nil {
				kept := keep(child.Schema, part)
				switch child.Keyword {
				case "properties":
					out.Properties[child.Name] = *kept
				case "items":
					out.Items = &spec.SchemaOrArray{Schema: kept}
				case "additionalProperties":
					out.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: kept}
				}
			}
		}
		return out
	}
	return keep(s, stripped)
}

// extend adds the rows of new samples, and evaluates all expressions on them.
func (u *universe) extend(ctx context.Context, samples []*sample) {
	from := u.read
	u.read = len(samples)
	for _, s := range samples[from:] {
		paths := map[string]int{}
		for _, at := range instances(s.object, u.scope) {
			paths[at.path.within(u.scope)] = len(u.rows)
			u.rows = append(u.rows, row{of: s, path: at.path, self: at.value})
		}
		u.byPath[s] = paths
	}
	for _, p := range u.probes {
		u.run(ctx, p, samples[from:])
	}
}

// evaluate finds out for which rows expressions are true. Expressions that do not compile have no
// entry in holds.
func (u *universe) evaluate(ctx context.Context, samples []*sample, exprs []string) {
	var fresh []string
	for _, expr := range exprs {
		if _, known := u.holds[expr]; !known {
			u.holds[expr] = nil
			fresh = append(fresh, expr)
		}
	}
	for len(fresh) > 0 {
		p, wrong := u.compile(fresh)
		if p != nil {
			for _, expr := range fresh {
				u.holds[expr] = bits{}
			}
			u.probes = append(u.probes, *p)
			u.run(ctx, *p, samples[:u.read])
			return
		}
		var rest []string
		for i, expr := range fresh {
			if !wrong[i] {
				rest = append(rest, expr)
			}
		}
		if len(rest) == len(fresh) {
			return
		}
		fresh = rest
	}
}

// compile compiles expressions as rules at the scope. If some are wrong, it returns which.
func (u *universe) compile(exprs []string) (*probe, map[int]bool) {
	var rules []any
	for i, expr := range exprs {
		rules = append(rules, map[string]any{"rule": negated(expr), "message": "#" + strconv.Itoa(i)})
	}
	root := withExtension(u.root, u.scope, openapi.XValidations, rules)
	validator, err := declarative.Compile(root, declarative.Options{
		Root: true, WithoutRatcheting: true, WithoutBlocking: true, WithoutEstimation: true,
		Limits: declarative.Limits{PerCall: math.MaxInt64, PerObject: math.MaxInt64},
	})
	if err == nil {
		return &probe{validator, exprs}, nil
	}
	wrong := map[int]bool{}
	var mistakes *declarative.SchemaError
	if errors.As(err, &mistakes) {
		for _, mistake := range mistakes.Errors {
			if found := indexOfRule.FindStringSubmatch(mistake.Field); found != nil {
				n, _ := strconv.Atoi(found[1])
				wrong[n] = true
			}
		}
	}
	return nil, wrong
}

var indexOfRule = regexp.MustCompile(`x-kubernetes-validations\[([0-9]+)\]`)

// withExtension returns a schema with an extension at a place.
func withExtension(root *spec.Schema, at place, name string, value any) *spec.Schema {
	out := *root
	if len(at) == 0 {
		if out.Extensions = maps.Clone(out.Extensions); out.Extensions == nil {
			out.Extensions = spec.Extensions{}
		}
		out.Extensions[name] = value
		return &out
	}
	part := withExtension(schemaBelow(root, at[0]), at[1:], name, value)
	switch {
	case at[0] != anyItem:
		if _, declared := root.Properties[at[0]]; declared {
			out.Properties = maps.Clone(root.Properties)
			out.Properties[at[0]] = *part
			return &out
		}
		fallthrough
	default:
		if openapi.Items(root) != nil {
			out.Items = &spec.SchemaOrArray{Schema: part}
		} else {
			out.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: part}
		}
	}
	return &out
}

// run evaluates the expressions of a probe on samples.
func (u *universe) run(ctx context.Context, p probe, samples []*sample) {
	for _, s := range samples {
		var old value.Value
		if s.old != nil {
			old = value.NewValueInterface(s.old)
		}
		for _, err := range p.validator.Validate(ctx, value.NewValueInterface(s.object), old) {
			u.mark(p, s, err)
		}
	}
}

// mark adds the row of a broken rule to its expression. An expression that cannot be evaluated is
// true nowhere.
func (u *universe) mark(p probe, s *sample, err *field.Error) {
	number, is := strings.CutPrefix(err.Detail, "#")
	n, wrong := strconv.Atoi(number)
	at, has := u.byPath[s][fieldpath.Canonical(err.Field)]
	if !is || wrong != nil || !has || n >= len(p.exprs) {
		return
	}
	rows := u.holds[p.exprs[n]]
	rows.add(at)
	u.holds[p.exprs[n]] = rows
}

// labels are what the native validator says at the rows about one site.
type labels struct {
	// refused are the rows at which it reports the error, and accepted those of accepted inputs. It
	// says nothing about the other rows: it may have stopped at other errors.
	refused, accepted bits
}

// labelsOf returns the labels of the rows for a site.
func (u *universe) labelsOf(of *site) labels {
	var l labels
	for i, r := range u.rows {
		if r.of.accepted {
			l.accepted.add(i)
			continue
		}
		at := r.path.within(u.scope)
		for _, said := range r.of.reported {
			if said.cause == of.cause && !r.of.masked && !said.stored && within(fieldpath.Canonical(said.err.Field), at) {
				l.refused.add(i)
			}
		}
	}
	return l
}

// within reports whether the path of an error is at or below another path.
func within(at, path string) bool {
	rest, below := strings.CutPrefix(at, path)
	return below && (path == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}
