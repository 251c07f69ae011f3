package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/documents"
	"github.com/diffrun/diffrun/internal/plaintext"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

const (
	// stdinFile is what -f calls stdin, and stdinName what messages call it.
	stdinFile = "-"
	stdinName = "stdin"
	// noField is how apimachinery writes the path of an object as a whole.
	noField = "<nil>"
)

// fileObject is an object of a manifest.
type fileObject struct {
	file     string
	document documents.Document
	// passed: this is no object, but a file that has none and nobody named.
	passed bool
}

// fileOutcome is what there is to say about it. Fault and missing exclude the rest.
type fileOutcome struct {
	fileObject
	errors  field.ErrorList
	fault   error
	missing bool // there is no schema of its kind
}

// fileReport writes outcomes for people and counts them.
type fileReport struct {
	out                                               *plaintext.Printer
	flags                                             validateFlags
	builtin                                           string // kinds that have a schema anyway
	unknown                                           int    // objects that have none
	files                                             map[string]bool
	passed                                            []string // files
	objects, valid, invalid, errors, faulted, skipped int
}

// validateFiles validates the objects of manifests.
func (p *program) validateFiles(ctx context.Context, flags validateFlags) error {
	files, err := p.findManifests(flags.files)
	if err != nil {
		return err
	}
	checkers, err := p.newObjectCheckers(flags)
	if err != nil {
		return err
	}
	report := &fileReport{out: p.stdout.printer(), flags: flags, builtin: checkers.kinds(), files: map[string]bool{}}
	queue := taskQueue[fileObject, fileOutcome]{
		parallel: flags.parallel,
		work: func(ctx context.Context, o fileObject) fileOutcome {
			return checkers.check(ctx, o, flags.timeout)
		},
		take: report.take,
		idle: report.out.Flush,
	}
	ctx, stop := interruptible(ctx, func() {})
	defer stop()
	failed := queue.run(ctx, readManifests(files, p.stdin))
	if failed == nil {
		report.end()
	}
	err = report.out.FlushAfter(failed)
	if ctx.Err() != nil {
		return &exitError{statusInterrupted, fmt.Errorf("interrupted; objects validated: %d", report.objects)}
	}
	if err != nil {
		return err
	}
	return report.verdict()
}

// take writes the errors of an object, a line each.
func (r *fileReport) take(o fileOutcome) error {
	if o.passed {
		r.passed = append(r.passed, o.file)
		return nil
	}
	r.objects++
	r.files[o.file] = true
	switch {
	case o.missing && r.flags.ignoreMissing:
		r.skipped++
	case o.fault != nil:
		r.faulted++
		if o.missing {
			r.unknown++
		}
		r.fault(o)
	case len(o.errors) > 0:
		r.invalid++
		r.errors += len(o.errors)
		r.list(o)
	default:
		r.valid++
	}
	return nil
}

// fault writes why there is no verdict; mistakes in the text have lines already.
func (r *fileReport) fault(o fileOutcome) {
	if mistakes := (strictyaml.Mistakes)(nil); errors.As(o.fault, &mistakes) {
		shown, more := plaintext.First(mistakes)
		for _, mistake := range shown {
			r.out.Printf("%s: no verdict: %s\n", mistake.Position, mistake.Message)
		}
		if more > 0 {
			r.out.Printf("%s: %s mistakes\n", o.document.At(o.file, ""), plaintext.More(more))
		}
		return
	}
	r.out.Printf("%s: no verdict: %v\n", o.document.At(o.file, ""), o.fault)
	if fault := (*harness.Fault)(nil); r.flags.verbose && errors.As(o.fault, &fault) && fault.Stack != "" {
		for _, line := range plaintext.Stack(fault.Stack) {
			r.out.Printf("  %s\n", line)
		}
	}
}

// inFileOrder gives the errors in the order of their lines.
func (o fileOutcome) inFileOrder() field.ErrorList {
	sorted := slices.Clone(o.errors)
	slices.SortStableFunc(sorted, func(a, b *field.Error) int {
		return cmp.Compare(o.document.LineOf(a.Field), o.document.LineOf(b.Field))
	})
	return sorted
}

// list writes the errors of an object, a line each.
func (r *fileReport) list(o fileOutcome) {
	all := o.inFileOrder()
	shown, more := plaintext.First(all)
	if r.flags.allErrors {
		shown, more = all, 0
	}
	for _, err := range shown {
		r.out.Printf("%s: %s\n", o.document.At(o.file, err.Field), saidOf(err))
	}
	if more > 0 {
		r.out.Printf("%s: %s errors of this object; --all shows them\n", o.document.At(o.file, ""), plaintext.More(more))
	}
}

// saidOf is an error for people, on one line: where it is, and what is wrong there.
func saidOf(err *field.Error) string {
	shown := *err
	if _, body, found := strings.Cut(err.Detail, " in body must be of type "); found {
		shown.Detail = "must be of type " + body // the field stands before the text
	}
	shown.Detail = strings.TrimPrefix(shown.Detail, err.Field+" in body ")
	text := plaintext.ErrorBody(&shown)
	if wanted, found := strings.CutSuffix(shown.Detail, fmt.Sprintf(": %q", err.BadValue)); found && isOfType(wanted) {
		text = fmt.Sprintf("%s, not %s", wanted, err.BadValue) // which is a type
	}
	where := plaintext.Cut(strings.TrimPrefix(strings.TrimPrefix(err.Field, "."), noField), plaintext.MaxLine)
	if err.Origin == strictOrigin || where == "" && err.BadValue == nil {
		text = err.Detail
	}
	if where != "" {
		text = where + ": " + text
	}
	return plaintext.Error(errors.New(text))
}

// isOfType says that a text wants another type, as kube-openapi does.
func isOfType(text string) bool { return strings.HasPrefix(text, "must be of type ") }

// end writes the summary.
func (r *fileReport) end() {
	if len(r.passed) > 0 {
		r.out.Printf("passed over, as there is no object of Kubernetes in them: %s\n", plaintext.Text(plaintext.List(r.passed)))
	}
	if r.objects == 0 {
		return
	}
	counts := []string{fmt.Sprintf("%d valid", r.valid)}
	add := func(n int, format string, args ...any) {
		if n > 0 {
			counts = append(counts, fmt.Sprintf(format, args...))
		}
	}
	add(r.invalid, "%d invalid (%s)", r.invalid, plaintext.Count(r.errors, "error"))
	add(r.faulted, "%d without a verdict", r.faulted)
	add(r.skipped, "%d skipped, as there is no schema", r.skipped)
	if r.unknown > 0 && r.builtin != "" {
		r.out.Printf("schemas are built in of %s\n", plaintext.Text(r.builtin))
	}
	if r.unknown > 0 && r.valid+r.invalid > 0 {
		r.out.Printf("--ignore-missing-schemas passes over objects that there is no schema of\n")
	}
	r.out.Printf("%s in %s: %s\n", plaintext.Count(r.objects, "object"), plaintext.Count(len(r.files), "file"), strings.Join(counts, ", "))
}

// verdict gives the exit status. A run that validated nothing is no success.
func (r *fileReport) verdict() error {
	switch {
	case r.objects == 0:
		return &exitError{statusMistake, errors.New("there is no object in what -f names: nothing was validated")}
	case r.faulted > 0:
		return &exitError{status: statusFault}
	case r.invalid > 0:
		return &exitError{status: statusDifferent}
	case r.valid == 0:
		return &exitError{statusMistake, errors.New("there is no schema of any object: nothing was validated")}
	}
	return nil
}
