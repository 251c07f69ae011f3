package infer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// TestResume: a run that was interrupted leaves what it learnt, and the next one goes on from there and removes it.
func TestResume(t *testing.T) {
	calls, last := 0, 0
	stop := func() {}
	validate := func(s, _ spec) (errs field.ErrorList) {
		if calls++; calls == last {
			stop()
		}
		if n := s.number("size"); n > 365 {
			errs = append(errs, field.Invalid(at.Child("size"), n, "is too large"))
		}
		return errs
	}
	const properties = `size: {type: integer}`
	start := spec{"size": int64(3)}
	whole := run(t, definition(properties), validate, start)
	all := calls
	if whole.Count(proposal.Proven) != 1 {
		t.Fatalf("the rule of a whole run is not proven:\n%s", whole.Text())
	}
	for _, share := range []int{10, 50, 90} {
		o := options()
		o.SavedRun = filepath.Join(t.TempDir(), "learnt.json.gz")
		ctx, cancel := context.WithCancel(t.Context())
		calls, last, stop = 0, all*share/100, cancel
		if _, err := Run(ctx, targetOf(t, definition(properties), validate, start), o); !errors.Is(err, context.Canceled) {
			t.Fatalf("%d %%: got %v, want the error of the context", share, err)
		}
		calls, last = 0, 0
		report, err := Run(t.Context(), targetOf(t, definition(properties), validate, start), o)
		if err != nil {
			t.Fatal(err)
		}
		if string(report.Definition()) != string(whole.Definition()) || report.Count(proposal.Proven) != 1 || report.Resumed == 0 {
			t.Errorf("%d %%: the resumed run proposes something else:\n%s", share, report.Text())
		}
		if share == 90 && report.Asked >= whole.Asked {
			t.Errorf("the resumed run asked %d questions, the whole one %d", report.Asked, whole.Asked)
		}
		if _, err := os.Stat(o.SavedRun); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%d %%: the file of a run that ended stays: %v", share, err)
		}
	}
}

// TestResumeOther: nothing is taken from a run with another seed, and a file that is none is a mistake.
func TestResumeOther(t *testing.T) {
	validate := func(s, _ spec) field.ErrorList { return nil }
	crd, start := definition(`size: {type: integer}`), spec{"size": int64(3)}
	o := options()
	o.SavedRun = filepath.Join(t.TempDir(), "learnt.json.gz")
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	stopping := func(s, _ spec) field.ErrorList {
		if calls++; calls == 30 {
			cancel()
		}
		return nil
	}
	if _, err := Run(ctx, targetOf(t, crd, stopping, start), o); err == nil {
		t.Fatal("the run was not interrupted")
	}
	o.Seed = 2
	report, err := Run(t.Context(), targetOf(t, crd, validate, start), o)
	if err != nil || report.Resumed != 0 {
		t.Errorf("with another seed: %v, %d inputs taken over", err, report.Resumed)
	}
	if err := os.WriteFile(o.SavedRun, []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), targetOf(t, crd, validate, start), o)
	if err == nil || !strings.Contains(err.Error(), "learnt.json.gz: not what an interrupted run leaves") ||
		!strings.HasSuffix(err.Error(), "remove the file") {
		t.Errorf("a file that is none: %v", err)
	}
}

// TestUnproven: if the time is over before the rules are compared with the native validator, only the report has them.
func TestUnproven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls, slow := 0, 0
		validate := func(s, _ spec) field.ErrorList {
			if calls++; slow > 0 && calls > slow {
				time.Sleep(5 * time.Second)
			}
			if s.number("size") > 365 {
				return invalid("size", s["size"], "is too large")
			}
			return nil
		}
		start := spec{"size": int64(3)}
		crd := definition(`size: {type: integer}`)
		whole := run(t, crd, validate, start)
		if len(whole.Unproven) > 0 || len(whole.Rules) == 0 || string(whole.Definition()) == crd {
			t.Errorf("the rules of a whole run are unproven:\n%s", whole.Text())
		}
		o := options()
		o.Deadline = time.Now().Add(time.Minute)
		slow, calls = calls-40, 0 // within the comparison
		report, err := Run(t.Context(), targetOf(t, crd, validate, start), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Unproven) == 0 || report.Complete || len(report.Rules) > 0 || report.Count(proposal.Proven) > 0 ||
			!strings.Contains(report.Text(), "only this report has") {
			t.Errorf("the report of a run without a comparison:\n%s", report.Text())
		}
		if string(report.Definition()) != crd || report.Markers() != "" {
			t.Errorf("the files have a rule that is not proven:\n%s\n%s", report.Definition(), report.Markers())
		}
	})
}
