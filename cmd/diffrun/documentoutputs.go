package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// documentFormats are the formats in which a command writes a report of type R when all is done.
type documentFormats[R any] []documentFormat[R]

type documentFormat[R any] struct {
	name  string
	write func(R, io.Writer) error
}

func (f documentFormats[R]) names() []string {
	var names []string
	for _, format := range f {
		names = append(names, format.name)
	}
	return names
}

// writer gives the function that writes a report in a format that documentOutputs has accepted.
func (f documentFormats[R]) writer(report R) func(format string, w io.Writer) error {
	return func(format string, w io.Writer) error {
		at := slices.IndexFunc(f, func(known documentFormat[R]) bool { return known.name == format })
		return f[at].write(report, w)
	}
}

// documentFlag is -o of a command that writes a report in one of these formats; what says which.
func documentFlag(set *pflag.FlagSet, outputs *[]string, what string, formats []string) {
	last := len(formats) - 1
	set.StringArrayVarP(outputs, "output", "o", []string{"text"}, what+" as "+strings.Join(formats[:last], ", ")+" or "+formats[last]+"; `FORMAT=FILE` writes to a file; may be repeated")
}

// documentOutputs reads the values of -o of a command that writes documents when all is
// done.
func documentOutputs(values, formats []string) ([]output, error) {
	outputs, err := splitOutputs(values, func(format string) error {
		if slices.Contains(formats, format) {
			return nil
		}
		return fmt.Errorf("unknown format %q; accepted: %s", format, strings.Join(formats, ", "))
	})
	return outputs, err
}

// writeDocuments writes a document to stdout and to the files of -o. Files that cannot be
// written stay as they are, all of them. That stdout cannot be written is said at the end.
func (p *program) writeDocuments(ctx context.Context, outputs []output, write func(format string, w io.Writer) error) error {
	files := &outputFiles{}
	var errs []error
	for _, out := range outputs {
		if out.file == "" {
			errs = append(errs, write(out.format, p.stdout.shown()))
			continue
		}
		file, err := files.add(ctx, "-o "+out.format+"="+out.file, out.file)
		if err == nil {
			err = write(out.format, file)
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return errors.Join(err, files.discard())
	}
	return files.close()
}
