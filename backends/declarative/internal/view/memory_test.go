package view_test

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Types whose values Go keeps in ways of their own.
type (
	text    string
	texts   []text
	number  int16
	level   uint8
	ratio   float32
	nothing struct{}
	// onePointer is kept in an interface as the pointer itself.
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

func oddObjects() map[string]*odd {
	one, word := int32(1), text("w")
	port, size, now := intstr.FromString("http"), resource.MustParse("1Gi"), metav1.Unix(1e9, 0)
	number7, none := intstr.FromInt32(7), metav1.Time{}
	direct := onePointer{&one}
	return map[string]*odd{
		"nothing is set": {},
		"embedded by pointer": {
			Base: Base{First: "a", Second: "b", Inner: direct}, lower: lower{Third: -3}, Other: &Other{Fourth: &word, Fifth: 5}, Last: -1,
		},
		"embedded by pointer, which holds nothing": {Other: &Other{}},
		"named scalars in named lists":             {Texts: texts{"a", ""}, Named: &texts{"x"}, Numbers: []level{1, 255}, Ratios: []ratio{0.5, -1}},
		"values without a size":                    {Nothings: []nothing{{}, {}}, More: []nothing{}, NoneAtAll: map[string]nothing{"a": {}}},
		"a pointer held directly":                  {Direct: direct, Directs: []any{direct, oneMap{map[string]text{"k": "v"}}, onePointer{}, nothing{}, texts{"t"}, number(4), true, 1.5, map[string]any(nil)}},
		"nil pointers and maps held directly":      {Direct: map[string]text(nil), Directs: []any{[]int8(nil), oneMap{}}},
		"values of maps": {
			ByName: map[text]onePointer{"a": direct, "b": {}}, MapOfMaps: map[string]oneMap{"m": {map[string]text{"x": "y"}}, "n": {}},
			Pointers: map[string]*Base{"p": {First: "f"}, "q": nil}, Lists: map[string][]number{"l": {1, 2}, "e": {}, "n": nil},
			Anys: map[string]any{"d": direct, "n": nil, "l": []any{"a", direct}},
		},
		"pointers to what converts itself":        {Port: &port, Size: &size, Time: &now, Bare: &now, Ports: []*intstr.IntOrString{&port, nil, &number7}},
		"pointers to zeros of it":                 {Port: &intstr.IntOrString{}, Size: &resource.Quantity{}, Time: &none, Bare: &none},
		"a scalar held by an interface with name": {Stringer: word},
	}
}

// TestOddTypes holds that values are found whatever way Go keeps them.
func TestOddTypes(t *testing.T) {
	types, r := &view.Types{}, reader()
	for why, object := range oddObjects() {
		t.Run(why, func(t *testing.T) {
			slow, fast := bothViews(t, types, object)
			alike(t, r, "odd", slow, fast)
			alike(t, r, "odd v4", slow, viewOfV4(t, types, object))
			if !r.Equal(fast, fast) {
				t.Error("it does not equal itself")
			}
		})
	}
}

// TestKeepsAlive: what is seen stays there as long as somebody looks at it.
func TestKeepsAlive(t *testing.T) {
	types, r := &view.Types{}, reader()
	views := func() (all []view.View) {
		for i := range 100 {
			v, err := value.NewValueReflect(&odd{Base: Base{First: text(fmt.Sprint("first ", i))}, Directs: []any{text(fmt.Sprint("held ", i))}})
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

// TestUnchanged: looking at an object in all ways does not change it.
func TestUnchanged(t *testing.T) {
	types, r := &view.Types{}, new(view.Reader)
	for why, object := range oddObjects() {
		v, err := value.NewValueReflect(object)
		if err != nil {
			t.Fatal(err)
		}
		seen := types.Of(v)
		seen.JSON()
		r.Equal(seen, seen)
		for _, key := range r.Entries(seen).Keys {
			x, _ := r.Field(seen, key)
			r.Entries(x)
			r.Zero(x)
			_ = x.Str()
		}
		if !reflect.DeepEqual(object, oddObjects()[why]) {
			t.Errorf("%s: the object was changed", why)
		}
	}
}
