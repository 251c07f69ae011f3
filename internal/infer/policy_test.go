package infer

import (
	"context"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// request is what a webhook written for the test sees.
type request struct {
	operation     admissionv1.Operation
	user          harness.User
	name          string
	labels        map[string]any
	annotations   map[string]any
	isDeleted     bool
	object, old   spec
	deleted       spec
	deletedLabels map[string]any
}

// webhook is a validating webhook that looks at requests.
type webhook func(request) field.ErrorList

func (webhook) Name() string { return "webhook" }
func (webhook) Capabilities() contract.Capabilities {
	return contract.Capabilities{ValidatesDeletes: true}
}

func (w webhook) Validate(_ context.Context, in *harness.Input) (field.ErrorList, error) {
	object, old, err := contract.Read(in, (*contract.View).Unstructured)
	if err != nil {
		return nil, err
	}
	r := request{operation: in.Operation, user: harness.User{Name: "diffrun", Groups: []string{"system:masters"}}}
	if in.User != nil {
		r.user = *in.User
	}
	specOf := func(object map[string]any) (spec, map[string]any) {
		s, _ := object["spec"].(map[string]any)
		metadata, _ := object["metadata"].(map[string]any)
		labels, _ := metadata["labels"].(map[string]any)
		if name, _ := metadata["name"].(string); name != "" {
			r.name = name
		}
		r.annotations, _ = metadata["annotations"].(map[string]any)
		r.isDeleted = metadata["deletionTimestamp"] != nil
		return s, labels
	}
	if old != nil {
		r.old, r.deletedLabels = specOf(old)
	}
	if object != nil {
		r.object, r.labels = specOf(object)
	} else {
		r.deleted = r.old
	}
	return w(r), nil
}

// worldOf returns the target of a webhook behind a definition.
func worldOf(t *testing.T, crd string, validate webhook, starts ...spec) *evidence.Target {
	t.Helper()
	return worldOfBackend(t, crd, validate, starts...)
}

// worldOfBackend returns the target of a backend behind a definition.
func worldOfBackend(t *testing.T, crd string, validate harness.Backend, starts ...spec) *evidence.Target {
	t.Helper()
	about := targetOf(t, crd, func(spec, spec) field.ErrorList { return nil }, starts...)
	definition, err := customresource.ReadDefinition([]byte(crd))
	if err != nil {
		t.Fatal(err)
	}
	target, err := world.NewTarget(world.World{Definition: definition, Then: []world.Validating{{Backend: validate}}},
		world.World{Definition: definition})
	if err != nil {
		t.Fatal(err)
	}
	if about.Harness, err = harness.New(target, about.HarnessOptions); err != nil {
		t.Fatal(err)
	}
	about.Policies = func(data []byte) (world.Policies, error) {
		return evaluation.Load([]evaluation.File{{Name: "policies.yaml", Data: data}}, evaluation.Options{})
	}
	return about
}

// wantPolicies infers the rules of a target with one error, and checks that it is proven by these validations of policies, or
// else by rules of its definition.
func wantPolicies(t *testing.T, target *evidence.Target, o evidence.Options, want []string) {
	t.Helper()
	report, err := Run(t.Context(), target, o)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, rule := range report.Policies {
		got = append(got, rule.String())
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("policies:\n%s\nwant:\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), report.Text())
	}
	if report.Admits+report.Refuses > 0 || report.Count(proposal.Proven) != len(report.Sites) || len(report.Sites) != 1 {
		t.Errorf("it is not proven:\n%s", report.Text())
	}
}

// TestPolicies: what a definition cannot say becomes validations of policies, and each is proven.
func TestPolicies(t *testing.T) {
	const properties = "size: {type: integer}\nprotected: {type: boolean}\nif: {type: boolean}\nin__use: {type: " +
		"boolean}\nmode: {type: string, enum: [Open, Closed]}\nused: {type: array, items: {type: string}}\nall: {type: array, " +
		"items: {type: object, properties: {name: {type: string}}}}\n"
	keeping := func(name string) webhook {
		return func(r request) field.ErrorList {
			if kept, _ := r.deleted[name].(bool); kept {
				return field.ErrorList{field.Forbidden(at.Child(name), "this thing cannot be deleted")}
			}
			return nil
		}
	}
	labelled := func(target *evidence.Target) {
		for n, labels := range []map[string]any{{"example.com/team": "a"}, {"app": "b", "example.com/team": "a"}} {
			if n < len(target.Starts) {
				metadata := target.Starts[n].Object["metadata"].(map[string]any)
				metadata["labels"] = labels
			}
		}
	}
	for _, tt := range []struct {
		why      string
		change   func(*evidence.Target)
		starts   []spec
		validate webhook
		want     []string
	}{
		{
			why: "a label that every object needs", change: labelled, starts: []spec{{"size": int64(1)}, {"mode": "Open"}},
			validate: func(r request) field.ErrorList {
				if _, has := r.labels["example.com/team"]; r.operation != admissionv1.Delete && !has {
					return field.ErrorList{field.Required(field.NewPath("metadata", "labels").Key("example.com/team"),
						"every thing has a team")}
				}
				return nil
			},
			want: []string{"policy, CREATE and UPDATE: has(object.metadata.labels) && 'example.com/team' in object.metadata.labels"},
		},
		{
			why:      "an object that may not be deleted; updates may do anything",
			starts:   []spec{{"protected": true}, {"protected": false}, {}},
			validate: keeping("protected"),
			want:     []string{"policy, DELETE: !has(oldObject.spec.protected) || !oldObject.spec.protected"},
		},
		{
			why: "a value that only some users may set", starts: []spec{{"mode": "Open"}, {"mode": "Closed"}, {}},
			validate: func(r request) field.ErrorList {
				if r.object.text("mode") == "Open" && !slices.Contains(r.user.Groups, "system:masters") {
					return field.ErrorList{field.Forbidden(at.Child("mode"), "only system:masters may set Open")}
				}
				return nil
			},
			want: []string{"policy, CREATE and UPDATE: 'system:masters' in request.userInfo.groups || !has(object.spec.mode) || " +
				"object.spec.mode != 'Open'"},
		},
		{
			why: "the length of a name", starts: []spec{{"size": int64(1)}, {}},
			validate: func(r request) field.ErrorList {
				if r.object != nil && len(r.name) > 12 {
					return field.ErrorList{field.Invalid(field.NewPath("metadata", "name"), r.name, "must be no more than 12 characters")}
				}
				return nil
			},
			want: []string{"policy, CREATE and UPDATE: !has(object.metadata.name) || object.metadata.name.size() <= 12"},
		},
		{
			why:    "a rule that costs too much for a definition, because its lists have no bounds",
			starts: []spec{{"all": []any{map[string]any{"name": "a"}, map[string]any{"name": "b"}}}, {}},
			validate: func(r request) field.ErrorList {
				seen := map[any]bool{}
				for _, item := range r.object.itemsOf("all") {
					if name := item["name"]; name != nil && seen[name] {
						return invalid("all", r.object["all"], "names must differ")
					}
					seen[item["name"]] = true
				}
				return nil
			},
			want: []string{"policy, CREATE and UPDATE: !has(object.spec) || !has(object.spec.all) || object.spec.all.all(x, " +
				"!has(x.name) || object.spec.all.exists_one(y, has(y.name) && x.name == y.name))"},
		},
		{
			why: "a field whose name is a word of CEL, which a policy reads as it is", starts: []spec{{"if": true}, {"if": false}, {}},
			validate: keeping("if"),
			want:     []string{"policy, DELETE: !has(oldObject.spec.if) || !oldObject.spec.if"},
		},
		{
			why:      "a field whose name rules escape, which a policy reads as it is",
			starts:   []spec{{"in__use": true}, {"in__use": false}, {}},
			validate: keeping("in__use"),
			want:     []string{"policy, DELETE: !has(oldObject.spec.in__use) || !oldObject.spec.in__use"},
		},
		{
			why: "what a definition can say is no policy", starts: []spec{{"size": int64(1)}, {}},
			validate: func(r request) field.ErrorList {
				if r.object.number("size") > 10 {
					return invalid("size", r.object.number("size"), "must be at most 10")
				}
				return nil
			},
			want: nil,
		},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			target := worldOf(t, definition(properties), tt.validate, tt.starts...)
			if tt.change != nil {
				tt.change(target)
			}
			wantPolicies(t, target, options(), tt.want)
		})
	}
}

