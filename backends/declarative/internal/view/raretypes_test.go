package view_test

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Types with features that are rare in API types.
type (
	inner struct {
		Deep   string `json:"deep"`
		Shadow string `json:"shadow,omitempty"`
	}
	middle struct {
		inner
		Level int8 `json:"level,omitempty"`
	}
	Pointed struct {
		Behind string `json:"behind"`
		Port   *int32 `json:"port,omitempty"`
	}
	yes       bool
	byValue   struct{ N int }
	byPointer struct{ N int }
	recursive struct{ Next *recursive }
	rare      struct {
		middle
		*Pointed
		Named   inner       `json:"named,omitempty"`
		Shadow  string      `json:"shadow"`
		Zero    inner       `json:"zero,omitzero"`
		When    metav1.Time `json:"when,omitzero"`
		Skipped string      `json:"-"`
		//lint:ignore SA5008 a field named "-" is what this is about
		Dash string `json:"-,"`
		//lint:ignore U1000 a field that is not exported is not seen
		hidden    string
		Float     float64          `json:"float,omitempty"`
		Yes       yes              `json:"yes,omitempty"`
		Any       any              `json:"any"`
		Anys      []any            `json:"anys,omitempty"`
		Structs   map[string]inner `json:"structs,omitempty"`
		Times     map[string]metav1.Time
		Lists     map[string][]string
		Counts    map[string]int32
		Ports     map[yesKey]intstr.IntOrString
		Bytes     []byte `json:"bytes,omitempty"`
		Value     byValue
		ValueP    *byValue
		Pointer   byPointer
		Recursive recursive
		Nothing   struct{}
		Alsonone  struct{}
		Chan      chan int
	}
	yesKey string
)

func (b byValue) MarshalJSON() ([]byte, error) {
	switch b.N {
	case 0:
		return []byte("null"), nil
	case 1:
		return []byte("[1, 2.5]"), nil
	case 2:
		return []byte(`{"a": {"b": null}}`), nil
	}
	return []byte("7"), nil
}

func (b *byPointer) MarshalJSON() ([]byte, error) { return []byte(`"pointer"`), nil }

// Types whose values Go stores in special ways.
type (
	text    string
	texts   []text
	number  int16
	level   uint8
	ratio   float32
	nothing struct{}
	// onePointer is stored in an interface as the pointer itself.
	onePointer struct {
		P *int32 `json:"p,omitempty"`
	}
	oneMap struct {
		M map[string]text `json:"m"`
	}
	Base struct {
		First, Second text
		Inner         onePointer `json:"inner"`
	}
	lower struct {
		Third number `json:"third,omitempty"`
	}
	odd struct {
		Base   `json:",inline"`
		lower  `json:",inline"`
		*Other `json:",inline"`

		Flag    bool    `json:"flag"`
		Texts   texts   `json:"texts"`
		Named   *texts  `json:"named,omitempty"`
		Numbers []level `json:"numbers"`
		Ratios  []ratio `json:"ratios,omitempty"`
		Nothing nothing `json:"nothing"`
		Nothings,
		More []nothing
		NoneAtAll map[string]nothing    `json:"noneAtAll,omitempty"`
		Direct    any                   `json:"direct"`
		Directs   []any                 `json:"directs,omitempty"`
		ByName    map[text]onePointer   `json:"byName,omitempty"`
		MapOfMaps map[string]oneMap     `json:"mapOfMaps,omitempty"`
		Pointers  map[string]*Base      `json:"pointers,omitempty"`
		Lists     map[string][]number   `json:"lists,omitempty"`
		Anys      map[string]any        `json:"anys,omitempty"`
		Nowhere   [0]int                `json:"nowhere,omitempty"`
		Port      *intstr.IntOrString   `json:"port,omitempty"`
		Size      *resource.Quantity    `json:"size,omitempty"`
		Time      *metav1.Time          `json:"time,omitempty"`
		Bare      *metav1.Time          `json:"bare"`
		Ports     []*intstr.IntOrString `json:"ports,omitempty"`
		Stringer  fmt.Stringer          `json:"stringer,omitempty"`
		Last      int8                  `json:"last,omitempty"`
	}
	Other struct {
		Fourth *text `json:"fourth"`
		Fifth  level `json:"fifth,omitempty"`
	}
)

func (t text) String() string { return string(t) }

