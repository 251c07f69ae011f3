package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/diffrun/diffrun/reports"
)

// output is one -o: a format, and the file it goes to; no file: stdout.
type output struct{ format, file string }

// parseOutputs reads the values of -o. Two reports cannot share a place.
func parseOutputs(values []string) ([]output, error) {
	var outputs []output
	places := map[string]string{}
	for _, value := range values {
		format, file, hasFile := strings.Cut(value, "=")
		if hasFile && file == "" {
			return nil, fmt.Errorf("-o %s names no file; write -o %s=FILE, or -o %s for stdout", value, format, format)
		}
		if _, err := reports.New(format, io.Discard, reports.Options{}); err != nil {
			return nil, fmt.Errorf("-o %s: %w", value, err)
		}
		if other, taken := places[file]; taken {
			return nil, fmt.Errorf("-o %s and -o %s go to the same place; write one of them as %s=FILE", other, value, format)
		}
		places[file] = value
		outputs = append(outputs, output{format, file})
	}
	return outputs, nil
}

// outputFiles are the files that reports go to.
type outputFiles []*outputFile

type outputFile struct {
	*bufio.Writer
	file *os.File
}

// openOutputs makes a reporter that writes all outputs. What goes to stdout is
// written through terminal, which keeps clear of the progress bar.
func (p *program) openOutputs(outputs []output, terminal io.Writer, verbose bool) (reports.Reporter, outputFiles, error) {
	var all []reports.Reporter
	var files outputFiles
	for _, out := range outputs {
		options := reports.Options{Verbose: verbose}
		writer := terminal
		if out.file == "" {
			options.Color = colorful(p.stdout)
		} else {
			file, err := os.Create(out.file)
			if err != nil {
				return nil, nil, errors.Join(fmt.Errorf("-o %s: %w", out.format, err), files.close())
			}
			buffered := &outputFile{bufio.NewWriter(file), file}
			writer, files = buffered, append(files, buffered)
		}
		reporter, err := reports.New(out.format, writer, options)
		if err != nil {
			return nil, nil, errors.Join(err, files.close())
		}
		all = append(all, reporter)
	}
	return reports.Join(all...), files, nil
}

// close writes what is buffered and closes the files.
func (f outputFiles) close() error {
	var errs []error
	for _, file := range f {
		errs = append(errs, file.Flush(), file.file.Close())
	}
	return errors.Join(errs...)
}

// colorful says whether colours reach an eye that wants them
// (https://no-color.org).
func colorful(file *os.File) bool {
	return isTerminal(file) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func isTerminal(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }
