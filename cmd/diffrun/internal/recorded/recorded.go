package recorded

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/reports"
)

// fromFlag precedes the name of a report in messages.
const fromFlag = "--from "

// Flag adds --from, which names reports of runs.
func Flag(set *pflag.FlagSet, from *[]string, usage string) {
	set.StringArrayVar(from, "from", nil, usage+"; - is stdin, a directory holds several; may be repeated")
}

// Read reads one report that --from names.
func Read(c *terminal.Console, file string) (run reports.Run, err error) {
	err = read(c, fromFlag, file, func(in io.Reader) (err error) {
		run, err = reports.Read(in)
		return err
	})
	return run, err
}

// ReadAll reads the reports that --from names, and joins them to one run.
func ReadAll(c *terminal.Console, from []string) (reports.Run, error) {
	var all reports.Run
	err := each(c, from, func(file string) (checksum string, err error) {
		run, err := Read(c, file)
		all.Results = append(all.Results, run.Results...)
		all.Incomplete, all.Narrowed = all.Incomplete || run.Incomplete, append(all.Narrowed, run.Narrowed...)
		return run.Checksum, err
	})
	return all, err
}

// each reads the reports that --from names, and warns of copies. read returns the checksum of a report.
func each(c *terminal.Console, from []string, read func(file string) (checksum string, err error)) error {
	var errs []error
	duplicates := Duplicates{}
	for _, name := range from {
		files, err := Files(c, name)
		errs = append(errs, err)
		for _, file := range files {
			checksum, err := read(file)
			if err == nil {
				duplicates.Add(c, file, checksum)
			}
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// WarnPartial warns that a run ended early or was narrowed.
func WarnPartial(c *terminal.Console, run reports.Run) {
	if run.Incomplete {
		c.Warn("diffrun: warning: the run of the report ended early; a full one may find more\n")
	}
	if len(run.Narrowed) > 0 {
		c.Warn("diffrun: warning: the run of the report was narrowed: %s; a full one may find more\n", strings.Join(run.Narrowed, "; "))
	}
}

// Extensions returns the extensions of reports in a directory.
func Extensions() []string { return []string{".json", ".jsonl"} }

// Files returns the reports in a directory. Any other name is returned as it is.
func Files(c *terminal.Console, name string) ([]string, error) {
	if info, err := os.Stat(name); name == infile.Stdin || err != nil || !info.IsDir() {
		return []string{name}, nil
	}
	files, skipped, errs := infile.Search(infile.Disk{}, filepath.ToSlash(name), func(name string) bool {
		return slices.Contains(Extensions(), path.Ext(name))
	})
	terminal.WarnAll(c, skipped)
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("%s%s: %w", fromFlag, name, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s%s: the directory has no report; expected files that end in .json or .jsonl", fromFlag, name)
	}
	return files, nil
}

// Duplicates finds reports that are copies of each other: file names by checksum.
type Duplicates map[string]string

// Add adds a report, and warns if it is a copy of an earlier one.
func (d Duplicates) Add(c *terminal.Console, file, checksum string) {
	if other, is := d[checksum]; is {
		c.Warn("diffrun: warning: %s and %s are the report of one run, which counts twice\n", other, file)
	}
	d[checksum] = file
}
