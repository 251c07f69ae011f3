package infer

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/openapi"
)

// universe is all values at a scope in the samples, and for each CEL expression the values for which
// it is true. Equal values are one row.
type universe struct {
	scope  place
	schema *spec.Schema // of the scope, without validations
	isRoot bool
	// parallel is how many goroutines evaluate expressions.
	parallel int
	work     *work
	rows     []row
	byJSON   map[string]int
	// instances are the rows of each sample, by their paths.
	instances map[*sample][]instanceRow
	// read counts the samples that rows are from.
	read int
	// holds has the rows of expressions, as far as their probes were run.
	holds  map[string]bits
	probes []*probe
	// none has rows of other expressions at which they are not true.
	none map[string]bits
	// wrong are expressions that do not compile.
	wrong map[string]bool
}

// row is a value at the scope, with the value before an update.
type row struct {
	of        *sample
	path      steps
	self, old any
}

type instanceRow struct {
	path steps
	at   string // the path as errors write it
	row  int
}

// probe is a schema with expressions as rules.
type probe struct {
	validator *declarative.Validator
	exprs     []string
	read      int // rows
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

// or returns the rows of either set.
func (b bits) or(other bits) bits {
	out := make(bits, max(len(b), len(other)))
	copy(out, b)
	for i, word := range other {
		out[i] |= word
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

func newUniverse(root *spec.Schema, scope place, parallel int, of *work) *universe {
	return &universe{
		scope: scope, schema: skeleton(scope.schema(root)), isRoot: len(scope) == 0, parallel: max(1, parallel), work: of, byJSON: map[string]int{},
		instances: map[*sample][]instanceRow{}, holds: map[string]bits{}, none: map[string]bits{}, wrong: map[string]bool{},
	}
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

// extend adds the rows of new samples.
func (u *universe) extend(samples []*sample) {
	for _, s := range samples[u.read:] {
		if s.masked {
			continue // what the native validator says about it has no label
		}
		for _, r := range u.rowsOf(s) {
			u.instances[s] = append(u.instances[s], instanceRow{r.path, r.path.within(u.scope), u.indexOf(r)})
		}
	}
	u.read = len(samples)
}

// rowsOf returns the values of a sample at the scope.
func (u *universe) rowsOf(s *sample) (all []row) {
	for _, at := range instances(s.object, u.scope) {
		r := row{of: s, path: at.path, self: at.value}
		if s.old != nil {
			r.old, _ = at.path.at(s.old)
		}
		all = append(all, r)
	}
	return all
}

// indexOf returns the row of a value, which it adds if it is new.
func (u *universe) indexOf(r row) int {
	key, err := json.Marshal([]any{r.self, r.old})
	if at, known := u.byJSON[string(key)]; known && err == nil {
		if len(u.rows[at].of.reported) > len(r.of.reported) || len(u.rows[at].of.reported) == len(r.of.reported) && u.rows[at].of.size > r.of.size {
			u.rows[at] = r // the one in which the least is wrong, or that is small
		}
		return at
	}
	u.byJSON[string(key)] = len(u.rows)
	u.rows = append(u.rows, r)
	return len(u.rows) - 1
}

// evaluate finds out for which rows expressions are true. Those that are true for none of some rows
// are of no interest there, and are not evaluated on others. They have no entry in holds.
func (u *universe) evaluate(ctx context.Context, exprs []string, interesting bits) {
	var fresh []string
	var open bits // interesting rows at which a fresh expression was not evaluated
	wanted := map[string]bool{}
	for _, expr := range exprs {
		if _, known := u.holds[expr]; !known && !wanted[expr] && !u.wrong[expr] {
			if rest := interesting.without(u.none[expr]); !rest.empty() {
				fresh, open = append(fresh, expr), open.or(rest)
			}
		}
		wanted[expr] = true
	}
	for _, p := range u.probes { // rows that are new since they were run
		if first := p.read; slices.ContainsFunc(p.exprs, func(expr string) bool { return wanted[expr] }) {
			if u.run(ctx, *p, u.holds, func(i int) bool { return i >= first }); ctx.Err() == nil {
				p.read = len(u.rows)
			}
		}
	}
	p := u.compile(fresh)
	if p == nil {
		return
	}
	some := map[string]bits{}
	u.run(ctx, *p, some, open.has)
	var useful []string
	for _, expr := range p.exprs {
		if len(some[expr]) > 0 {
			useful = append(useful, expr)
		} else if ctx.Err() == nil {
			u.none[expr] = u.none[expr].or(interesting)
		}
	}
	if p = u.compile(useful); p == nil {
		return
	}
	u.run(ctx, *p, some, func(i int) bool { return !open.has(i) })
	if ctx.Err() != nil {
		return // some rows are missing
	}
	for _, expr := range useful {
		u.holds[expr] = some[expr]
	}
	p.read = len(u.rows)
	u.probes = append(u.probes, p)
}

// compile compiles expressions as rules at the scope, without those that are wrong; nil: all are.
func (u *universe) compile(exprs []string) *probe {
	for len(exprs) > 0 {
		var rules []any
		for i, expr := range exprs {
			rules = append(rules, map[string]any{"rule": negated(expr), "message": "#" + strconv.Itoa(i)})
		}
		schema := *u.schema
		if schema.Extensions = maps.Clone(schema.Extensions); schema.Extensions == nil {
			schema.Extensions = spec.Extensions{}
		}
		schema.Extensions[openapi.XValidations] = rules
		validator, err := declarative.Compile(&schema, declarative.Options{
			Root: u.isRoot, WithoutRatcheting: true, WithoutBlocking: true, WithoutEstimation: true,
			Limits: declarative.Limits{PerCall: math.MaxInt64, PerObject: math.MaxInt64},
		})
		if err == nil {
			return &probe{validator: validator, exprs: exprs}
		}
		var rest []string
		wrong := wrongRules(err)
		for i, expr := range exprs {
			if wrong[i] {
				u.wrong[expr] = true
			} else {
				rest = append(rest, expr)
			}
		}
		if len(rest) == len(exprs) {
			return nil
		}
		exprs = rest
	}
	return nil
}

// wrongRules returns the indices of the rules that a mistake of a schema is about.
func wrongRules(err error) map[int]bool {
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
	return wrong
}

var indexOfRule = regexp.MustCompile(`x-kubernetes-validations\[([0-9]+)\]`)

// run evaluates the expressions of a probe on some rows. An expression that cannot be evaluated is
// not true.
func (u *universe) run(ctx context.Context, p probe, holds map[string]bits, on func(row int) bool) {
	var wanted []int
	for i := range u.rows {
		if on(i) {
			wanted = append(wanted, i)
		}
	}
	u.work.evaluated += len(wanted) * len(p.exprs)
	var mutex sync.Mutex
	var group sync.WaitGroup
	for part := range slices.Chunk(wanted, max(1, (len(wanted)+u.parallel-1)/u.parallel)) {
		group.Go(func() {
			found := map[string]bits{}
			for _, i := range part {
				if ctx.Err() != nil {
					break
				}
				for _, expr := range p.holding(ctx, u.rows[i]) {
					rows := found[expr]
					rows.add(i)
					found[expr] = rows
				}
			}
			mutex.Lock()
			defer mutex.Unlock()
			for expr, rows := range found {
				holds[expr] = holds[expr].or(rows)
			}
		})
	}
	group.Wait()
}

// holding returns the expressions that are true at a row.
func (p probe) holding(ctx context.Context, r row) (all []string) {
	var old value.Value
	if r.old != nil {
		old = value.NewValueInterface(r.old)
	}
	for _, err := range p.validator.Validate(ctx, value.NewValueInterface(r.self), old) {
		number, is := strings.CutPrefix(err.Detail, "#")
		n, wrong := strconv.Atoi(number)
		if is && wrong == nil && n < len(p.exprs) && fieldpath.Canonical(err.Field) == "" {
			all = append(all, p.exprs[n])
		}
	}
	return all
}

// labels are what the native validator says at the rows about one site.
type labels struct {
	// refused are the rows at which it reports the error, and accepted those of accepted inputs. It
	// says nothing about the other rows: it may have stopped at other errors.
	refused, accepted bits
	// refusals are the samples with a refused row, and elsewhere those with the error and no row.
	refusals  []*sample
	elsewhere int
}

// labelsOf returns the labels of the rows for a site. It leaves out samples that are explained.
func (u *universe) labelsOf(of *subject) labels {
	samples, explained := of.samples, of.explained
	var l labels
	for _, s := range samples[:u.read] {
		if s.masked || explained[s] || of.site.creates && s.Old != nil {
			continue
		}
		if s.accepted {
			for _, at := range u.instances[s] {
				l.accepted.add(at.row)
			}
			continue
		}
		said, here := false, false
		for _, r := range s.reported {
			if r.site != of.site.key || r.stored {
				continue
			}
			said = true
			path, isKnown := of.pathOf(&r)
			if !isKnown {
				here = true // at some row
				continue
			}
			for _, at := range u.instances[s] {
				if within(path, at.at) {
					l.refused.add(at.row)
					here = true
				}
			}
		}
		if here {
			l.refusals = append(l.refusals, s)
		} else if said {
			l.elsewhere++
		}
	}
	return l
}

// within reports whether the path of an error is at or below another path.
func within(at, path string) bool {
	rest, below := strings.CutPrefix(at, path)
	return below && (path == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}
