package validate

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/files/skipped"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// fileReport writes outcomes and counts them.
type fileReport struct {
	out     *plaintext.Printer
	options *FilesOptions
	builtin string // kinds that have a schema anyway
	files   map[string]bool
	passed  []skipped.File
	result  FilesResult
	errors  int
	unknown int // objects that have no schema
}

// take writes the errors of an object, a line each.
func (r *fileReport) take(o fileOutcome) error {
	if o.passed != "" {
		r.result.SkippedFiles++
		r.passed = append(r.passed, skipped.File{Name: o.file, Reason: o.passed})
		return nil
	}
	r.result.Objects++
	r.files[o.file] = true
	if r.options.Record != nil {
		r.options.Record(o.record(o.missing && r.options.IgnoreMissing))
	}
	switch {
	case o.missing && r.options.IgnoreMissing:
		r.result.Skipped++
	case o.fault != nil:
		r.result.Faults++
		if o.missing {
			r.unknown++
		}
		r.fault(o)
	case len(o.errors) > 0:
		r.result.Invalid++
		r.errors += len(o.errors)
		r.list(o)
	default:
		r.result.Valid++
	}
	return nil
}

// fault writes why there is no verdict. Mistakes in the text have lines already.
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
	r.out.Printf("%s: %sno verdict: %v\n", o.document.At(o.file, ""), o.whose(), o.fault)
	if fault := (*contract.Fault)(nil); r.options.Verbose && errors.As(o.fault, &fault) && fault.Stack != "" {
		for _, line := range plaintext.Stack(fault.Stack) {
			r.out.Printf("  %s\n", line)
		}
	}
}

// whose returns the prefix of lines about the object: its kind and name.
func (o fileOutcome) whose() plaintext.Text {
	of := identity(o.document)
	if of == "" {
		return ""
	}
	return plaintext.Text(plaintext.Cut(of, plaintext.MaxLine) + ": ")
}

// inFileOrder returns the errors sorted by line, with the error that rules were not checked last.
func (o fileOutcome) inFileOrder() field.ErrorList {
	sorted := slices.Clone(o.errors)
	last := func(err *field.Error) int {
		if fielderror.IsRulesNotChecked(err) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(sorted, func(a, b *field.Error) int {
		return cmp.Or(last(a)-last(b), cmp.Compare(o.document.LineOf(a.Field), o.document.LineOf(b.Field)))
	})
	return sorted
}

// list writes the errors of an object, a line each.
func (r *fileReport) list(o fileOutcome) {
	all := o.inFileOrder()
	shown, more := plaintext.First(all)
	if r.options.AllErrors {
		shown, more = all, 0
	}
	for _, err := range shown {
		r.out.Printf("%s: %s%s\n", o.document.At(o.file, err.Field), o.whose(), errorText(err))
	}
	if more > 0 {
		r.out.Printf("%s: %s errors of this object; --all shows them\n", o.document.At(o.file, ""), plaintext.More(more))
	}
}

// end writes the summary.
func (r *fileReport) end() {
	for _, line := range skipped.List(r.passed) {
		r.out.Printf("%s\n", plaintext.Text(line))
	}
	passed := plaintext.Count(len(r.passed), "file") + " skipped"
	if r.result.Objects == 0 {
		if len(r.passed) > 0 {
			r.out.Printf("no object: %s\n", passed)
		}
		return
	}
	counts := []string{plaintext.Number(r.result.Valid) + " valid"}
	add := func(n int, what string) {
		if n > 0 {
			counts = append(counts, plaintext.Number(n)+" "+what)
		}
	}
	add(r.result.Invalid, "invalid ("+plaintext.Count(r.errors, "error")+")")
	add(r.result.Faults, "without a verdict")
	add(r.result.Skipped, "skipped, because there is no schema")
	if r.unknown > 0 && r.builtin != "" {
		r.out.Printf("built-in schemas: %s\n", plaintext.Text(r.builtin))
	}
	if r.unknown > 0 && r.result.Valid+r.result.Invalid > 0 {
		r.out.Printf("--ignore-missing-schemas skips objects that have no schema\n")
	}
	text := strings.Join(counts, ", ")
	if len(r.passed) > 0 {
		text += "; " + passed
	}
	r.out.Printf("%s in %s: %s\n", plaintext.Count(r.result.Objects, "object"), plaintext.Count(len(r.files), "file"), text)
}
