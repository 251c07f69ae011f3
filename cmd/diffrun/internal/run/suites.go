package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// bundledSuites is the directory of the suites in the bundle.
const bundledSuites = "cases"

// LoadSuites loads the suites that the arguments name, each once; without arguments, the bundled
// ones. It completes the options. When the context ends, the files of the suites can no longer be
// read. It refuses suites that read a file that the command writes.
func (e *Environment) LoadSuites(ctx context.Context, args []string, options cases.Options, files *terminal.Files) (*cases.Plan, error) {
	suites, err := e.findSuites(ctx, args)
	if err != nil {
		return nil, err
	}
	return e.Load(suites, options, files)
}

// Load loads suites, as LoadSuites does.
func (e *Environment) Load(suites []cases.Location, options cases.Options, files *terminal.Files) (*cases.Plan, error) {
	for _, found := range suites {
		if found.Files.OnDisk {
			files.Input("", found.Name)
		}
	}
	if err := files.Check(); err != nil {
		return nil, terminal.Usage(err)
	}
	options.Builtins, options.Policies, options.Cluster = e.Builtins, e.Policies, e.Cluster
	options.Starting = func(doing string) func() { return e.startups.begin(e.Console, doing) }
	options.Now, options.Markers, options.Tags = e.Now(), e.Markers, e.tags()
	plan, err := cases.Load(suites, options)
	if err != nil {
		return nil, err
	}
	files.Input("", plan.Files...)
	if err := files.Check(); err != nil {
		_ = plan.Close() // nothing has run
		return nil, terminal.Usage(err)
	}
	terminal.WarnAll(e.Console, plan.Warnings)
	return plan, nil
}

func (e *Environment) findSuites(ctx context.Context, args []string) ([]cases.Location, error) {
	bundle, disk := &cases.Files{FS: e.Bundle}, &cases.Files{FS: terminal.Storage(ctx), OnDisk: true}
	if len(args) == 0 {
		if e.Bundle == nil {
			return nil, terminal.Usagef("no suite is named, and none is bundled: %s", e.LeftOut)
		}
		if _, err := os.Stat(cases.SuiteFile); err == nil {
			e.Warn("diffrun: no suite is named, so the bundled ones run; \"diffrun run .\" runs %s of this directory\n", cases.SuiteFile)
		}
		found, _, err := bundle.Find(bundledSuites)
		return found, err
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

// findSuite looks for a suite on disk, then for a bundled one of that name.
func (e *Environment) findSuite(arg string, disk, bundle *cases.Files) (found []cases.Location, skipped []string, err error) {
	found, skipped, err = disk.Find(path.Clean(filepath.ToSlash(arg)))
	if !errors.Is(err, fs.ErrNotExist) {
		return found, skipped, err
	}
	if e.Bundle == nil {
		return nil, nil, fmt.Errorf("there is no suite %q: it is neither a file nor a directory, and none is bundled: %s", arg, e.LeftOut)
	}
	if name := path.Join(bundledSuites, arg); fs.ValidPath(arg) && name != bundledSuites {
		if found, _, err := bundle.Find(name); !errors.Is(err, fs.ErrNotExist) {
			return found, nil, err
		}
	}
	names := bundledNames(bundle)
	hint := oneof.DidYouMean(arg, names)
	if hint != "" {
		hint = ";" + hint
	}
	return nil, nil, fmt.Errorf("there is no suite %q: neither a file or directory, nor a bundled suite%s (%s)", arg, hint, strings.Join(names, ", "))
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

// ShowIntents prints what a run will do outside of this machine.
func (e *Environment) ShowIntents(plan *cases.Plan) {
	for _, intent := range plan.Intents {
		e.Warn("diffrun: %s\n", intent)
	}
}

// Together returns groups of suites that can run at the same time, in their order.
func Together(suites []*cases.Suite) iter.Seq[[]*cases.Suite] {
	return func(yield func([]*cases.Suite) bool) {
		for rest := suites; len(rest) > 0; {
			n := slices.IndexFunc(rest, (*cases.Suite).Alone)
			switch n {
			case -1:
				n = len(rest)
			case 0:
				n = 1
			}
			if !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}
