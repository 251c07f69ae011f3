package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/text/oneof"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// bundledSuites is the directory of the suites in the bundle.
const bundledSuites = "cases"

// findSuites returns the suites that the arguments name, each once. Without arguments, they are those that lie in
// the working directory or, if it has none, the bundled ones.
func (e *Environment) findSuites(ctx context.Context, args []string) ([]cases.Location, error) {
	bundle, disk := &cases.Files{FS: e.Bundle}, &cases.Files{FS: terminal.Storage(ctx), OnDisk: true}
	if len(args) == 0 {
		return e.lyingSuites(disk, bundle)
	}
	if slices.Contains(args, "") {
		return nil, terminal.Usagef("the name of a suite is empty; is a variable unset?")
	}
	var found []cases.Location
	for _, arg := range args {
		places, skipped, err := e.findSuite(arg, disk, bundle)
		terminal.WarnAll(e.Console, skipped)
		if err != nil {
			return nil, err
		}
		for _, place := range places {
			if !slices.Contains(found, place) {
				found = append(found, place)
			}
		}
	}
	return found, nil
}

// lyingSuites returns the suites of a command that names none, and says which they are. Suites that lie here under
// other names have to be named: the bundled ones say nothing about them.
func (e *Environment) lyingSuites(disk, bundle *cases.Files) ([]cases.Location, error) {
	found, skipped, err := disk.Lying(".")
	terminal.WarnAll(e.Console, skipped)
	switch others := disk.OtherSuites("."); {
	case err != nil:
		return nil, err
	case len(found) > 0:
		var names []string
		for _, place := range found {
			names = append(names, place.Name)
		}
		e.Warn("diffrun: no suite is named, so those of this directory run: %s\n", plaintext.List(names))
		return found, nil
	case len(others) > 0:
		return nil, terminal.Usagef("no suite is named, and this directory has neither %s nor diffrun/*/%s; name those to run: %s",
			cases.SuiteFile, cases.SuiteFile, plaintext.List(others))
	case e.Bundle == nil:
		return nil, terminal.Usagef("no suite is named, none lies here, and none is bundled: %s", e.LeftOut)
	}
	if found, _, err = bundle.Find(bundledSuites); err != nil {
		return nil, err
	}
	e.Warn("diffrun: no suite is named, and this directory has neither %s nor diffrun/*/%s, so the %s run%s\n",
		cases.SuiteFile, cases.SuiteFile, plaintext.Count(len(found), "bundled suite"), notRun(disk))
	return found, nil
}

// notRun names the suites further below the working directory, which a command that names none does not run.
func notRun(disk *cases.Files) string {
	below, err := fs.Glob(disk.FS, "*/*/"+cases.SuiteFile)
	if err != nil || len(below) == 0 {
		return ""
	}
	return ", and those below this directory do not (\"diffrun run .\" runs them): " + plaintext.List(below)
}

// findSuite looks for a suite on disk, then for a bundled one of that name.
func (e *Environment) findSuite(arg string, disk, bundle *cases.Files) (found []cases.Location, skipped []string, err error) {
	name := path.Clean(filepath.ToSlash(arg))
	found, skipped, err = disk.Find(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return found, skipped, err
	}
	if bundled := path.Join(bundledSuites, arg); e.Bundle != nil && fs.ValidPath(arg) && bundled != bundledSuites {
		if found, _, err := bundle.Find(bundled); !errors.Is(err, fs.ErrNotExist) {
			return found, nil, err
		}
	}
	return nil, nil, e.noSuite(name, disk.OtherSuites(existing(disk, path.Dir(name))))
}

// existing returns the directory, or the nearest one above it that exists.
func existing(disk *cases.Files, directory string) string {
	for {
		if info, err := fs.Stat(disk.FS, directory); err == nil && info.IsDir() || directory == path.Dir(directory) {
			return directory
		}
		directory = path.Dir(directory)
	}
}

// noSuite is the error about a name that no suite has. It shows the bundled suites if the name is like one of
// theirs, else those of the folder of the file that was probably meant.
func (e *Environment) noSuite(arg string, others []string) error {
	text, names := fmt.Sprintf("there is no suite %q: no such file or directory", arg), e.BundledNames()
	first, _, _ := strings.Cut(arg, "/")
	isBundled := slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, first+"/") || path.Base(name) == arg })
	switch hint := oneof.DidYouMean(arg, others); {
	case hint != "":
		return fmt.Errorf("%s;%s suites there: %s", text, hint, plaintext.List(others))
	case isBundled || oneof.Nearest(arg, names) != "":
		return fmt.Errorf("%s, and no bundled suite has this name;%s bundled: %s", text, nearestBundled(arg, names),
			strings.Join(names, ", "))
	case len(others) > 0:
		return fmt.Errorf("%s; suites there: %s", text, plaintext.List(others))
	case e.Bundle == nil:
		return fmt.Errorf("%s, and none is bundled: %s", text, e.LeftOut)
	}
	return fmt.Errorf("%s, and no suite lies there; \"diffrun init\" writes one; bundled suites have names such as %s", text, names[0])
}

// nearestBundled returns a question about the bundled suite that was probably meant. The name may lack the folder.
func nearestBundled(arg string, names []string) string {
	if hint := oneof.DidYouMean(arg, names); hint != "" {
		return hint
	}
	for _, name := range names {
		if path.Base(name) == arg {
			return fmt.Sprintf(" did you mean %q?", name)
		}
	}
	return ""
}

// BundledNames returns the names of the bundled suites.
func (e *Environment) BundledNames() []string {
	if e.Bundle == nil {
		return nil
	}
	return bundledNames(&cases.Files{FS: e.Bundle})
}

func bundledNames(bundle *cases.Files) []string {
	all, _, err := bundle.Find(bundledSuites)
	if err != nil {
		return []string{err.Error()}
	}
	var names []string
	for _, place := range all {
		names = append(names, strings.TrimPrefix(path.Dir(place.Name), bundledSuites+"/"))
	}
	return names
}
