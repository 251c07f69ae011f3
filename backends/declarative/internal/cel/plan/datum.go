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

// held is the value of an optional that is set.
func (d *datum) held() datum {
	inner := *d
	inner.kind = d.inner
	return inner
}

// unknown reports whether a datum has no value.
func (d *datum) unknown() bool { return d.kind == gaveUp || d.kind == anError }

func (t truth) datum() datum {
	switch t {
	case yes:
		return datum{kind: aBool, n: 1}
	case no:
		return datum{kind: aBool}
	case failed:
		return datum{kind: anError}
	}
	return datum{}
}

func textDatum(s string) datum { return datum{kind: aText, s: s} }

func intDatum(i int64) datum { return datum{kind: anInt, n: i} }

func doubleDatum(f float64) datum { return datum{kind: aDouble, n: int64(math.Float64bits(f))} }

func (d *datum) float() float64 { return math.Float64frombits(uint64(d.n)) }

// load reads a value of the object as its declared type. It gives up if values.Of makes an error
// or a value that plans do not know.
func load(v view.View, s *decl.Type) datum {
	if !decl.Loads(v.Kind(), s) {
		return datum{}
	}
	switch k := v.Kind(); {
	case k == view.Map || k == view.List:
		return datum{kind: aView, v: v, typ: s}
	case k == view.String:
		return textDatum(v.Str())
	case k == view.Bool:
		return truthOf(v.Bool()).datum()
	case s.Kind == decl.Double:
		return doubleDatum(v.Float())
	}
	return intDatum(v.Int())
}
