package infer

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// thing is an object of the definition under test.
func thing(s spec) map[string]any {
	return map[string]any{
		"apiVersion": "example.com/v1",
		"kind":       "Thing",
		"metadata":   map[string]any{"name": "a", "namespace": "b"},
		"spec":       map[string]any(s),
	}
}

// TestContradictedByCases: a rule of a definition is for everybody, on creates and updates. What somebody else may do, or a case of
// the suite, contradicts it.
func TestContradictedByCases(t *testing.T) {
	t.Parallel()
	large := func(s spec) bool { return s.number("size") > 10 }
	tooLarge := func(s spec) field.ErrorList { return invalid("size", s["size"], "must be at most 10") }
	bob := &harness.User{Name: "bob", Groups: []string{"system:authenticated", "ops"}}
	for _, tt := range []struct {
		why      string
		validate webhook
		cases    []harness.Case
		rules    []string
		sender   string // of the object that refutes a rule
	}{
		{
			why: "nobody may",
			validate: func(r request) field.ErrorList {
				return when(r.operation != admissionv1.Delete && large(r.object), tooLarge(r.object))
			},
			cases: []harness.Case{{ID: "small, of bob", Object: thing(spec{"size": int64(3)}), User: bob}},
			rules: []string{"spec.size: maximum: 10"},
		},
		{
			why: "a case of a member of a group who may",
			validate: func(r request) field.ErrorList {
				return when(large(r.object) && !slices.Contains(r.user.Groups, "ops"), tooLarge(r.object))
			},
			cases: []harness.Case{{ID: "large, of bob", Object: thing(spec{"size": int64(50)}), User: bob}},
		},
		{
			why: "a case of a user, who may do something else in it",
			validate: func(r request) field.ErrorList {
				return when(large(r.object) && r.user.Name != "bob", tooLarge(r.object))
			},
			cases:  []harness.Case{{ID: "small, of bob", Object: thing(spec{"size": int64(3)}), User: bob}},
			sender: "bob",
		},
		{
			why: "an update of a user who may, of an object that only he could create",
			validate: func(r request) field.ErrorList {
				return when(large(r.object) && r.user.Name != "bob", tooLarge(r.object))
			},
			cases: []harness.Case{{ID: "larger", Object: thing(spec{"size": int64(51)}), Old: thing(spec{"size": int64(50)}), User: bob}},
		},
		{
			why: "a user whom the text names, and no case",
			validate: func(r request) field.ErrorList {
				return when(large(r.object) && r.user.Name != "system:admin",
					invalid("size", r.object["size"], "only system:admin may set more than 10"))
			},
		},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			target := worldOf(t, definition("size: {type: integer}"), tt.validate, spec{"size": int64(3)}, spec{})
			target.Policies, target.Cases = nil, tt.cases
			report, err := Run(t.Context(), target, options())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, rule := range report.Rules {
				got = append(got, rule.String())
			}
			if !slices.Equal(got, tt.rules) || report.Refuses != 0 || report.Count(proposal.Proven) != len(tt.rules) {
				t.Errorf("rules %q, want %q\n%s", got, tt.rules, report.Text())
			}
			if len(tt.rules) == 0 && strings.Contains(string(report.Definition()), "maximum") {
				t.Errorf("the definition has the rule:\n%s", report.Definition())
			}
			if tt.sender != "" && !strings.Contains(report.Text(), `sent by "`+tt.sender+`"`) {
				t.Errorf("the report does not say who may:\n%s", report.Text())
			}
		})
	}
}

func when(condition bool, errs field.ErrorList) field.ErrorList {
	if condition {
		return errs
	}
	return nil
}

