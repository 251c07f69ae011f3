package search

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/openapi/formats"
)

// Universe is all values at a scope in the samples, and for each CEL expression the values for which
// it is true. Equal values are one row.
type Universe struct {
	scope  evidence.Place
	schema *spec.Schema // of the scope, without validations
	isRoot bool
	// parallel is how many goroutines evaluate expressions.
	parallel int
	work     *evidence.Work
	rows     []row
	bySum    map[[sha256.Size]byte]int // of JSON
	// instances are the rows of each sample, by their paths.
	instances map[*evidence.Sample][]instanceRow
	// read counts the samples that rows are from.
	read int
	// truths has what is known about expressions, and probes those that were compiled together.
	truths map[string]*truth
	probes []*probe
	// wrong are expressions that do not compile.
	wrong map[string]bool
}

// row is a value at the scope, with the value before an update.
type row struct {
	of        *evidence.Sample
	path      object.Path
	self, old any
}

type instanceRow struct {
	path object.Path
	at   string // the path as errors write it
	row  int
}

func NewUniverse(root *spec.Schema, scope evidence.Place, parallel int, of *evidence.Work) *Universe {
	return &Universe{
		scope: scope, schema: skeleton(scope.Schema(root)), isRoot: len(scope) == 0, parallel: max(1, parallel), work: of,
		bySum:     map[[sha256.Size]byte]int{},
		instances: map[*evidence.Sample][]instanceRow{}, truths: map[string]*truth{}, wrong: map[string]bool{},
	}
}

// skeleton returns a schema without validations. It keeps the formats that have CEL types of their
// own.
func skeleton(s *spec.Schema) *spec.Schema {
	stripped := structural.Strip(s)
	var keep func(from, to *spec.Schema) *spec.Schema
	keep = func(from, to *spec.Schema) *spec.Schema {
		out := openapi.MapParts(to, func(part *spec.Schema) *spec.Schema { return part })
		if formats.HasType(from.Format) {
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
func (u *Universe) extend(samples []*evidence.Sample) {
	for _, s := range samples[u.read:] {
		if s.Masked {
			continue // what the native validator says about it has no label
		}
		for _, r := range u.rowsOf(s) {
			u.instances[s] = append(u.instances[s], instanceRow{r.path, r.path.String(), u.indexOf(r)})
		}
	}
	u.read = len(samples)
}

// rowsOf returns the values of a sample at the scope.
func (u *Universe) rowsOf(s *evidence.Sample) (all []row) {
	for _, at := range evidence.Instances(s.Decoded, u.scope) {
		r := row{of: s, path: at.Path, self: at.Value}
		if s.DecodedOld != nil {
			r.old, _ = at.Path.Get(s.DecodedOld)
		}
		all = append(all, r)
	}
	return all
}

// indexOf returns the row of a value, which it adds if it is new.
func (u *Universe) indexOf(r row) int {
	key, err := json.Marshal([]any{r.self, r.old})
	sum := sha256.Sum256(key)
	if at, known := u.bySum[sum]; known && err == nil {
		if len(u.rows[at].of.Reported) > len(r.of.Reported) || len(u.rows[at].of.Reported) == len(r.of.Reported) &&
			u.rows[at].of.Size > r.of.Size {
			u.rows[at] = r // the one in which the least is wrong, or that is small
		}
		return at
	}
	u.bySum[sum] = len(u.rows)
	u.rows = append(u.rows, r)
	return len(u.rows) - 1
}

// truth is what is known about an expression: the rows at which it was evaluated, and those at which it is true.
type truth struct{ known, holds bits }

// holds returns the rows at which an expression is true, of those at which it was evaluated.
func (u *Universe) holds(expr string) bits {
	if t := u.truths[expr]; t != nil {
		return t.holds
	}
	return nil
}

// evaluate evaluates expressions at some rows, where they were not evaluated before.
func (u *Universe) evaluate(ctx context.Context, exprs []string, on bits) {
	missing := map[string]bits{} // by its text
	alike := map[string][]string{}
	for _, expr := range exprs {
		t := u.truths[expr]
		if t == nil {
			t = &truth{}
			u.truths[expr] = t
		}
		if rest := on.without(t.known); !u.wrong[expr] && !rest.empty() {
			key := rest.String()
			missing[key] = rest
			if !slices.Contains(alike[key], expr) {
				alike[key] = append(alike[key], expr)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(alike)) {
		for some := range slices.Chunk(alike[key], mostCompiled) {
			p := u.probe(some)
			if p == nil {
				continue
			}
			rows, found := missing[key], map[string]bits{}
			if u.run(ctx, *p, found, rows.has); ctx.Err() != nil {
				return // some rows are missing
			}
			for _, expr := range p.exprs {
				t := u.truths[expr]
				t.known, t.holds = t.known.or(rows), t.holds.or(found[expr])
			}
		}
	}
}

// all returns all rows.
func (u *Universe) all() (rows bits) {
	for i := range u.rows {
		rows.Add(i)
	}
	return rows
}

// sound returns those of some expressions that are true at a refused row, and at no accepted one. It evaluates the others
// only until an accepted row contradicts them.
func (u *Universe) sound(ctx context.Context, exprs []string, l labels) []string {
	drop := func(contradicts func(holds bits) bool) {
		exprs = slices.DeleteFunc(exprs, func(expr string) bool { return contradicts(u.holds(expr)) })
	}
	u.evaluate(ctx, exprs, l.Refused)
	drop(func(holds bits) bool { return holds.and(l.Refused).empty() })
	for some := range l.accepted.chunks(firstContradicting) {
		drop(func(holds bits) bool { return !holds.and(l.accepted).empty() })
		u.evaluate(ctx, exprs, some)
	}
	drop(func(holds bits) bool { return !holds.and(l.accepted).empty() })
	return exprs
}

// firstContradicting is how many accepted rows are asked first to contradict expressions. Most are contradicted by them.
const firstContradicting = 16

// labels are what the native validator says at the rows about one site.
type labels struct {
	// Refused are the rows at which it reports the error, and accepted those of accepted inputs. It
	// says nothing about the other rows: it may have stopped at other errors.
	Refused, accepted bits
	// alone are the refused rows of inputs without another error.
	alone bits
	// refusals are the samples with a refused row, and elsewhere those with the error and no row.
	refusals  []*evidence.Sample
	elsewhere int
}

// known returns the rows that have a label.
func (l labels) known() bits { return l.Refused.or(l.accepted) }

// labelsOf returns the labels of the rows for a site. It leaves out samples that are explained.
func (u *Universe) labelsOf(of *Subject) labels {
	samples, explained := of.Facts.Evidence.Samples, of.explained
	var l labels
	for _, s := range samples[:u.read] {
		if s.Masked || explained[s] || of.Facts.Site.Creates && s.Old != nil {
			continue
		}
		if s.Accepted {
			for _, at := range u.instances[s] {
				l.accepted.Add(at.row)
			}
			continue
		}
		said, here := false, false
		for _, r := range s.Reported {
			if r.Site != of.Facts.Site.Key || r.Stored {
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
					l.Refused.Add(at.row)
					here = true
					if s.OnlyReports(of.Facts.Site.Key) {
						l.alone.Add(at.row)
					}
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
