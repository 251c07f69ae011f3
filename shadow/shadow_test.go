package shadow_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/features"
	"k8s.io/component-base/featuregate"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/metrics"
	"github.com/diffrun/diffrun/shadow"
)

// takeover is the deprecated name of Options.Enforce.
//
//lint:ignore SA1019 API servers still have it
const takeover = features.DeclarativeValidationTakeover

// definition is the schema beside ValidateWidget: it also rejects sizes over 9.
const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.dev}
spec:
  group: example.dev
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer, minimum: 0, maximum: 9}
          password: {type: string, maxLength: 3}
`

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Size              int64  `json:"size"`
	Password          string `json:"password,omitempty"`
}

func (w *Widget) DeepCopyObject() k8sruntime.Object { same := *w; return &same }

func validateWidget(w *Widget) field.ErrorList {
	if w.Size < 0 {
		return field.ErrorList{field.Invalid(field.NewPath("size"), w.Size, "must be greater than or equal to 0")}
	}
	return nil
}

func widgets(t testing.TB) *harness.Target {
	t.Helper()
	target, err := customresource.NewTarget([]byte(definition), shadow.Native{})
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// beside makes a Shadow whose metrics and log can be read.
func beside(t testing.TB, target *harness.Target, options shadow.Options) (*shadow.Shadow, *metrics.Metrics, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	options.Metrics = metrics.New()
	options.Logger = slog.New(slog.NewTextHandler(&log, nil))
	made, err := shadow.New(target, options)
	if err != nil {
		t.Fatal(err)
	}
	return made, options.Metrics, &log
}

func validate(s *shadow.Shadow, w *Widget) field.ErrorList {
	return s.Validate(context.Background(), harness.Case{Object: w}, func(context.Context) field.ErrorList { return validateWidget(w) })
}

// counted returns the lines of one metric family, without comments.
func counted(t *testing.T, m *metrics.Metrics, family string) string {
	t.Helper()
	var text bytes.Buffer
	if err := m.Write(&text); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(text.String()) {
		if strings.HasPrefix(line, family) && !strings.HasSuffix(line, " 0\n") {
			lines = append(lines, strings.TrimPrefix(line, family))
		}
	}
	return strings.Join(lines, "")
}

func TestNativeErrorsAreReturned(t *testing.T) {
	s, m, log := beside(t, widgets(t), shadow.Options{})
	for range 3 {
		for _, row := range []struct {
			why  string
			size int64
			want int
		}{
			{"both accept", 1, 0},
			{"both refuse, in other words", -1, 1},
			{"only the schema rejects it", 10, 0},
		} {
			if errs := validate(s, &Widget{Size: row.size}); len(errs) != row.want {
				t.Errorf("%s: %v; wanted %d errors", row.why, errs, row.want)
			}
		}
		validate(s, &Widget{Password: "correct horse"})
	}
	want := `{effect="none",group="example.dev",kind="Widget",verdict="equal",version="v1"} 3
{effect="none",group="example.dev",kind="Widget",verdict="equivalent",version="v1"} 3
{effect="refuses",group="example.dev",kind="Widget",verdict="different",version="v1"} 6
`
	if diff := cmp.Diff(want, counted(t, m, "apiserver_declarative_validation_cases_total")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n := strings.Count(log.String(), "\n"); n != 2 {
		t.Errorf("two signatures were logged in %d lines:\n%s", n, log)
	}
	for _, word := range []string{"too-strict (refuses): example.dev/v1 Widget size", "signature=", "operation=CREATE", "password"} {
		if !strings.Contains(log.String(), word) {
			t.Errorf("the log lacks %q:\n%s", word, log)
		}
	}
	if strings.Contains(log.String(), "horse") {
		t.Errorf("the log shows a value:\n%s", log)
	}
}

// TestNothingIsKept: the object of a request is released after it, even if it shows a difference.
func TestNothingIsKept(t *testing.T) {
	s, _, _ := beside(t, widgets(t), shadow.Options{})
	gone := make(chan struct{})
	func() {
		w := &Widget{Size: 10}
		runtime.AddCleanup(w, func(struct{}) { close(gone) }, struct{}{})
		validate(s, w)
	}()
	for range 100 {
		runtime.GC()
		select {
		case <-gone:
			runtime.KeepAlive(s)
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("the object is still there after a hundred collections")
}

// answering is a declarative backend with the answers of a row.
type answering func(context.Context) (field.ErrorList, error)

func (answering) Name() string { return "declarative" }

func (a answering) Validate(ctx context.Context, _ *harness.Input) (field.ErrorList, error) {
	return a(ctx)
}

// saying is a target of documents whose schema has the answers of a row.
func saying(answer answering) *harness.Target {
	version := schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Widget"}
	return &harness.Target{Kind: version.GroupKind(), Scheme: harness.Documents{}, Versions: []harness.Version{{
		GroupVersionKind: version, Declarative: answer, Native: shadow.Native{},
	}}}
}

func sizeError(detail string) *field.Error {
	return field.Invalid(field.NewPath("size"), int64(1), detail)
}

func TestLifecycle(t *testing.T) {
	covered := func() *field.Error { return sizeError("native").MarkCoveredByDeclarative() }
	for _, row := range []struct {
		why                 string
		options             shadow.Options
		native, declarative *field.Error
		want                []string // details
		counted             bool     // as a difference
	}{
		{"shadow: the native error, whatever the schema returns", shadow.Options{}, sizeError("native"), sizeError("schema"),
			[]string{"native"}, true},
		{"shadow: none, if only the schema has one", shadow.Options{}, nil, sizeError("schema"), nil, true},
		{"DeclarativeValidation off: no comparison", shadow.Options{Gates: shadow.FixedGates{features.DeclarativeValidation: false}},
			nil, sizeError("schema"), nil, false},
		{"a stable rule decides alone, and no native error is missing", shadow.Options{Enforce: true}, nil, sizeError("schema"),
			[]string{"schema"}, false},
		{"... also with DeclarativeValidation off", shadow.Options{
			Enforce: true,
			Gates:   shadow.FixedGates{features.DeclarativeValidation: false},
		}, nil, sizeError("schema"), []string{"schema"}, false},
		{"a stable rule replaces the native error that means the same", shadow.Options{Enforce: true}, sizeError("same"),
			sizeError("same"), []string{"same"}, false},
		{"... and not an error with a different text", shadow.Options{Enforce: true}, sizeError("native"), sizeError("schema"),
			[]string{"native", "schema"}, true},
		{"a rule in beta decides", shadow.Options{Enforce: true}, nil, sizeError("schema").MarkBeta(), []string{"schema"}, true},
		{"... and the native error that it covers goes", shadow.Options{Enforce: true}, covered().MarkBeta(),
			sizeError("schema").MarkBeta(), []string{"schema"}, true},
		{"... but not with the gate off",
			shadow.Options{Enforce: true, Gates: shadow.FixedGates{features.DeclarativeValidationBeta: false}},
			covered().MarkBeta(), sizeError("schema").MarkBeta(), []string{"native"}, true},
		{"a rule in alpha never decides", shadow.Options{Enforce: true}, covered().MarkAlpha(), sizeError("schema").MarkAlpha(),
			[]string{"native"}, true},
		{"the deprecated gate is Enforce", shadow.Options{Gates: shadow.FixedGates{takeover: true}},
			nil, sizeError("schema"), []string{"schema"}, false},
		{"errors that only the native code reports stay", shadow.Options{Enforce: true}, sizeError("native"), nil, []string{"native"},
			true},
	} {
		t.Run(row.why, func(t *testing.T) {
			s, m, log := beside(t, saying(func(context.Context) (field.ErrorList, error) { return list(row.declarative), nil }),
				row.options)
			var details []string
			for _, err := range s.Validate(t.Context(), document(), func(context.Context) field.ErrorList { return list(row.native) }) {
				details = append(details, err.Detail)
			}
			if diff := cmp.Diff(row.want, details); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			differs := counted(t, m, "apiserver_declarative_validation_difference_total") != ""
			if differs != row.counted || differs != (log.Len() > 0) {
				t.Errorf("counted %v, wanted %v; logged:\n%s", differs, row.counted, log)
			}
		})
	}
}

func list(err *field.Error) field.ErrorList {
	if err == nil {
		return nil
	}
	return field.ErrorList{err}
}

func document() harness.Case {
	return harness.Case{Object: map[string]any{"apiVersion": "example.dev/v1", "kind": "Widget"}}
}

// TestFaults: failures on the schema side are counted, and refuse a request only if the schema decides.
func TestFaults(t *testing.T) {
	for _, row := range []struct {
		why    string
		answer answering
		reason string
	}{
		{"a panic", func(context.Context) (field.ErrorList, error) { panic("nil map") }, "panic"},
		{"a rule that does not end within the budget", func(ctx context.Context) (field.ErrorList, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, "timeout"},
		{"no answer", func(context.Context) (field.ErrorList, error) { return nil, errors.New("no schema") }, "error"},
	} {
		for enforce, want := range map[bool]int{false: 0, true: 1} {
			s, m, log := beside(t, saying(row.answer), shadow.Options{Budget: 5 * time.Millisecond, Enforce: enforce})
			errs := s.Validate(t.Context(), document(), func(context.Context) field.ErrorList { return nil })
			if len(errs) != want || want > 0 && errs[0].Type != field.ErrorTypeInternal {
				t.Errorf("%s, enforce %v: %v", row.why, enforce, errs)
			}
			if got := counted(t, m,
				"apiserver_declarative_validation_fault_total"); got != `{backend="declarative",reason="`+row.reason+"\"} 1\n" {
				t.Errorf("%s: counted %q", row.why, got)
			}
			if !strings.Contains(log.String(), "fault of the declarative backend") {
				t.Errorf("%s: logged %q", row.why, log)
			}
		}
	}
}

// TestClientGoesAway: a cancelled request is still compared, and is not a fault.
func TestClientGoesAway(t *testing.T) {
	s, m, _ := beside(t, widgets(t), shadow.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Validate(ctx, harness.Case{Object: &Widget{}}, func(context.Context) field.ErrorList { return nil })
	if got := counted(t, m, "apiserver_declarative_validation_cases_total"); !strings.Contains(got, `verdict="equal"`) {
		t.Errorf("counted %q", got)
	}
}

func TestSkipped(t *testing.T) {
	const requests = 2000
	none := func(context.Context) field.ErrorList { return nil }
	for _, row := range []struct {
		why     string
		options shadow.Options
		object  harness.Case
		reason  string
		compare func(int) bool
	}{
		{"all", shadow.Options{}, document(), "", func(n int) bool { return n == requests }},
		{"a share", shadow.Options{Sample: 0.5}, document(), "sample", func(n int) bool { return n > requests/4 && n < 3*requests/4 }},
		{"the native code takes no time, so that comparisons soon use up their share of it", shadow.Options{Overhead: 0.1},
			document(), "overhead", func(n int) bool { return n > 0 && n < requests/2 }},
		{"a version that the target does not have", shadow.Options{},
			harness.Case{Object: map[string]any{"apiVersion": "example.dev/v2", "kind": "Widget"}}, "target",
			func(n int) bool { return n == 0 }},
	} {
		s, m, _ := beside(t, saying(func(context.Context) (field.ErrorList, error) { return nil, nil }), row.options)
		for range requests {
			s.Validate(t.Context(), row.object, none)
		}
		compared, skipped := total(t, m, "cases_total"), total(t, m, "skipped_total")
		if !row.compare(compared) || compared+skipped != requests {
			t.Errorf("%s: %d compared and %d skipped of %d", row.why, compared, skipped, requests)
		}
		if reason := counted(t, m, "apiserver_declarative_validation_skipped_total"); row.reason != "" &&
			!strings.Contains(reason, row.reason) {
			t.Errorf("%s: skipped %s; wanted the reason %s", row.why, reason, row.reason)
		}
	}
}

// total is the sum of one metric family over all labels.
func total(t *testing.T, m *metrics.Metrics, family string) int {
	t.Helper()
	families, err := m.Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, f := range families {
		for _, sample := range f.GetMetric() {
			if strings.HasSuffix(f.GetName(), family) {
				sum += sample.GetCounter().GetValue()
			}
		}
	}
	return int(sum)
}

// TestGatesOfAServer: feature gates of an API server are read at each request.
func TestGatesOfAServer(t *testing.T) {
	gate := featuregate.NewFeatureGate()
	if err := gate.Add(map[featuregate.Feature]featuregate.FeatureSpec{
		features.DeclarativeValidation:     {Default: true, PreRelease: featuregate.Beta},
		features.DeclarativeValidationBeta: {Default: true, PreRelease: featuregate.Beta},
		takeover:                           {Default: false, PreRelease: featuregate.Deprecated},
	}); err != nil {
		t.Fatal(err)
	}
	s, m, _ := beside(t, widgets(t), shadow.Options{Gates: gate})
	validate(s, &Widget{Size: 10})
	if err := gate.Set("DeclarativeValidation=false"); err != nil {
		t.Fatal(err)
	}
	validate(s, &Widget{Size: 10})
	if n := total(t, m, "cases_total"); n != 1 {
		t.Errorf("%d requests were compared; wanted 1", n)
	}
}

func TestMistakes(t *testing.T) {
	_, err := shadow.New(widgets(t), shadow.Options{Budget: -1, Sample: 1.5, Overhead: -0.1})
	want := "the budget is -1ns; it must not be negative\nthe sample is 1.5; it must be between 0 and 1\nthe overhead is -0.1; " +
		"it must be a share, such as 0.1"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if _, err := shadow.New(nil, shadow.Options{}); err == nil {
		t.Error("no target is accepted")
	}
}

// TestLogHasNoTexts: texts of objects are never logged, even if the hand-written errors quote none, and two
// objects that differ only in texts are one difference.
func TestLogHasNoTexts(t *testing.T) {
	s, _, log := beside(t, widgets(t), shadow.Options{})
	for _, name := range []string{"canary", "budgie"} {
		w := &Widget{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{name + "/key": name + "-value"}}, Size: 1}
		s.Validate(t.Context(), harness.Case{ID: name, Object: w}, func(context.Context) field.ErrorList {
			return field.ErrorList{
				field.Invalid(field.NewPath("metadata", "labels").Key(name+"/key"), name,
					fmt.Sprintf("%s of %s-value is taken", name, name)),
				field.Invalid(field.NewPath("spec", name), name, "is not known"),
			}
		})
	}
	said := log.String()
	if strings.Contains(said, "canary") || strings.Contains(said, "budgie") || strings.Count(said, "level=ERROR") != 2 {
		t.Errorf("it logs\n%s", said)
	}
	for _, want := range []string{"Widget metadata.labels[*]", "Widget spec.#", "# of # is taken"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not log %s:\n%s", want, said)
		}
	}
}
