package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/cases"
)

// bundledSuites is where the bundle has its suites.
const bundledSuites = "cases"

// loadSuites loads the suites that the arguments mean, each once; no argument:
// the bundled ones. As many cases are to be checked at once as parallel says. When the
// context ends, their files cannot be read any more. None of them may be an output of the command.
func (p *program) loadSuites(ctx context.Context, args []string, parallel int, files places) (*cases.Plan, error) {
	return p.loadSuitesFor(ctx, args, cases.Options{Parallel: parallel}, files)
}

// loadSuitesFor loads suites with options, to which it adds what the program knows.
func (p *program) loadSuitesFor(ctx context.Context, args []string, options cases.Options, files places) (*cases.Plan, error) {
	suites, err := p.find(ctx, args)
	if err != nil {
		return nil, err
	}
	for _, found := range suites {
		if found.Files.OnDisk {
			files.input("", p.stdin, found.Name)
		}
	}
	if err := files.check(); err != nil {
		return nil, usageError{err}
	}
	options.Builtins, options.Now, options.Markers, options.Tags = p.builtins, p.now(), p.markers, p.tags()
	plan, err := cases.Load(suites, options)
	if err != nil {
		return nil, err
	}
	files.input("", p.stdin, plan.Files...)
	if err := files.check(); err != nil {
		_ = plan.Close() // nothing has run
		return nil, usageError{err}
	}
	warnOf(p, plan.Warnings)
	return plan, nil
}

func (p *program) find(ctx context.Context, args []string) ([]cases.Location, error) {
	bundle, disk := &cases.Files{FS: p.bundle}, &cases.Files{FS: disk(ctx), OnDisk: true}
	if len(args) == 0 {
		if exists(cases.SuiteFile) {
			p.warn("diffrun: no suite is named, so the bundled ones run; \"diffrun run .\" runs %s of this directory\n", cases.SuiteFile)
		}
		found, _, err := bundle.Find(bundledSuites)
		return found, err
	}
	if slices.Contains(args, "") {
		return nil, usageError{errors.New("a suite is named by an empty text; is a variable unset?")}
	}
	var found []cases.Location
	for _, arg := range args {
		places, skipped, err := findOne(arg, disk, bundle)
		warnOf(p, skipped)
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

// findOne looks for a suite on disk, then for a bundled one of that name.
func findOne(arg string, disk, bundle *cases.Files) (found []cases.Location, skipped []string, err error) {
	found, skipped, err = disk.Find(path.Clean(filepath.ToSlash(arg)))
	if !errors.Is(err, fs.ErrNotExist) {
		return found, skipped, err
	}
	if name := path.Join(bundledSuites, arg); fs.ValidPath(arg) && name != bundledSuites {
		if found, _, err := bundle.Find(name); !errors.Is(err, fs.ErrNotExist) {
			return found, nil, err
		}
	}
	return nil, nil, fmt.Errorf("there is no suite %q: neither a file or directory, nor a bundled suite (%s)", arg, strings.Join(bundledNames(bundle), ", "))
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

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// sayIntents says what a run will do outside of this machine.
func (p *program) sayIntents(plan *cases.Plan) {
	for _, intent := range plan.Intents {
		p.warn("diffrun: %s\n", intent)
	}
}
