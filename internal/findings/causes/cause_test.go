package causes_test

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/findings/causes"
)

func TestCauses(t *testing.T) {
	of := func(version, kind, subresource string) *harness.Result {
		return &harness.Result{
			Case:    &harness.Case{Subresource: subresource},
			Version: schema.GroupVersionKind{Group: "apps", Version: version, Kind: kind},
		}
	}
	subject, other := of("v1", "Deployment", ""), of("v1beta1", "Deployment", "")
	status, kind := of("v1", "Deployment", "status"), of("v1", "DaemonSet", "")
	said := func(at, detail string) *field.Error {
		return &field.Error{Type: field.ErrorTypeInvalid, Field: at, Detail: detail}
	}
	compare := func(why string, a, b causes.Cause, same bool) {
		t.Helper()
		if (a == b) != same || (a.Signature() == b.Signature()) != same {
			t.Errorf("%s: %+v and %+v: want the same: %v", why, a, b, same)
		}
	}
	retyped := said("spec.ports[0]", "must be 1 to 5")
	retyped.Type = field.ErrorTypeForbidden
	base := equivalence.Pair{Native: said("spec.ports[0]", "must be 1 to 5"), Class: difference.TooLoose}
	for _, row := range []struct {
		why     string
		subject *harness.Result
		pair    equivalence.Pair
		same    bool
	}{
		{"itself", subject, base, true},
		{"a different version has the same validator", other, base, true},
		{"a different item", subject, equivalence.Pair{Native: said("spec.ports[12]", "must be 1 to 5"), Class: difference.TooLoose}, true},
		{"a different map key, with a dot", subject, equivalence.Pair{
			Native: said("spec.ports[a.b]", "must be 1 to 5"),
			Class:  difference.TooLoose,
		}, true},
		{"other numbers", subject, equivalence.Pair{Native: said("spec.ports[0]", "must be 2 to 77"), Class: difference.TooLoose}, true},
		{"a number with a unit", subject, equivalence.Pair{
			Native: said("spec.ports[0]", "must be 1h30m to 10Gi"),
			Class:  difference.TooLoose,
		}, true},
		{"a different subresource", status, base, false},
		{"a different kind", kind, base, false},
		{"a different class", subject, equivalence.Pair{Native: base.Native, Class: difference.Unstable}, false},
		{"the other side", subject, equivalence.Pair{Declarative: base.Native, Class: difference.TooLoose}, false},
		{"a different field", subject, equivalence.Pair{Native: said("spec.ports[0].port", "must be 1 to 5"), Class: difference.TooLoose},
			false},
		{"a different text", subject, equivalence.Pair{Native: said("spec.ports[0]", "must be 1 or 5"), Class: difference.TooLoose}, false},
		{"a different type", subject, equivalence.Pair{Native: retyped, Class: difference.TooLoose}, false},
	} {
		compare(row.why, causes.CauseOf(subject, base), causes.CauseOf(row.subject, row.pair), row.same)
	}
	deniedWith := func(origin, text string) causes.Cause {
		err := said("", text)
		err.Origin = origin
		return causes.CauseOf(subject, equivalence.Pair{Declarative: err, Class: difference.TooStrict})
	}
	for _, row := range []struct {
		why, other string
		same       bool
	}{
		{"another binding of the policy", "ValidatingAdmissionPolicy/p/other/validations[0]", true},
		{"another validation with the same text", "ValidatingAdmissionPolicy/p/b/validations[1]", false},
		{"another policy with the same text", "ValidatingAdmissionPolicy/q/b/validations[0]", false},
	} {
		compare(row.why, deniedWith("ValidatingAdmissionPolicy/p/b/validations[0]", "no"), deniedWith(row.other, "no"), row.same)
	}
	for _, row := range []struct {
		why, a, b string
		same      bool
	}{
		{"a message expression makes a text of the object", "nginx has no limits", "redis and etcd have no limits, nor requests", true},
		{"a denial, and an expression that fails", "no", "the expression failed: expression 'a.b' resulted in error: no such key: b",
			false},
		{"expressions that fail for different reasons", "the expression failed: no such key: a", "the expression failed: no such key: b",
			false},
	} {
		const origin = "ValidatingAdmissionPolicy/p/b/validations[0]"
		compare(row.why, deniedWith(origin, row.a), deniedWith(origin, row.b), row.same)
	}
	for _, row := range []struct{ why, a, b string }{
		{"lists as Go prints them", "must be one of [a b c]", "must be one of [a, d]"},
		{"maps as Go prints them", "map[a:b] is not allowed", "map[c:d e:f] is not allowed"},
		{"quoted lists of any length", `supported values: "a", "b"`, `supported values: "c"`},
		{"durations, quantities and addresses", "1h30m exceeds 10.0.0.1/8", "90s exceeds 10.1.2.3/16"},
		{"texts for values that are not set", "the profile 'not configured' of <nil> is forbidden",
			"the profile 'localhost/a b.json' of <no value> is forbidden"},
		{"an engine that prints sets",
			`[psp] Seccomp profile 'not configured' is not allowed for container 'a'. Allowed profiles: {"RuntimeDefault", ` +
				`"docker/default"}`,
			`[psp] Seccomp profile 'Unconfined' is not allowed for container 'web'. Allowed profiles: {"RuntimeDefault"}`},
		{"a whole object as JSON", `{"a":{"b":[1,2]},"c":"d"} is refused`, `{"a":{}} is refused`},
		{"a whole object as Go prints it", "refused: &Pod{Spec:PodSpec{Volumes:[]Volume{Volume{Name:a,},},},}",
			"refused: &Pod{Spec:PodSpec{},}"},
		{"a whole object that was cut", "refused: " + strings.Repeat(`{"a":{"b":["c"`, 2_000), "refused: " +
			strings.Repeat(`{"x":[{`, 5_000)},
		{"keys of a path in a text", `values[0][a.b]: Invalid value: "-": a valid label`,
			`values[12][example.com/x]: Invalid value: "": a valid label`},
		{"lists of one item, and of none", "must be one of [a]", "must be one of []"},
		{"identifiers", "owner 01234567-89ab-cdef-0123-456789abcdef is gone", "owner fedcba98-7654-3210-fedc-ba9876543210 is gone"},
	} {
		if causes.SharedText(row.a) != causes.SharedText(row.b) {
			t.Errorf("%s: %q and %q are not alike", row.why, causes.SharedText(row.a), causes.SharedText(row.b))
		}
	}
	for _, row := range []struct{ why, a, b string }{
		{"the rule that an engine names in brackets", "[one] is denied", "[two] is denied"},
		{"an index of a word", "ports[http] is taken", "paths[http] is taken"},
		{"words after an apostrophe", "the owner's name isn't valid", "the owner's label isn't valid"},
		{"words between two plurals", "hosts' names and users' names", "hosts' labels and users' names"},
	} {
		if causes.SharedText(row.a) == causes.SharedText(row.b) {
			t.Errorf("%s: %q and %q are alike: %q", row.why, row.a, row.b, causes.SharedText(row.a))
		}
	}
	valued := func(value any, at, detail string) causes.Cause {
		err := said(at, detail)
		err.BadValue = value
		return causes.CauseOf(subject, equivalence.Pair{Native: err, Class: difference.TooLoose})
	}
	for _, row := range []struct {
		why  string
		a, b causes.Cause
		same bool
	}{
		{"the bad value in the text", valued("redis", "spec.name", "redis is reserved"), valued("nginx", "spec.name", "nginx is reserved"),
			true},
		{"a text inside the bad value", valued(map[string]any{"name": "redis"}, "spec.ref", "no service redis"),
			valued(map[string]any{"name": "nginx"}, "spec.ref", "no service nginx"), true},
		{"the key of the field", valued(1, "spec.ports[http]", "port http is taken"), valued(1, "spec.ports[grpc]", "port grpc is taken"),
			true},
		{"a part of a word is not a value", valued("port", "spec.name", "ports overlap"), valued("name", "spec.name", "names overlap"),
			false},
	} {
		compare(row.why, row.a, row.b, row.same)
	}
	about := func(detail string, object, old any) causes.Cause {
		r := of("v1", "Deployment", "")
		r.Case.Object, r.Case.Old, r.Declared = object, old, naming{word: "Recreate"}
		return causes.CauseOf(r, equivalence.Pair{Native: said("spec", detail), Class: difference.TooLoose})
	}
	named := func(name string) map[string]any {
		return map[string]any{"spec": map[string]any{"items": []any{map[string]any{"ref": name}}}}
	}
	labeled := func(key string) map[string]any {
		return map[string]any{"metadata": map[string]any{"labels": map[string]any{key: "x"}}}
	}
	type typed struct{ Name string }
	for _, row := range []struct {
		why  string
		a, b causes.Cause
		same bool
	}{
		{"a text at any place of the object", about("volume redis is not mounted", named("redis"), nil),
			about("volume nginx is not mounted", named("nginx"), nil), true},
		{"a text of the old object", about("cannot change from redis", nil, named("redis")),
			about("cannot change from nginx", nil, named("nginx")), true},
		{"of a Go type", about("redis is reserved", &typed{"redis"}, nil), about("nginx is reserved", &typed{"nginx"}, nil), true},
		{"a key of labels", about("label team-a is reserved", labeled("team-a"), nil),
			about("label team-b is reserved", labeled("team-b"), nil), true},
		{"with blanks", about("no owner team red", named("team red"), nil), about("no owner team blue", named("team blue"), nil), true},
		{"a text that the message has for every object", about("strategy Recreate is not supported", named("Recreate"), nil),
			about("strategy Recreate is not supported", named("nginx"), nil), true},
		{"a common word of messages", about("must be empty", named("empty"), nil), about("must be empty", named("nginx"), nil), true},
		{"a part of a word", about("reds overlap", named("red"), nil), about("blues overlap", named("blue"), nil), false},
		{"other words", about("volume redis is not mounted", named("redis"), nil), about("secret redis is not mounted",
			named("redis"), nil), false},
	} {
		compare(row.why, row.a, row.b, row.same)
	}
	moved := func(at string) causes.Cause {
		return causes.CauseOf(subject,
			equivalence.Pair{Native: base.Native, Declarative: said(at, "must be 1 to 5"), Class: difference.Path})
	}
	if moved("spec.ports[1]") != moved("spec.ports[2]") || moved("spec.ports[1]") == moved("spec.port") {
		t.Error("of class path, the field of the schema tells causes apart, but for its index")
	}
	if a := causes.CauseOf(subject, base); a.Signature("admits") == a.Signature("refuses") {
		t.Error("words do not tell signatures apart")
	}
	long := said("spec."+strings.Repeat("a", 100_000), strings.Repeat("b", 100_000))
	if cause := causes.CauseOf(subject, equivalence.Pair{Native: long, Class: difference.TooLoose}); len(cause.Field)+
		len(cause.Native.Detail) > 1000 {
		t.Error("a cause keeps long texts")
	}
}

