package plan

import (
	"math"

	"github.com/google/cel-go/common/types/ref"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/decl"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Kinds of a datum. gaveUp stands for errors and for everything that the plan leaves to cel-go.
const (
	gaveUp datumKind = iota
	aBool
	anInt
	aDouble
	aText
	aView // a list or map of the object
	aList // that the rule made
	anOptional
	aRef    // what only cel-go knows: a quantity, a duration
	anError // what ends a rule in cel-go too, unless && or || make up for it
)

type datumKind uint8

// datum is a value while a rule runs.
type datum struct {
	kind  datumKind
	set   bool      // of an optional: there is a value, which the rest is
	inner datumKind // of an optional that is set
	n     int64     // of a bool 0 or 1; of a double its bits
	s     string
	v     view.View
	typ   *decl.Type // of v
	items []datum
	ref   ref.Val // of aRef
}

// truth is the result of a test.
type truth uint8

const (
	unsure truth = iota // the plan gave up
	no
	yes
	failed // an error in cel-go too
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return t
}

// is compares a truth with the wanted one, which is yes or no.
func (t truth) is(want truth) truth {
	if want == no {
		return t.not()
	}
	return t
}

func (d *datum) truth() truth {
	switch d.kind {
	case aBool:
		return truthOf(d.n != 0)
	case anError:
		return failed
	}
	return unsure
}

// holds reports whether a datum, or the value of an optional, is of a kind.
func (d *datum) holds(kind datumKind) bool {
	return d.kind == kind || d.kind == anOptional && d.set && d.inner == kind
}

// unknown reports whether a datum has no value.
func (d *datum) unknown() bool { return d.kind == gaveUp || d.kind == anError }

func (d *datum) float() float64 { return math.Float64frombits(uint64(d.n)) }

// A datum is set where it is kept. The parts that its kind does not have keep what they were.

func (d *datum) giveUp() { d.kind = gaveUp }

func (d *datum) setText(s string) { d.kind, d.s = aText, s }

func (d *datum) setInt(i int64) { d.kind, d.n = anInt, i }

func (d *datum) setDouble(f float64) { d.kind, d.n = aDouble, int64(math.Float64bits(f)) }

func (d *datum) setList(items []datum) { d.kind, d.items = aList, items }

func (d *datum) setTruth(t truth) {
	switch t {
	case yes:
		d.kind, d.n = aBool, 1
	case no:
		d.kind, d.n = aBool, 0
	case failed:
		d.kind = anError
	default:
		d.kind = gaveUp
	}
}

// setNone makes a datum an optional without a value.
func (d *datum) setNone() { d.kind, d.set = anOptional, false }

// wrap makes a value an optional that has it. It gives up on what is no value, and on an optional.
func (d *datum) wrap() {
	if d.unknown() || d.kind == anOptional {
		d.kind = gaveUp
		return
	}
	d.inner, d.kind, d.set = d.kind, anOptional, true
}

// setHeld makes a datum the value of an optional that is set.
func (d *datum) setHeld(optional *datum) {
	*d = *optional
	d.kind = optional.inner
}

// load reads a value of the object as its declared type. It gives up if values.Of makes an error
// or a value that plans do not know.
func (d *datum) load(v view.View, s *decl.Type) {
	if !decl.Loads(v.Kind(), s) {
		d.kind = gaveUp
		return
	}
	switch k := v.Kind(); {
	case k == view.Map || k == view.List:
		d.kind, d.v, d.typ = aView, v, s
	case k == view.String:
		d.setText(v.Str())
	case k == view.Bool:
		d.setTruth(truthOf(v.Bool()))
	case s.Kind == decl.Double:
		d.setDouble(v.Float())
	default:
		d.setInt(v.Int())
	}
}
