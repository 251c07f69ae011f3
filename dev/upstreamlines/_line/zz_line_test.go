package validation

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	schemas "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/backends/native/kubernetes"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// lineCall is a line of the record that package main reads.
type lineCall struct {
	Function, Test string
	Value          bool
	NoKind         string
	Versions       []lineVersion
}

type lineVersion struct {
	Name, Verdict, Fault, Lost string
	Differences                []lineDifference
}

// lineDifference is a difference; Accepted is the id of the exception that accepts it, TestOnly
// says that only the call of the test shows it.
type lineDifference struct {
	Class, Field, Native, Declarative, Accepted string
	TestOnly                                    bool
}

var lines struct {
	sync.Mutex
	both map[schema.GroupKind]*harness.Harness
	seen map[string][]lineVersion
	n    int
}

func pointerTo[T any](object T) *T { return &object }

// comparedWithSchema is the inserted line: it calls Compare with the harness of the kind that a type is, or
// is a part of.
func comparedWithSchema(t testing.TB, function, typ string, c harness.Case, errs field.ErrorList) field.ErrorList {
	lines.Lock()
	defer lines.Unlock()
	lines.n++
	c.ID = fmt.Sprint(lines.n)
	made := lineCall{Function: function, Test: t.Name(), Value: typ == ""}
	if typ == "" {
		recordCall(t, made)
		return errs
	}
	if both, err := lineHarness(t, c.Object); err == nil {
		if c.Version.Version == runtime.APIVersionInternal {
			// No client sends this type; functions validate it as the newest version.
			c.Version = both.Target().Versions[0].GroupVersionKind
		}
		if !c.Version.Empty() {
			c.Version.Kind = both.Target().Kind.Kind
		}
		both.Compare(silentTest{t}, c, errs)
		made.Versions = lines.seen[c.ID]
	} else {
		made.NoKind = err.Error()
	}
	recordCall(t, made)
	return errs
}

// silentTest is a test that the line cannot fail: its messages are in the record.
type silentTest struct{ testing.TB }

func (silentTest) Errorf(string, ...any) {}
func (silentTest) Logf(string, ...any)   {}

// lineHarness returns the harness of the kind that an object is, or is a part of. The error says why there is
// none.
func lineHarness(t testing.TB, object any) (*harness.Harness, error) {
	kind, err := kubernetes.KindOf(object)
	if err != nil {
		return nil, err
	}
	if lines.both == nil {
		lines.both, lines.seen = map[schema.GroupKind]*harness.Harness{}, map[string][]lineVersion{}
	}
	if lines.both[kind] == nil {
		target, err := kubernetes.NewTarget(kind, lineBackends.Backend)
		switch {
		case errors.Is(err, schemas.ErrUnknownKind):
			return nil, err // only hand-written code knows the kind
		case err != nil:
			t.Fatal(err)
		}
		lines.both[kind] = harness.For(silentTest{t}, target, harness.WithExceptions(os.Getenv("DIFFRUN_EXCEPTIONS")),
			harness.WithSink(keepResult))
	}
	return lines.both[kind], nil
}

var lineBackends = schemas.NewBackends()

// keepResult records the result of a case.
func keepResult(r harness.Result) {
	v := lineVersion{Name: r.Version.GroupVersion().String() + " " + r.Version.Kind, Verdict: string(r.Verdict), Lost: r.Inexpressible}
	for _, fault := range []*contract.Fault{r.Fault, r.Native.Fault, r.Declarative.Fault} {
		if fault != nil {
			v.Fault = fault.Error()
		}
	}
	for _, pair := range r.Differences() {
		switch {
		case pair.Exception != nil:
			v.Differences = append(v.Differences, lineDifference{string(pair.Class), pair.Field(), errorLine(pair.Native),
				errorLine(pair.Declarative), pair.Exception.ID, false})
		case !pair.Explained():
			v.Differences = append(v.Differences, lineDifference{string(pair.Class), pair.Field(), errorLine(pair.Native),
				errorLine(pair.Declarative), "", false})
		}
	}
	for _, pair := range r.TestOnly {
		v.Differences = append(v.Differences, lineDifference{string(pair.Class), pair.Field(), errorLine(pair.Native),
			errorLine(pair.Declarative), "", true})
	}
	lines.seen[r.Case.ID] = append(lines.seen[r.Case.ID], v)
}

func errorLine(err *field.Error) string {
	if err == nil {
		return ""
	}
	return string(err.Type) + " at " + err.Field + ": " + err.Detail
}

func recordCall(t testing.TB, made lineCall) {
	data, err := json.Marshal(made)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(os.Getenv("DIFFRUN_LINES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Write(append(data, '\n')); err != nil {
		t.Fatal(err)
	}
}