// rareObjects have features that no object of a built-in kind has.
func rareObjects() map[string]any {
	one, word := int32(1), text("w")
	port, size, now := intstr.FromString("http"), resource.MustParse("1Gi"), metav1.Unix(1e9, 0)
	number7, none := intstr.FromInt32(7), metav1.Time{}
	direct := onePointer{&one}
	return map[string]any{
		"all zero": &rare{},
		"embedded": &rare{
			middle:  middle{inner: inner{Deep: "d", Shadow: "s"}, Level: 3},
			Pointed: &Pointed{Behind: "b", Port: &one},
			Shadow:  "own",
		},
		"values of any type in an interface": &rare{
			Any:  map[string]any{"a": nil, "b": []any{int64(1), 2.5, "x", true}},
			Anys: []any{nil, inner{}, intstr.FromInt32(1), int8(4), metav1.Time{}},
		},
		"values in maps cannot be addressed": &rare{
			Structs: map[string]inner{"a": {Deep: "x"}}, Times: map[string]metav1.Time{"z": {}, "n": now},
			Lists:  map[string][]string{"n": nil, "e": {}, "l": {"a"}},
			Counts: map[string]int32{"a": 1, "b": 0}, Ports: map[yesKey]intstr.IntOrString{"p": intstr.FromString("http")},
		},
		"converters": &rare{
			Value:   byValue{1},
			ValueP:  &byValue{2},
			Pointer: byPointer{1},
			When:    now,
			Bytes:   []byte("abc"),
		},
		"a converter that returns a number": &rare{Value: byValue{3}, ValueP: &byValue{0}},
		noNumber:                            &rare{Float: math.NaN()},
		"negative zero is empty":            &rare{Float: math.Copysign(0, -1), Yes: true, Dash: "d", Skipped: "s"},
		"a type within itself":              &rare{Recursive: recursive{Next: &recursive{Next: &recursive{}}}},
		"nothing is set":                    &odd{},
		"embedded by pointer": &odd{
			Base: Base{First: "a", Second: "b", Inner: direct}, lower: lower{Third: -3}, Other: &Other{Fourth: &word, Fifth: 5}, Last: -1,
		},
		"embedded by pointer, which holds nothing": &odd{Other: &Other{}},
		"named scalars in named lists": &odd{
			Texts:   texts{"a", ""},
			Named:   &texts{"x"},
			Numbers: []level{1, 255},
			Ratios:  []ratio{0.5, -1},
		},
		"values without a size": &odd{Nothings: []nothing{{}, {}}, More: []nothing{}, NoneAtAll: map[string]nothing{"a": {}}},
		"a pointer held directly": &odd{
			Direct: direct,
			Directs: []any{
				direct,
				oneMap{map[string]text{"k": "v"}},
				onePointer{},
				nothing{},
				texts{"t"},
				number(4),
				true,
				1.5,
				map[string]any(nil),
			},
		},
		"nil pointers and maps held directly": &odd{Direct: map[string]text(nil), Directs: []any{[]int8(nil), oneMap{}}},
		"values of maps": &odd{
			ByName: map[text]onePointer{"a": direct, "b": {}}, MapOfMaps: map[string]oneMap{"m": {map[string]text{"x": "y"}}, "n": {}},
			Pointers: map[string]*Base{"p": {First: "f"}, "q": nil}, Lists: map[string][]number{"l": {1, 2}, "e": {}, "n": nil},
			Anys: map[string]any{"d": direct, "n": nil, "l": []any{"a", direct}},
		},
		"pointers to types that convert themselves": &odd{
			Port:  &port,
			Size:  &size,
			Time:  &now,
			Bare:  &now,
			Ports: []*intstr.IntOrString{&port, nil, &number7},
		},
		"pointers to zeros of such types":         &odd{Port: &intstr.IntOrString{}, Size: &resource.Quantity{}, Time: &none, Bare: &none},
		"a scalar held by an interface with name": &odd{Stringer: word},
	}
}

// TestRareTypes: values are found however Go stores them, and are not changed.
func TestRareTypes(t *testing.T) {
	types, r := &view.Types{}, new(view.Reader)
	for why, object := range rareObjects() {
		t.Run(why, func(t *testing.T) {
			slow, fast := bothViews(t, types, object)
			alike(t, r, "it", slow, fast)
			if why == noNumber {
				return // it equals nothing
			}
			if !r.Equal(fast, fast) {
				t.Error("it does not equal itself")
			}
			if !reflect.DeepEqual(object, rareObjects()[why]) {
				t.Error("the object was changed")
			}
		})
	}
}

const noNumber = "no number"

// TestKeepsAlive: a value stays alive as long as a view refers to it.
func TestKeepsAlive(t *testing.T) {
	types, r := &view.Types{}, new(view.Reader)
	views := func() (all []view.View) {
		for i := range 100 {
			v, err := value.NewValueReflect(&odd{Base: Base{First: text(fmt.Sprint("first ", i))},
				Directs: []any{text(fmt.Sprint("held ", i))}})
			if err != nil {
				t.Fatal(err)
			}
			object := types.Of(v)
			first, _ := r.Field(object, "First")
			held, _ := r.Field(object, "directs")
			item, _ := r.At(held, 0)
			all = append(all, first, item)
		}
		return all
	}()
	for range 3 {
		runtime.GC()
		_ = make([]byte, 1<<20)
	}
	for i := range 100 {
		if a, b := views[2*i].Str(), views[2*i+1].Str(); a != fmt.Sprint("first ", i) || b != fmt.Sprint("held ", i) {
			t.Fatalf("object %d has %q and %q", i, a, b)
		}
	}
}