// naming is a schema with a word.
type naming struct {
	difference.Declarations
	word string
}

func (naming) Names() fieldpath.Names { return nil }

func (n naming) HasWord(word string) bool { return word == n.word }

// TestRecordedCauses: a recorded run has no objects, and its differences have the causes that they had.
func TestRecordedCauses(t *testing.T) {
	live := harness.Result{
		Case: &harness.Case{Object: map[string]any{"name": "redis", "other": "unused", "image": "redis:7"}},
		Pairs: []equivalence.Pair{
			{Native: &field.Error{Detail: "redis is reserved"}, Class: difference.TooLoose},
			{Native: &field.Error{Detail: "unused"}}, // explained: equal
		},
		Unmet: []string{"wanted an error for redis:7"},
	}
	texts := causes.ObjectTexts(&live)
	if want := []string{"redis:7", "redis"}; !slices.Equal(texts, want) {
		t.Errorf("the texts are %q, want %q", texts, want)
	}
	recorded := live
	recorded.Case, recorded.ObjectTexts = &harness.Case{}, texts
	if a, b := causes.CauseOf(&live, live.Pairs[0]), causes.CauseOf(&recorded, live.Pairs[0]); a != b {
		t.Errorf("the cause is %+v, and in the recorded run %+v", a, b)
	}
	if a, b := causes.SharedMessage(&live, live.Unmet[0]), causes.SharedMessage(&recorded, live.Unmet[0]); a != b ||
		strings.Contains(a, "redis") {
		t.Errorf("the unmet expectation is %q, and in the recorded run %q", a, b)
	}
}
