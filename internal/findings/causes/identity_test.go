package causes_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/admission"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/findings/causes"
)

type disk struct {
	Name   string
	Size   int
	Labels map[string]string
}

// TestDiffs: a text of cmp.Diff is one error, whatever its lines say.
func TestDiffs(t *testing.T) {
	small, large := disk{"a", 1, map[string]string{"a": "b"}}, disk{"b", 1, map[string]string{"c": "d", "e": "f"}}
	var a, b any = "none", map[string]any{"size": "1Gi"}
	base := "spec is immutable: " + cmp.Diff(small, large)
	wide := func(text string) string { return strings.ReplaceAll(text, "  ", "\u00a0\u00a0") }
	for _, row := range []struct {
		why, text string
		same      bool
	}{
		{"other fields", "spec is immutable: " + cmp.Diff(small, disk{"a", 7, nil}), true},
		{"an interface with other types", "spec is immutable: " + cmp.Diff(&a, &b), true},
		{"a list", "spec is immutable: " + cmp.Diff([]string{"a", "b"}, []string{"b", "c d"}), true},
		{"a text of many lines", "spec is immutable: " + cmp.Diff(strings.Repeat("line\n", 9), strings.Repeat("line\n", 8)+"end\n"), true},
		{"with no-break spaces", wide(base), true},
		{"cut off", base[:len(base)-9], true},
		{"another text before it", "status is immutable: " + cmp.Diff(small, large), false},
		{"another text after it", base + "use another disk", false},
		{"a list of lines that is no difference", "spec is immutable: \n- name\n- size\n", false},
	} {
		if same := causes.SharedText(base) == causes.SharedText(row.text); same != row.same {
			t.Errorf("%s: %q and %q: the same: %t", row.why, causes.SharedText(base), causes.SharedText(row.text), same)
		}
	}
	found := func(message string) []causes.Finding {
		r := &harness.Result{Case: &harness.Case{}}
		for _, err := range admission.MessageErrors(message) {
			r.Pairs = append(r.Pairs, equivalence.Pair{Native: err, Class: difference.TooLoose})
		}
		return causes.Findings(r)
	}
	for _, row := range []struct {
		why, message string
		want         int
	}{
		{"a refusal that names no field", base, 1},
		{"two of them", base + "\n" + "status is immutable: " + cmp.Diff(small, large), 2},
		{"an error with a field", "spec: Forbidden: immutable: " + cmp.Diff(small, large), 1},
		{"an aggregate", "[spec: Forbidden: immutable: " + cmp.Diff(small, large) + ", spec.size: Required value]", 2},
		{"errors.Join", "spec: Forbidden: immutable: " + cmp.Diff(small, large) + "\nspec.size: Required value", 2},
	} {
		if got := found(row.message); len(got) != row.want {
			t.Errorf("%s: %d findings, want %d: %+v", row.why, len(got), row.want, got)
		}
	}
}

// TestNamesAreValues: names of objects in texts, and keys of maps in paths, belong to one object.
func TestNamesAreValues(t *testing.T) {
	refused := func(metadata map[string]any, at, detail string) *harness.Result {
		return &harness.Result{
			Case: &harness.Case{Object: map[string]any{"metadata": metadata}}, Declared: labelsMap{naming: naming{word: "backup"}},
			Pairs: []equivalence.Pair{
				{Native: &field.Error{Type: field.ErrorTypeInvalid, Field: at, Detail: detail, Origin: fielderror.OriginText},
					Class: difference.TooLoose},
			},
		}
	}
	named := func(name, namespace string) map[string]any {
		return map[string]any{"name": name, "namespace": namespace}
	}
	for _, row := range []struct {
		why  string
		a, b *harness.Result
		same bool
	}{
		{"a name and a namespace", refused(named("orders", "shop"), "", "cluster shop/orders has no primary"),
			refused(named("users", "crm"), "", "cluster crm/users has no primary"), true},
		{"short ones", refused(named("db", "x"), "", "cluster x/db has no primary"),
			refused(named("pg", "y"), "", "cluster y/pg has no primary"), true},
		{"a name inside another", refused(named("orders", ""), "", "service orders-rw exists"),
			refused(named("users", ""), "", "service users-rw exists"), true},
		{"a part of a word", refused(named("db", ""), "", "dbs overlap"), refused(named("pg", ""), "", "pgs overlap"), false},
		{"a word that messages have for every object", refused(named("backup", ""), "", "no backup is set"),
			refused(named("pg", ""), "", "no backup is set"), true},
		{"a key of a map after a dot", refused(nil, "spec.labels.team", "no"), refused(nil, "spec.labels.zone", "no"), true},
		{"and in brackets", refused(nil, "spec.labels.team", "no"), refused(nil, "spec.labels[zone]", "no"), true},
		{"a field is no key", refused(nil, "spec.team", "no"), refused(nil, "spec.zone", "no"), false},
		{"a word of the schema is no key", refused(nil, "spec.labels.backup", "no"), refused(nil, "spec.labels.zone", "no"), false},
	} {
		a, b := causes.CauseOf(row.a, row.a.Pairs[0]), causes.CauseOf(row.b, row.b.Pairs[0])
		if (a == b) != row.same {
			t.Errorf("%s: %+v and %+v", row.why, a, b)
		}
		recorded := *row.a
		recorded.Case, recorded.Declared, recorded.ObjectTexts = &harness.Case{}, nil, append([]string{}, causes.ObjectTexts(row.a)...)
		if again := causes.CauseOf(&recorded, recorded.Pairs[0]); again != a {
			t.Errorf("%s: recorded, the cause is %+v, want %+v", row.why, again, a)
		}
	}
}

// labelsMap is a schema in which spec.labels is a map.
type labelsMap struct{ naming }

func (labelsMap) General(path string) string {
	if rest, is := strings.CutPrefix(path, "spec.labels"); is && rest != "" {
		return "spec.labels[*]"
	}
	return path
}
