package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// documentOutputs reads the values of -o of a command that writes documents when all is
// done.
func documentOutputs(values, formats []string) ([]output, error) {
	outputs, err := splitOutputs(values, func(format string) error {
		if slices.Contains(formats, format) {
			return nil
		}
		return fmt.Errorf("unknown format %q; accepted: %s", format, strings.Join(formats, ", "))
	})
	if err != nil {
		return nil, err
	}
	return outputs, checkPlaces(outputs, "")
}

// writeDocuments writes a document to stdout and to the files of -o. Files that cannot be
// written stay as they are, all of them.
func (p *program) writeDocuments(ctx context.Context, outputs []output, write func(format string, w io.Writer) error) error {
	files := &outputFiles{}
	var errs []error
	for _, out := range outputs {
		if out.file == "" {
			errs = append(errs, write(out.format, p.stdout.guarded))
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
