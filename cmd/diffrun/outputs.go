package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/diffrun/diffrun/reports"
)

// output is one -o: a format, and the file it goes to; no file: stdout.
type output struct{ format, file string }

// parseOutputs reads the values of -o. Two reports cannot share stdout; whether they
// share a file is checkPlaces' to find.
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
		if other, taken := places[file]; taken && !hasFile {
			return nil, fmt.Errorf("-o %s and -o %s go to the same place; write one of them as %s=FILE", other, value, format)
		}
		places[file] = value
		outputs = append(outputs, output{format, file})
	}
	return outputs, nil
}

// checkPlaces finds reports and metrics that would overwrite each other.
func checkPlaces(outputs []output, metricsFile string) error {
	var errs []error
	places := map[string]string{}
	check := func(flag, file string) {
		if file == "" {
			return
		}
		place, err := realPath(file)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s cannot be written: %w", flag, cause(err)))
			return
		}
		if other, taken := places[place]; taken {
			errs = append(errs, fmt.Errorf("%s and %s write the same file; give each a file of its own", other, flag))
		}
		places[place] = flag
	}
	for _, out := range outputs {
		check("-o "+out.format+"="+out.file, out.file)
	}
	check("--metrics-file "+metricsFile, metricsFile)
	return errors.Join(errs...)
}

// realPath is where a file is or will be, with symbolic links followed: those that
// lead to it, or to its directory where there is no such file yet.
func realPath(file string) (string, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, nil
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path)), nil
	}
	return path, nil // which cannot be written, and that is said later
}

// outputFiles are the files that reports go to.
type outputFiles []*outputFile

type outputFile struct {
	*stagedFile
	flag string
}

// openOutputs makes a reporter that writes all outputs. What goes to stdout is
// written through terminal, which keeps clear of the progress bar. Files that cannot
// be written are found now, all of them; those that can stay as they are until they
// are closed.
func (p *program) openOutputs(options runOptions, terminal io.Writer) (reports.Reporter, outputFiles, error) {
	var all []reports.Reporter
	var files outputFiles
	var errs []error
	for _, out := range options.outputs {
		shown := reports.Options{Verbose: options.verbose, Pruned: options.prune == pruneReport}
		writer := terminal
		if out.file == "" {
			shown.Color = colorful(p.stdout)
		} else {
			flag := "-o " + out.format + "=" + out.file
			file, err := stageFile(out.file)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s cannot be written: %w", flag, cause(err)))
				continue
			}
			writer, files = file, append(files, &outputFile{file, flag})
		}
		reporter, err := reports.New(out.format, writer, shown)
		errs = append(errs, err)
		all = append(all, reporter)
	}
	errs = append(errs, checkMetricsFile(options.metricsFile))
	if err := errors.Join(errs...); err != nil {
		return nil, nil, errors.Join(err, files.discard())
	}
	return reports.Join(all...), files, nil
}

// checkMetricsFile tries whether the file can be written, and leaves it as it is.
func checkMetricsFile(name string) error {
	if name == "" {
		return nil
	}
	file, err := stageFile(name)
	if err != nil {
		return fmt.Errorf("--metrics-file %s cannot be written: %w", name, cause(err))
	}
	return file.discard()
}

// close puts the files in their places.
func (f outputFiles) close() error {
	var errs []error
	for _, file := range f {
		if err := file.close(); err != nil {
			errs = append(errs, fmt.Errorf("%s was not written: %w", file.flag, err))
		}
	}
	return errors.Join(errs...)
}

// discard leaves all files as they were.
func (f outputFiles) discard() error {
	var errs []error
	for _, file := range f {
		errs = append(errs, file.discard())
	}
	return errors.Join(errs...)
}

// colorful says whether colours reach an eye that wants them
// (https://no-color.org).
func colorful(file *os.File) bool {
	return isTerminal(file) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func isTerminal(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }
