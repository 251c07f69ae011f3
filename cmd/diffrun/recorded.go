package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/reports"
)

// fromFlag is the flag that names reports of runs.
func fromFlag(set *pflag.FlagSet, from *[]string, what string) {
	set.StringArrayVar(from, "from", nil, what+"; - is stdin, a directory holds several; may be repeated")
}

// recordedRuns reads the reports of earlier runs as those of one run: files, stdin, or
// directories of reports.
func (p *program) recordedRuns(from []string) (reports.Run, error) {
	var all reports.Run
	var errs []error
	each := copies{}
	for _, name := range from {
		files, err := p.reportsIn(name)
		errs = append(errs, err)
		for _, file := range files {
			run, err := p.recorded(file)
			if err == nil {
				each.add(p, file, run.Checksum)
			}
			errs = append(errs, err)
			all.Results = append(all.Results, run.Results...)
			all.Incomplete, all.Narrowed = all.Incomplete || run.Incomplete, append(all.Narrowed, run.Narrowed...)
		}
	}
	return all, errors.Join(errs...)
}

// warnOfPart says that recorded runs did not look at everything: another run may show more.
func (p *program) warnOfPart(run reports.Run) {
	if run.Incomplete {
		p.warn("diffrun: warning: the run of the report ended early; a full one may find more\n")
	}
	if len(run.Narrowed) > 0 {
		p.warn("diffrun: warning: the run of the report was narrowed: %s; a full one may find more\n", strings.Join(run.Narrowed, "; "))
	}
}

// reportExtensions are those of reports in a directory.
func reportExtensions() []string { return []string{".json", ".jsonl"} }

// copies finds reports of one run, by their checksums: what they show counts twice.
type copies map[string]string

// add adds a report, and warns if it is a copy.
func (c copies) add(p *program, file, checksum string) {
	if other, is := c[checksum]; is {
		p.warn("diffrun: warning: %s and %s are the report of one run; what it shows counts twice\n", other, file)
	}
	c[checksum] = file
}

// reportsIn gives the reports of a directory; anything else is a report itself.
func (p *program) reportsIn(name string) ([]string, error) {
	if info, err := os.Stat(name); name == infile.Stdin || err != nil || !info.IsDir() {
		return []string{name}, nil
	}
	files, skipped, errs := infile.Search(infile.Disk{}, filepath.ToSlash(name), func(name string) bool {
		return slices.Contains(reportExtensions(), path.Ext(name))
	})
	warnOf(p, skipped)
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("--from %s: %w", name, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("--from %s: the directory has no report; files that end in .json or .jsonl are wanted", name)
	}
	return files, nil
}

// recorded reads the report of an earlier run.
func (p *program) recorded(from string) (reports.Run, error) {
	var in io.Reader = p.stdin
	if from != infile.Stdin {
		file, err := openFile(context.Background(), from)
		if err != nil {
			return reports.Run{}, noReport(from, err)
		}
		defer file.Close()
		in = file
	}
	recorded, err := reports.Read(in)
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return reports.Run{}, noReport(from, err)
	}
	if err != nil {
		return reports.Run{}, fmt.Errorf("--from %s: %w", from, err)
	}
	return recorded, nil
}

// noReport says what --from wants where it names no file that can be read.
func noReport(from string, err error) error {
	return fmt.Errorf("--from %s cannot be read: %w; the report of a run is wanted (diffrun run -o json=FILE), or - for stdin", from, infile.Cause(err))
}
