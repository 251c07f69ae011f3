package harness_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// guardian refuses some requests, by the operation and the subresource.
type guardian struct {
	refuses func(in *harness.Input) bool
	// ratchets: an update without a change is accepted.
	ratchets bool
	asked    *[]string
}

func (guardian) Name() string { return "guardian" }

func (g guardian) Capabilities() contract.Capabilities {
	can := contract.Capabilities{ValidatesDeletes: true}
	if g.ratchets {
		can.WithoutRatcheting = func(_ context.Context, in *harness.Input) (field.ErrorList, error) { return g.errors(in), nil }
	}
	return can
}

func (g guardian) Validate(_ context.Context, in *harness.Input) (field.ErrorList, error) {
	if g.asked != nil {
		*g.asked = append(*g.asked, strings.TrimSpace(string(in.Operation)+" "+in.Subresource))
	}
	if g.ratchets && in.Operation == admissionv1.Update {
		return nil, nil
	}
	return g.errors(in), nil
}

func (g guardian) errors(in *harness.Input) field.ErrorList {
	if g.refuses == nil || !g.refuses(in) {
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath("size"), "refused")}
}

func metadataOf(view *contract.View) map[string]any {
	object, _ := view.Unstructured()
	metadata, _ := object["metadata"].(map[string]any)
	return metadata
}

// TestStored: what only the schema refuses once an object is stored is a result of its own.
func TestStored(t *testing.T) {
	always := func(*harness.Input) bool { return true }
	on := func(operations ...admissionv1.Operation) func(*harness.Input) bool {
		return func(in *harness.Input) bool { return strings.Contains(fmt.Sprint(operations), string(in.Operation)) }
	}
	stored := widget("a", 1)
	for _, row := range []struct {
		why                 string
		native, declarative guardian
		options             harness.Options
		old                 map[string]any
		want                []string // effect, request, all requests that are refused; for each result
	}{
		{why: "nothing is refused", want: []string{"none"}},
		{why: "refused in each request", declarative: guardian{refuses: always},
			want: []string{"refuses", "stuck, no-op update: no-op update, label change, finalizer removal, status update, deletion"}},
		{why: "ratcheting prevents it", declarative: guardian{refuses: on(admissionv1.Create, admissionv1.Update), ratchets: true},
			want: []string{"refuses, ratcheted"}},
		{why: "a rule for creation alone", declarative: guardian{refuses: on(admissionv1.Create)}, want: []string{"refuses"}},
		{why: "nobody can delete it", declarative: guardian{refuses: on(admissionv1.Delete)},
			want: []string{"none", "stuck, deletion: deletion"}},
		{why: "it cannot lose its finalizers", declarative: guardian{refuses: func(in *harness.Input) bool {
			return in.Operation == admissionv1.Update && metadataOf(in.Object)["finalizers"] == nil &&
				metadataOf(in.Old)["finalizers"] != nil
		}}, want: []string{"none", "stuck, finalizer removal: finalizer removal"}},
		{why: "its controller cannot report",
			declarative: guardian{refuses: func(in *harness.Input) bool { return in.Subresource == "status" }},
			want:        []string{"none", "stuck, status update: status update"}},
		{why: "labels are fixed", declarative: guardian{refuses: func(in *harness.Input) bool {
			return in.Operation == admissionv1.Update && metadataOf(in.Object)["labels"] != nil
		}}, want: []string{"none", "stuck, label change: label change"}},
		{why: "the native side refuses updates too", native: guardian{refuses: on(admissionv1.Update)},
			declarative: guardian{refuses: on(admissionv1.Update, admissionv1.Delete)},
			want:        []string{"none", "stuck, deletion: deletion"}},
		{why: "no object is stored that the native side refuses", native: guardian{refuses: on(admissionv1.Create)},
			declarative: guardian{refuses: on(admissionv1.Delete)},
			want:        []string{"admits"}},
		{why: "an exception accepts the refusal, and still says what it means", declarative: guardian{refuses: on(admissionv1.Delete)},
			options: harness.Options{Exceptions: accepting(t, "too-strict", "size")},
			want:    []string{"none", "stuck, deletion: deletion, excepted"}},
		{why: "the old object is stored", native: guardian{refuses: on(admissionv1.Update)},
			declarative: guardian{refuses: on(admissionv1.Update, admissionv1.Delete)},
			old:         stored, want: []string{"none", "stuck, deletion: deletion"}},
		{why: "a case that is a no-op update", declarative: guardian{refuses: on(admissionv1.Update)}, old: stored,
			want: []string{"stuck, no-op update:", "stuck, no-op update: no-op update, label change, finalizer removal, status update"}},
	} {
		t.Run(row.why, func(t *testing.T) {
			row.options.Stored = true
			got := storedResults(t, row.native, row.declarative, row.options, harness.Case{ID: "a", Object: widget("a", 1), Old: row.old})
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
		})
	}
}

// storedResults returns the results of a case as texts.
func storedResults(t *testing.T, native, declarative guardian, options harness.Options, c harness.Case) (texts []string) {
	t.Helper()
	h, err := harness.New(&harness.Target{
		Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
		Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: native, Declarative: declarative}},
	}, options)
	if err != nil {
		t.Fatal(err)
	}
	results, err := h.Check(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		text := string(r.Effect)
		if r.Stored != "" {
			var all []string
			for _, request := range r.Stuck {
				all = append(all, string(request))
			}
			text = strings.TrimSpace(fmt.Sprintf("%s, %s: %s", text, r.Stored, strings.Join(all, ", ")))
		}
		if r.Ratcheted {
			text += ", ratcheted"
		}
		if r.Verdict == words.Excepted {
			text += ", excepted"
		}
		texts = append(texts, text)
	}
	return texts
}

// TestStoredIsOptional: without the option nobody is asked about other requests, and with it the native
// side only about those that the schema side refuses.
func TestStoredIsOptional(t *testing.T) {
	for _, row := range []struct {
		why                 string
		options             harness.Options
		native, declarative []string
	}{
		{"without the option", harness.Options{}, []string{"CREATE"}, []string{"CREATE"}},
		{"with it", harness.Options{Stored: true}, []string{"CREATE", "DELETE"},
			[]string{"CREATE", "UPDATE", "UPDATE", "UPDATE", "UPDATE status", "DELETE", "DELETE"}},
		{"a side beside itself", harness.Options{Stored: true, Self: contract.NativeName}, []string{"CREATE", "CREATE"}, nil},
	} {
		t.Run(row.why, func(t *testing.T) {
			var native, declarative []string
			deletes := func(in *harness.Input) bool { return in.Operation == admissionv1.Delete }
			storedResults(t, guardian{asked: &native}, guardian{asked: &declarative, refuses: deletes}, row.options,
				harness.Case{ID: "a", Object: widget("a", 1)})
			if diff := cmp.Diff([][]string{row.native, row.declarative}, [][]string{native, declarative}); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}