// TestUnseen: a check is green only if what is needed was asked, and the native validator accepted something and refused
// something. Errors that the exploration does not find are in the cases.
func TestUnseen(t *testing.T) {
	t.Parallel()
	none := func(request) field.ErrorList { return nil }
	whenDeleted := func(r request) field.ErrorList {
		return when(r.deleted.number("size") > 2, field.ErrorList{field.Forbidden(at.Child("size"), "cannot be deleted")})
	}
	for _, tt := range []struct {
		why      string
		validate webhook
		size     string // its schema
		inputs   int
		cases    []harness.Case
		unseen   string
		lacking  []proposal.AdmittedCase
	}{
		{why: "a definition that refuses everything", validate: none, size: "{type: integer, default: 1, x-kubernetes-validations: " +
			"[{rule: 'self == 7 && self == 8'}]}", unseen: "refused all of"},
		{
			why: "a validator that refuses only deletions", validate: whenDeleted,
			lacking: []proposal.AdmittedCase{
				{ID: "the deletion of an accepted object", Operation: "DELETE", Error: "spec.size: Forbidden: cannot be deleted"},
			},
		},
		{
			why: "an error that only the sender of a case gets",
			validate: func(r request) field.ErrorList {
				return when(r.user.Name == "eve" && r.object != nil, field.ErrorList{field.Forbidden(at, "not for eve")})
			},
			cases:   []harness.Case{{ID: "eve", Object: thing(spec{"size": int64(3)}), User: &harness.User{Name: "eve"}}},
			lacking: []proposal.AdmittedCase{{ID: "eve", Operation: "CREATE", Error: "spec: Forbidden: not for eve"}},
		},
		{
			why: "four inputs", inputs: 4,
			validate: func(r request) field.ErrorList {
				return when(r.object.text("mode") == "Z", field.ErrorList{field.Forbidden(at.Child("mode"), "is reserved")})
			},
			cases:  []harness.Case{{ID: "refused by both", Object: thing(spec{"size": "x"})}},
			unseen: "--inputs ended the exploration before",
		},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			target := worldOf(t, definition("size: "+cmp.Or(tt.size, "{type: integer}")+"\nmode: {type: string, maxLength: 1}", "size"),
				tt.validate, spec{"size": int64(3)}, spec{"size": int64(2), "mode": "a"})
			target.Policies, target.Cases = nil, tt.cases
			o := options()
			o.Inputs = cmp.Or(tt.inputs, o.Inputs)
			report, err := Run(t.Context(), target, o)
			if err != nil {
				t.Fatal(err)
			}
			if unseen := report.Unseen(); (unseen == "") != (tt.unseen == "") && len(tt.lacking) == 0 ||
				!strings.Contains(unseen, tt.unseen) {
				t.Errorf("unseen: %q, want %q\n%s", unseen, tt.unseen, report.Text())
			}
			if !slices.Equal(report.Cases, tt.lacking) {
				t.Errorf("cases: %q, want %q", report.Cases, tt.lacking)
			}
			if !strings.Contains(report.Text(), "The native validator was asked about ") {
				t.Errorf("it does not say what it asked:\n%s", report.Text())
			}
		})
	}
}

// TestWritten: a proposal overwrites what an earlier one wrote, and nothing else.
func TestWritten(t *testing.T) {
	t.Parallel()
	target := targetOf(t, definition("size: {type: integer}"), func(s, _ spec) field.ErrorList {
		return when(s.number("size") > 10, invalid("size", s["size"], "must be at most 10"))
	}, spec{"size": int64(3)})
	report, err := Run(context.Background(), target, options())
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := CheckOutputs(target, folder); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := report.Write(folder); err != nil {
		t.Fatal(err)
	}
	if err := CheckOutputs(target, folder); err != nil {
		t.Errorf("what an earlier run wrote: %v", err)
	}
	if len(report.Files) != 4 {
		t.Errorf("the report has the digests %q", report.Files)
	}
	for _, tt := range []struct{ why, name, want string }{
		{"a file that was changed since", "crd.yaml", "it was changed since"},
		{"a file that nobody wrote", PoliciesFile, "diffrun infer did not write it"},
		{"a report of something else", "report.json", "diffrun infer did not write it"},
	} {
		if err := os.WriteFile(filepath.Join(folder, tt.name), []byte("{}"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := CheckOutputs(target, folder); err == nil ||
			!strings.Contains(err.Error(), tt.name+" would be overwritten, and "+tt.want) {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}