// TestPoliciesAgreeWithCases: a case says that somebody else may do it, of whom the search knows nothing. A policy that refuses the
// case is not proposed.
func TestPoliciesAgreeWithCases(t *testing.T) {
	validate := func(r request) field.ErrorList {
		if r.object.text("mode") == "Open" && !slices.Contains(r.user.Groups, "system:masters") && r.user.Name != "carol" {
			return field.ErrorList{field.Forbidden(at.Child("mode"), "only some may set Open")}
		}
		return nil
	}
	for _, tt := range []struct {
		why    string
		sent   []harness.Case
		proven int
	}{
		{"no case says so", nil, 1},
		{"a case of somebody who may", []harness.Case{{ID: "carol", Object: map[string]any{
			"apiVersion": "example.com/v1", "kind": "Thing", "metadata": map[string]any{"name": "a", "namespace": "b"},
			"spec": map[string]any{"mode": "Open"},
		}, User: &harness.User{Name: "carol", Groups: []string{"system:authenticated"}}}}, 0},
	} {
		target := worldOf(t, definition("mode: {type: string, enum: [Open, Closed]}"), validate, spec{"mode": "Open"},
			spec{"mode": "Closed"}, spec{})
		target.Cases = tt.sent
		report, err := Run(t.Context(), target, options())
		if err != nil {
			t.Fatal(err)
		}
		if report.Count(proposal.Proven) != tt.proven || len(report.Policies) != tt.proven || report.Refuses != 0 {
			t.Errorf("%s:\n%s", tt.why, report.Text())
		}
	}
}
