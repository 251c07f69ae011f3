package main

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/gomodule/read"
	"github.com/diffrun/diffrun/internal/gomodule/readings"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// read prints the error sites of Go packages, or of the programs of a suite, and the conditions under which they make
// errors, as text or as JSON. Nothing is asked.
func (p *program) read(ctx context.Context, args []string, isJSON bool) error {
	directory, patterns, asked, err := packagesOf(args)
	if err != nil {
		return terminal.Usage(err)
	}
	loaded, err := read.Load(ctx, directory, patterns...)
	if err != nil {
		return terminal.Usage(err)
	}
	all := loaded.Roots()
	roots := askedRoots(all, asked)
	if len(roots) == 0 {
		return terminal.Usagef("no function of %s validates an object: it is given one, with TypeMeta, and returns errors; "+
			"name the package of the webhook", strings.Join(patterns, " "))
	}
	out := p.Stdout.Printer()
	var counts counts
	created := map[string]bool{} // the sites of creates, which are printed once
	for _, root := range roots {
		sites, left := loaded.Read(root)
		found := slices.DeleteFunc(sites, func(site read.Site) bool {
			key := fmt.Sprint(root.Func.FullName(), site.Pos, site.Calls, celexpr.String(site.Condition))
			printed := created[key]
			created[key] = true
			return printed
		})
		if isJSON {
			if err := printRootJSON(out, root, found, left); err != nil {
				return err
			}
			continue
		}
		printRoot(out, root, found)
		for _, one := range left {
			out.Printf("  left out  %s: %s\n\n", position(one.Pos), one.Why)
		}
		for _, site := range found {
			counts.add(site)
		}
	}
	if isJSON {
		return out.Flush()
	}
	if others := len(all) - len(roots); others > 0 {
		out.Printf("The programs validate objects of other kinds, too, which the suite does not ask about; \"diffrun infer --read %s\" "+
			"reads them.\n", strings.Join(patterns, " "))
	}
	out.Printf("%s: %d read, %d in part, %d not expressible. They are read and not proven: \"diffrun infer SUITE\" asks the "+
		"validator.\n", plaintext.Count(counts.all, "error site"), counts.whole, counts.all-counts.whole-counts.notExpressible,
		counts.notExpressible)
	return out.Flush()
}

// counts are how many sites there are, how many were read whole, and of how many no rule can say the condition.
type counts struct{ all, whole, notExpressible int }

func (c *counts) add(site read.Site) {
	c.all++
	if len(site.Unread) == 0 {
		c.whole++
	} else if _, is := site.NotExpressible(); is {
		c.notExpressible++
	}
}

// readFor adds what the source of the programs of a suite says to what is inferred, and that of the validators of built-in
// kinds whose Go types have the schema. If it is not in reach, or not Go, answers must do.
func (p *program) readFor(ctx context.Context, suite string, abouts []*evidence.Target) {
	directory, patterns, _, err := programsOf(suite)
	for _, about := range abouts {
		if group, is := strings.CutPrefix(path.Dir(about.GoPackage), "k8s.io/api/"); is {
			patterns = append(patterns, "k8s.io/kubernetes/pkg/apis/"+group+"/validation")
		}
	}
	if err != nil || len(patterns) == 0 {
		return
	}
	slices.Sort(patterns)
	patterns = slices.Compact(patterns)
	loaded, err := readings.Load(ctx, directory, patterns...)
	if err != nil {
		p.Warn("diffrun: warning: the source of the validator is not read: %v\n", err)
		return
	}
	for _, about := range abouts {
		var left []read.Unread
		about.Readings, left = loaded.Of(about.Version.Kind)
		for _, one := range left {
			p.Warn("diffrun: warning: %s is not read: %s\n", position(one.Pos), one.Why)
		}
	}
}

