package errorsites

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/gomodule/errorsites/testdata/gadgets"
)

func find(t *testing.T) []Site {
	t.Helper()
	sites, err := Find(t.Context(), ".", []string{"./testdata/gadgets"})
	if err != nil {
		t.Fatal(err)
	}
	return sites
}

// TestFind: the sites of a small package are those found by hand.
func TestFind(t *testing.T) {
	var got []string
	for _, site := range find(t) {
		got = append(got, fmt.Sprintf("%s:%d %s", path.Base(site.File), site.Line, site.Name))
	}
	want := []string{
		`gadgets.go:32 Validate: Required spec.name`,
		`gadgets.go:35 Validate: Invalid spec.size "must not be negative"`,
		`gadgets.go:38 Validate: Invalid spec.size "must be at most …, 100% sure"`,
		`gadgets.go:42 Validate: NotSupported spec.shape`,
		`gadgets.go:46 Validate: TooMany spec.parts`,
		`gadgets.go:58 validateParts: Duplicate [*].name`,
		`gadgets.go:62 validateParts: badPort [*].port "port must be set"`,
		`gadgets.go:65 validateParts: badPort [*].port "port is too large"`,
		`gadgets.go:68 validateParts: Error [*].port "is taken"`,
		`gadgets.go:81 whole: NotFound [*]`,
		`gadgets.go:90 Maker: InternalError`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestConstants: those of the function of a site, the nearest first.
func TestConstants(t *testing.T) {
	got := map[string]Constants{}
	for _, site := range find(t) {
		got[fmt.Sprintf("%s:%d", path.Base(site.File), site.Line)] = site.Constants
	}
	for at, want := range map[string]Constants{
		"gadgets.go:42": {Words: []string{"round", "flat"}, Numbers: []int64{1, 10, 0}},
		"gadgets.go:65": {Numbers: []int64{65535, 80, 0}},
		"gadgets.go:81": {}, // texts of errors are no constants
	} {
		if diff := cmp.Diff(want, got[at]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", at, diff)
		}
	}
}

func TestFindMistakes(t *testing.T) {
	for pattern, want := range map[string]string{
		"./testdata/none": "none",
		"fmt":             `no package of ["fmt"] makes a field.Error`,
	} {
		if _, err := Find(t.Context(), ".", []string{pattern}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

// Outside of a module the go command lists nothing and reports no error.
func TestFindOutsideOfAModule(t *testing.T) {
	nowhere := t.TempDir()
	want := fmt.Sprintf(`the go command finds no package of ["./nope"] from the directory %s; name packages of its module`, nowhere)
	if _, err := Find(t.Context(), nowhere, []string{"./nope"}); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestAssign: errors are assigned to the sites that reported them, by the code that ran.
func TestAssign(t *testing.T) {
	sites := find(t)
	at := map[string]int{}
	for i, site := range sites {
		at[strings.SplitN(site.Name, ": ", 2)[1]] = i
	}
	errs := gadgets.Validate(&gadgets.Gadget{Size: 11, Parts: []gadgets.Part{{Name: "a"}, {Name: "a", Port: 80}, {Name: "c", Port: 70000}}})
	all := map[int]int{}
	for i := range sites {
		all[i] = 1
	}
	var got []string
	for i, site := range Assign(sites, all, errs) {
		if site == NoSite {
			t.Errorf("%v has no site", errs[i])
			continue
		}
		got = append(got, fmt.Sprintf("%d %s", sites[site].Line, errs[i].Field))
	}
	want := []string{
		"32 spec.name",
		"38 spec.size",
		"42 spec.shape",
		"62 spec.parts[0].port",
		"58 spec.parts[1].name",
		"68 spec.parts[1].port",
		"65 spec.parts[2].port",
		"46 spec.parts",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if site := Assign(sites, all, gadgets.Whole())[0]; site != at["NotFound [*]"] {
		t.Errorf("the error of the whole object is of site %d", site)
	}
	name := field.Required(field.NewPath("spec", "name"), "")
	for _, tt := range []struct {
		why  string
		ran  map[int]int
		errs field.ErrorList
		want []int
	}{
		{"the site did not run", map[int]int{at["TooMany spec.parts"]: 1}, field.ErrorList{name}, []int{NoSite}},
		{"an error is twice in the list", map[int]int{at["Required spec.name"]: 1}, field.ErrorList{name, name}, []int{0, 0}},
		{"no site makes it", all, field.ErrorList{field.Required(field.NewPath("spec", "color"), "")}, []int{NoSite}},
	} {
		if diff := cmp.Diff(tt.want, Assign(sites, tt.ran, tt.errs)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, diff)
		}
	}
}

// TestAssignInOrder: of sites whose source says nothing about the text, as field.Invalid(path, value, message), earlier ones made
// earlier errors. An error is moved only if another one has no site otherwise.
func TestAssignInOrder(t *testing.T) {
	anywhere := Site{pattern: pattern{errorType: field.ErrorTypeInvalid}}
	one := Site{pattern: pattern{errorType: field.ErrorTypeInvalid, path: []step{{name: "a"}}}}
	untyped := Site{}
	a, b := field.Invalid(field.NewPath("a"), 1, "is one"), field.Invalid(field.NewPath("b"), 1, "is one")
	required := field.Required(field.NewPath("b"), "")
	for _, tt := range []struct {
		why   string
		sites []Site
		ran   map[int]int
		errs  field.ErrorList
		want  []int
	}{
		{"each ran once", []Site{anywhere, anywhere}, map[int]int{0: 1, 1: 1}, field.ErrorList{a, b}, []int{0, 1}},
		{"the first ran twice", []Site{anywhere, anywhere}, map[int]int{0: 2, 1: 1}, field.ErrorList{a, b, a}, []int{0, 0, 1}},
		{"the second error has one site, which has the first", []Site{untyped, anywhere}, map[int]int{0: 1, 1: 1},
			field.ErrorList{a, required}, []int{1, 0}},
		{"two errors of one field, and one of another", []Site{one, anywhere}, map[int]int{0: 1, 1: 2}, field.ErrorList{a, a, b},
			[]int{0, 1, 1}},
	} {
		if diff := cmp.Diff(tt.want, Assign(tt.sites, tt.ran, tt.errs)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, diff)
		}
	}
}
