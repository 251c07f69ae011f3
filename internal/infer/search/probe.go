package search

import (
	"context"
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
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/openapi"
)

// probe is a schema with expressions as rules.
type probe struct {
	validator *declarative.Validator
	exprs     []string
	has       map[string]bool // exprs
}

// The bounds of expressions that are compiled together, and of those that stay compiled: each takes a tenth of a mebibyte.
const (
	mostCompiled = 500
	mostKept     = 1000
)

// probe returns a probe with some expressions, and few others.
func (u *Universe) probe(exprs []string) *probe {
	for _, p := range u.probes {
		if len(p.exprs) <= 2*len(exprs) && !slices.ContainsFunc(exprs, func(expr string) bool { return !p.has[expr] }) {
			return p
		}
	}
	p := u.Compile(exprs)
	if p == nil {
		return nil
	}
	u.probes = append(u.probes, p)
	kept := 0
	for n, one := range slices.Backward(u.probes) {
		if kept += len(one.exprs); kept > mostKept {
			u.probes = slices.Delete(u.probes, 0, n+1)
			break
		}
	}
	return p
}

// dropCompiled drops what is compiled. What is known about expressions stays.
func (u *Universe) dropCompiled() { u.probes = nil }

// Compile compiles expressions as rules at the scope, without those that are wrong; nil: all are.
func (u *Universe) Compile(exprs []string) *probe {
	for len(exprs) > 0 {
		var entries []any
		for i, expr := range exprs {
			entries = append(entries, map[string]any{"rule": "!(" + expr + ")", "message": "#" + strconv.Itoa(i)})
		}
		schema := *u.schema
		if schema.Extensions = maps.Clone(schema.Extensions); schema.Extensions == nil {
			schema.Extensions = spec.Extensions{}
		}
		schema.Extensions[openapi.XValidations] = entries
		validator, err := declarative.Compile(&schema, declarative.Options{
			Root: u.isRoot, WithoutRatcheting: true, WithoutBlocking: true, WithoutEstimation: true,
			Limits: declarative.Limits{PerCall: math.MaxInt64, PerObject: math.MaxInt64},
		})
		if err == nil {
			p := &probe{validator: validator, exprs: exprs, has: map[string]bool{}}
			for _, expr := range exprs {
				p.has[expr] = true
			}
			return p
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
func (u *Universe) run(ctx context.Context, p probe, holds map[string]bits, on func(row int) bool) {
	var wanted []int
	for i := range u.rows {
		if on(i) {
			wanted = append(wanted, i)
		}
	}
	u.work.Evaluated += len(wanted) * len(p.exprs)
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
					rows.Add(i)
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
