package main

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/scaffold"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// showSamples sends the samples of suites through both sides once, and prints a line for each kind. It returns the definitions
// of which no sample has a verdict. The error is an interruption.
func (p *program) showSamples(ctx context.Context, root, folder string, suites []*scaffold.Suite) (faulty []string, err error) {
	if len(suites) == 0 {
		return nil, nil
	}
	var names []string
	for _, s := range suites {
		names = append(names, path.Join(filepath.ToSlash(root), folder, s.Folder, "suite.yaml"))
	}
	plan, err := p.LoadSuites(ctx, names, cases.Options{}, p.NewFiles())
	if err != nil {
		return nil, p.Stdout.Printf("the samples were not tried: %v\n", err)
	}
	_ = p.Stdout.Printf("the samples on both sides\n")
	for i, suite := range plan.Suites {
		name := suites[i].Definition.CRD.Name
		tried, err := trySamples(ctx, suite, suites[i])
		if err == nil {
			err = p.Stdout.Printf("  %s: %s\n", name, tried)
		}
		if err != nil {
			_ = plan.Close()
			return nil, err
		}
		if len(tried) > 0 && !slices.ContainsFunc(tried, func(o outcome) bool { return o.isVerdict }) {
			faulty = append(faulty, name)
		}
	}
	return faulty, plan.Close()
}

// trySamples returns what both sides of a suite say of its samples.
func trySamples(ctx context.Context, suite *cases.Suite, s *scaffold.Suite) (outcomes, error) {
	var names []string
	for _, object := range s.Objects {
		names = append(names, regexp.QuoteMeta(object.Name))
	}
	options := cases.JobOptions{
		Harness: harness.Options{Rules: suite.Rules, Exceptions: suite.Exceptions},
		Only:    regexp.MustCompile("#(" + strings.Join(names, "|") + ")$"),
	}
	var tally outcomes
	err := harness.Run(ctx, suite.Jobs(options), harness.RunOptions{}, func(r harness.Result) error {
		what, isVerdict := sampleOutcome(&r, s.Then != nil)
		tally.add(what, isVerdict, r.Case.ID[strings.LastIndexByte(r.Case.ID, '#')+1:])
		return nil
	})
	return tally, err
}

// sampleOutcome says what became of a sample: the first stage that refuses it, and where, or why there is no verdict. hasWebhook
// says that the suite asks one.
func sampleOutcome(r *harness.Result, hasWebhook bool) (what string, isVerdict bool) {
	for source, fault := range r.Faults() {
		why, more, _ := strings.Cut(fault.Error(), "\n")
		if strings.HasSuffix(why, ":") { // what a program printed follows
			first, _, _ := strings.Cut(strings.TrimSpace(more), "\n")
			why += " " + plaintext.Line(first)
		}
		return fmt.Sprintf("no verdict of %s: %s", r.Sides.Source(source), why), false
	}
	if errs := r.Declarative.Errors; len(errs) > 0 {
		return "refused by the definition" + placed(errs[0]), true
	}
	errs := r.Native.Errors
	switch {
	case len(errs) == 0 && hasWebhook && !slices.ContainsFunc(r.Native.Asked, func(of contract.Asked) bool { return of.Guard == "then" }):
		return "accepted, but the webhook is not asked: its rules, selectors or matchConditions do not match", true
	case len(errs) == 0:
		return "accepted", true
	case !fielderror.IsPanic(errs[0]):
		return "refused by what guards it" + placed(errs[0]), true
	}
	panicked := "the webhook panicked: " + strings.TrimSuffix(strings.TrimPrefix(errs[0].Detail, "panic: "), " [recovered]")
	if place := fielderror.PanicPlace(errs[0]); place != "" {
		panicked += " at " + place
	}
	return panicked, true
}

// placed returns the text of an error after its field, if it names one.
func placed(err *field.Error) string {
	if err.Field == "" {
		return ": " + err.ErrorBody()
	}
	return fmt.Sprintf(" at %s: %s", err.Field, err.ErrorBody())
}

// outcomes counts what became of samples, in the order in which it happened first.
type outcomes []outcome

type outcome struct {
	what      string
	isVerdict bool
	samples   []string
}

func (o *outcomes) add(what string, isVerdict bool, sample string) {
	for i := range *o {
		if (*o)[i].what == what {
			(*o)[i].samples = append((*o)[i].samples, sample)
			return
		}
	}
	*o = append(*o, outcome{what, isVerdict, []string{sample}})
}

// String names the samples of which not all were accepted.
func (o outcomes) String() string {
	var parts []string
	for _, one := range o {
		part := fmt.Sprintf("%d %s", len(one.samples), one.what)
		if one.what != "accepted" && len(o) > 1 {
			part += " (" + plaintext.List(one.samples) + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}
