package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/reports"
)

// output is one -o: a format, and the file it goes to; no file: stdout.
type output struct{ format, file string }

// outputFlag is -o of the commands that report a run.
func outputFlag(set *pflag.FlagSet, outputs *[]string) {
	set.StringArrayVarP(outputs, "output", "o", []string{"text"}, "report to write, as FORMAT or FORMAT=FILE; may be repeated ("+strings.Join(reports.Formats(), ", ")+")")
}

// parseOutputs reads the values of -o. Two reports cannot share stdout; whether they
// share a file, places finds.
func parseOutputs(values []string) ([]output, error) {
	return splitOutputs(values, func(format string) error {
		_, err := reports.New(format, io.Discard, reports.Options{})
		return err
	})
}

// splitOutputs reads the values of -o; known says why a format is not known.
func splitOutputs(values []string, known func(format string) error) ([]output, error) {
	var outputs []output
	places := map[string]string{}
	for _, value := range values {
		format, file, hasFile := strings.Cut(value, "=")
		if hasFile && file == "" {
			return nil, fmt.Errorf("-o %s names no file; write -o %s=FILE, or -o %s for stdout", value, format, format)
		}
		if err := known(format); err != nil {
			return nil, fmt.Errorf("-o %s: %w", value, err)
		}
		if other, taken := places[file]; taken && !hasFile {
			return nil, fmt.Errorf("-o %s and -o %s go to the same place; write one of them as %s=FILE", other, value, format)
		}
		places[file] = value
		outputs = append(outputs, output{format, file})
	}
	return outputs, nil
}

// outputFiles are the files that reports and metrics go to.
type outputFiles struct {
	mu   sync.Mutex // an interrupt may come while they are opened
	open []*outputFile
}

type outputFile struct {
	destination
	flag string
}

// add opens the file that a flag names.
func (f *outputFiles) add(ctx context.Context, flag, name string) (*outputFile, error) {
	file, err := createFile(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", flag, infile.Cause(err))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	opened := &outputFile{file, flag}
	f.open = append(f.open, opened)
	return opened, nil
}

// openOutputs makes a reporter that writes all outputs. What goes to stdout is
// written to shown, which keeps clear of the progress bar. Files that cannot be
// written are found now, all of them; those that can stay as they are until they
// are closed.
func (s *session) openOutputs(ctx context.Context, stdout *terminal, shown io.Writer) error {
	var all []reports.Reporter
	var errs []error
	for _, out := range s.options.outputs {
		options := reports.Options{Verbose: s.options.verbose, Pruned: s.options.prune == pruneReport}
		writer := shown
		if out.file == "" {
			options.Color, options.Width = stdout.colorful(), stdout.width()
			s.stdout = &shownReport{out: shown, format: out.format}
			writer = s.stdout
		} else {
			file, err := s.files.add(ctx, "-o "+out.format+"="+out.file, out.file)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			writer = file
		}
		reporter, err := reports.New(out.format, writer, options)
		errs = append(errs, err)
		all = append(all, reporter)
	}
	if name := s.options.metricsFile; name != "" {
		file, err := s.files.add(ctx, "--metrics-file "+name, name)
		errs = append(errs, err)
		s.metricsFile = file
	}
	if err := errors.Join(errs...); err != nil {
		return errors.Join(err, s.files.discard())
	}
	s.reporter = reports.Join(all...)
	return nil
}

// close puts the files in their places.
func (f *outputFiles) close() error {
	var errs []error
	for _, file := range f.open {
		if err := file.Close(); err != nil {
			errs = append(errs, fmt.Errorf("%s was not written: %w", file.flag, err))
		}
	}
	return errors.Join(errs...)
}

// discard leaves all files as they were.
func (f *outputFiles) discard() error {
	var errs []error
	for _, file := range f.open {
		errs = append(errs, file.Discard())
	}
	return errors.Join(errs...)
}

// abandon removes what is staged; the process is about to end.
func (f *outputFiles) abandon() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, file := range f.open {
		file.Abandon()
	}
}

// shownReport writes a report to stdout. That nobody reads it to the end, or that a disk is full, must
// not end the run: reports in files are to be whole, and the exit status is that of the run.
type shownReport struct {
	out    io.Writer
	format string
	failed error
}

func (b *shownReport) Write(text []byte) (int, error) {
	if b.failed == nil {
		_, b.failed = b.out.Write(text)
	}
	return len(text), nil
}

// unwritten says that not all was written.
func (b *shownReport) unwritten() error {
	if b == nil || b.failed == nil {
		return nil
	}
	return fmt.Errorf("-o %s was not written to stdout: %w", b.format, infile.Cause(b.failed))
}
