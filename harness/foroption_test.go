package harness_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
)

// optionTest is a testing.TB whose failures do not fail the test that inspects it.
type optionTest struct {
	testing.TB
	failed, logged []string
	cleanups       []func()
}

func (o *optionTest) Errorf(format string, args ...any) {
	o.failed = append(o.failed, fmt.Sprintf(format, args...))
}
func (o *optionTest) Fatal(args ...any) {
	o.failed = append(o.failed, fmt.Sprint(args...))
	panic(o)
}
func (o *optionTest) Logf(format string, args ...any) {
	o.logged = append(o.logged, fmt.Sprintf(format, args...))
}
func (o *optionTest) Cleanup(f func()) { o.cleanups = append(o.cleanups, f) }

// run runs a test to its end.
func (o *optionTest) run(test func(t testing.TB)) {
	defer func() {
		if ended := recover(); ended != nil && ended != any(o) {
			panic(ended)
		}
		for _, cleanup := range o.cleanups {
			cleanup()
		}
	}()
	test(o)
}

func TestForOptions(t *testing.T) {
	const rules = `
- name: size-odd
  why: the schema says it otherwise
  type: FieldValueInvalid
  native: must be odd
  declarative: has to be uneven
  examples: {match: [[must be odd, has to be uneven]], differ: [[must be odd, has to be even]]}
`
	exception := func(class, expires string) string {
		return "- {id: sizes, target: example.com/v1 Widget, class: " + class + ", field: size, why: known, owner: me, issue: " +
			"'https://example.com', maxHits: 1, expires: " + expires + "}\n"
	}
	soon := time.Now().AddDate(0, 0, 3).Format(time.DateOnly)
	for name, tc := range map[string]struct {
		why               string
		exceptions, rules string
		cases             int
		failed, logged    string
	}{
		"neither":      {why: "a difference fails the test", cases: 1, failed: "detail", logged: "what to do"},
		"a rule":       {why: "both mean the same", rules: rules, cases: 2},
		"an exception": {why: "it accepts the difference", exceptions: exception("detail", "2100-01-01"), cases: 1},
		"too many": {why: "maxHits is one", exceptions: exception("detail", "2100-01-01"), cases: 2,
			failed: `exception "sizes" accepted 2 differences, maxHits is 1`},
		"expired": {why: "it accepts nothing, which is reported", exceptions: exception("detail", "2020-01-01"),
			cases: 1, failed: `exception "sizes" expired on 2020-01-01`, logged: "what to do"},
		"soon": {why: "there is time to renew it", exceptions: exception("detail", soon), cases: 1,
			logged: `exception "sizes" expires in 3 days`},
		"not used here": {why: "other tests may use the file", exceptions: exception("too-loose", "2100-01-01"), rules: rules, cases: 1},
		"a mistake":     {why: "file, line and the accepted values", exceptions: "- id: a\n  klass: x\n", failed: "klass"},
		"no such file": {why: "the test cannot compare", rules: "-", failed: "none.yaml cannot be read: no such file or " +
			"directory; expected a file with a list of rules"},
	} {
		t.Run(name, func(t *testing.T) {
			directory := t.TempDir()
			var options []harness.ForOption
			for file, content := range map[string]string{"exceptions.yaml": tc.exceptions, "rules.yaml": tc.rules} {
				place := filepath.Join(directory, file)
				if err := os.WriteFile(place, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
				switch {
				case content == "-":
					options = append(options, harness.WithRules(filepath.Join(directory, "none.yaml")))
				case content != "" && file == "rules.yaml":
					options = append(options, harness.WithRules(place))
				case content != "":
					options = append(options, harness.WithExceptions(place))
				}
			}
			seen := 0
			options = append(options, harness.WithSink(func(harness.Result) { seen++ }))
			inner := &optionTest{TB: t}
			inner.run(func(inner testing.TB) {
				at := field.NewPath("size")
				both := harness.For(inner,
					&harness.Target{Kind: widgetV1.GroupKind(), Scheme: harness.Documents{}, Versions: []harness.Version{{
						GroupVersionKind: widgetV1,
						Native:           says(field.ErrorList{field.Invalid(at, 2, "must be odd")}),
						Declarative:      says(field.ErrorList{field.Invalid(at, 2, "has to be uneven")}),
					}}}, options...)
				for range tc.cases {
					both.Test(inner, harness.Case{Object: widget("a", 2)})
				}
			})
			if seen != tc.cases {
				t.Errorf("%d results, want %d", seen, tc.cases)
			}
			for _, row := range []struct {
				what, want string
				said       []string
			}{{"failed", tc.failed, inner.failed}, {"logged", tc.logged, inner.logged}} {
				said := strings.Join(row.said, "\n")
				if (row.want == "") != (said == "") || !strings.Contains(said, row.want) {
					t.Errorf("%s: the test %s with %q, want %q", tc.why, row.what, said, row.want)
				}
			}
		})
	}
}
