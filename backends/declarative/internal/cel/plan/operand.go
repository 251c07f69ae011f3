package plan

import (
	"math"

	"github.com/google/cel-go/common/types/ref"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Kinds of an operand. gaveUp means an error, or a value that the plan leaves to cel-go.
const (
	gaveUp operandKind = iota
	aBool
	anInt
	aDouble
	aText
	aView // a list or map of the object
	aList // that the rule made
	anOptional
	aRef    // a value that only cel-go knows: a quantity, a duration
	anError // an error that ends a rule in cel-go too, unless && or || hide it
)

type operandKind uint8

// operand is a value while a rule runs.
type operand struct {
	kind  operandKind
	set   bool        // of an optional: there is a value, which the rest is
	inner operandKind // of an optional that is set
	n     int64       // of a bool 0 or 1; of a double its bits
	s     string
	v     view.View
	typ   *types.Type // of v
	items []operand
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

func (d *operand) truth() truth {
	switch d.kind {
	case aBool:
		return truthOf(d.n != 0)
	case anError:
		return failed
	}
	return unsure
}

// holds reports whether an operand, or the value of an optional, is of a kind.
func (d *operand) holds(kind operandKind) bool {
	return d.kind == kind || d.kind == anOptional && d.set && d.inner == kind
}

// unknown reports whether an operand has no value.
func (d *operand) unknown() bool { return d.kind == gaveUp || d.kind == anError }

func (d *operand) float() float64 { return math.Float64frombits(uint64(d.n)) }

// An operand is set in place. Fields that its kind does not use keep their values.

func (d *operand) giveUp() { d.kind = gaveUp }

func (d *operand) setText(s string) { d.kind, d.s = aText, s }

func (d *operand) setInt(i int64) { d.kind, d.n = anInt, i }

func (d *operand) setDouble(f float64) { d.kind, d.n = aDouble, int64(math.Float64bits(f)) }

func (d *operand) setList(items []operand) { d.kind, d.items = aList, items }

func (d *operand) setTruth(t truth) {
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

// setNone makes an operand an optional without a value.
func (d *operand) setNone() { d.kind, d.set = anOptional, false }

// wrap makes a value an optional that holds it. It gives up on an operand without a value, and on an
// optional.
func (d *operand) wrap() {
	if d.unknown() || d.kind == anOptional {
		d.kind = gaveUp
		return
	}
	d.inner, d.kind, d.set = d.kind, anOptional, true
}

// setHeld makes an operand the value of an optional that is set.
func (d *operand) setHeld(optional *operand) {
	*d = *optional
	d.kind = optional.inner
}

// load reads a value of the object as its declared type. It gives up if types.ValueOf makes an error
// or a value that plans do not know.
func (d *operand) load(v view.View, s *types.Type) {
	if !types.Loads(v, s) {
		d.kind = gaveUp
		return
	}
	switch k := v.Kind(); {
	case k == view.Map || k == view.List || k == view.Null:
		d.kind, d.v, d.typ = aView, v, s
	case k == view.String:
		d.setText(v.Str())
	case k == view.Bool:
		d.setTruth(truthOf(v.Bool()))
	case s.Kind == types.Double:
		d.setDouble(v.Float())
	default:
		d.setInt(v.Int())
	}
}