// printRoot prints the sites of a function.
func printRoot(out *plaintext.Printer, root read.Root, sites []read.Site) {
	heading := root.Func.FullName()
	if root.Operation != "" {
		heading += ", " + root.Operation
	}
	out.Printf("%s: %s\n\n", heading, plaintext.Count(len(sites), "error site"))
	for _, site := range sites {
		out.Printf("  %s", position(site.Pos))
		for _, part := range []string{site.Type, site.Field, site.Text} {
			if part != "" {
				out.Printf("  %s", part)
			}
		}
		out.Printf("\n    refuses  %s\n", celexpr.String(site.Condition))
		if len(site.Unread) == 0 {
			out.Printf("    rule     %s\n", celexpr.String(site.Rule))
		}
		for _, gate := range site.Settings {
			out.Printf("    setting  %s: the feature gate %s is %s\n", position(gate.Pos), gate.Name, settingText(gate))
		}
		for _, unread := range site.Unread {
			out.Printf("    unread   %s: %s\n", position(unread.Pos), unread.Why)
			if unread.Class != "" {
				out.Printf("    not expressible: the condition %s\n", unread.Class)
			}
		}
		out.Printf("\n")
	}
}

// settingText says which value a condition takes a feature gate to have.
func settingText(gate read.Setting) string {
	value := map[bool]string{true: "on", false: "off"}
	if gate.On == gate.Default {
		return value[gate.On] + ", its default"
	}
	return value[gate.On] + "; its default is " + value[gate.Default]
}

// position names a line of a file.
func position(at token.Position) string { return fmt.Sprintf("%s:%d", at.Filename, at.Line) }

// askedRoots returns the functions for objects of the kinds that a suite asks its programs about: their last arguments name a
// kind, or the path of its webhook, which ends with it. Without such a function, these are all.
func askedRoots(all []read.Root, asked []string) []read.Root {
	found := slices.DeleteFunc(slices.Clone(all), func(root read.Root) bool {
		kind := strings.ToLower(root.Kind())
		return !slices.ContainsFunc(asked, func(argument string) bool {
			argument = strings.ToLower(argument)
			return kind != "" && (argument == kind || strings.HasPrefix(argument, "/") && strings.HasSuffix(argument, "-"+kind))
		})
	})
	if len(found) == 0 {
		return all
	}
	return found
}

// packagesOf returns the packages that arguments name, and the directory from which they are named: a suite names those
// of its programs, and asks them about what their arguments say.
func packagesOf(args []string) (directory string, patterns, asked []string, err error) {
	if len(args) != 1 {
		return ".", args, nil, nil
	}
	directory, patterns, asked, err = programsOf(args[0])
	if isFile := slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(args[0])); errors.Is(err, fs.ErrNotExist) && !isFile {
		return ".", args, nil, nil // a package
	}
	if err == nil && len(patterns) == 0 {
		err = fmt.Errorf("%s: no program of the suite is Go source, which \"exec: {command: [go, run, ./validator]}\" names; "+
			"name the packages of the validator instead of the suite", args[0])
	}
	return directory, patterns, asked, err
}

// programsOf returns the packages of the programs of a suite that are Go source, "exec: {command: [go, run, ./validator]}", the
// directory from which they are named, and the arguments of the programs.
func programsOf(suite string) (directory string, patterns, asked []string, err error) {
	if info, err := os.Stat(suite); err == nil && info.IsDir() {
		suite = filepath.Join(suite, "suite.yaml")
	}
	content, err := os.ReadFile(suite)
	if err != nil {
		return "", nil, nil, err
	}
	var keys any
	if err := yaml.Unmarshal(content, &keys); err != nil {
		return "", nil, nil, fmt.Errorf("%s: %w", suite, err)
	}
	eachCommand(keys, func(command []any) {
		if len(command) >= 3 && command[0] == "go" && command[1] == "run" {
			patterns = append(patterns, fmt.Sprint(command[2]))
			for _, argument := range command[3:] {
				asked = append(asked, fmt.Sprint(argument))
			}
		}
	})
	return filepath.Dir(suite), slices.Compact(patterns), asked, nil
}

// eachCommand calls a function for each list that has the key command.
func eachCommand(in any, call func([]any)) {
	switch in := in.(type) {
	case map[string]any:
		if command, ok := in["command"].([]any); ok {
			call(command)
		}
		for _, key := range slices.Sorted(maps.Keys(in)) {
			eachCommand(in[key], call)
		}
	case []any:
		for _, item := range in {
			eachCommand(item, call)
		}
	}
}
