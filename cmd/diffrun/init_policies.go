package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/scaffold/policysets"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/userfile"
)

// policyInit writes the suites of pairs of policies.
type policyInit struct {
	*program
	set          *policysets.Set
	root, folder string
	build        bool // load each suite, which builds the engines
}

// showPolicies prints the policies of engines that were found.
func (p *program) showPolicies(set *policysets.Set) {
	for _, kind := range slices.Sorted(maps.Keys(set.Counts)) {
		if strings.HasPrefix(kind, "ValidatingAdmission") {
			continue // counted among the objects of the API server
		}
		_ = p.Stdout.Printf("  %s\n", plaintext.Count(set.Counts[kind], kind))
	}
}

// write writes the suites, leaves out those that cannot be loaded, and returns how many there are. The error is an
// interruption, or a file that cannot be written.
func (p policyInit) write(ctx context.Context) (suites int, err error) {
	var written, kept, open []string
	shared := path.Join(p.folder, policysets.ExceptionsFile)
	if err := os.MkdirAll(filepath.Join(p.root, p.folder), 0o777); err != nil {
		return 0, err
	}
	if made, err := outfile.WriteNew(filepath.Join(p.root, filepath.FromSlash(shared)), []byte(policysets.NoExceptions)); err != nil {
		return 0, err
	} else if made {
		written = append(written, shared)
	}
	if p.build {
		p.Warn("diffrun: trying %s\n", plaintext.Count(len(p.set.Pairs), "suite"))
	}
	for _, pair := range p.set.Pairs {
		name := pair.SuiteFile(p.folder)
		target := filepath.Join(p.root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return suites, err
		}
		made, err := outfile.WriteNew(target, pair.Suite(p.folder))
		if err != nil {
			return suites, err
		}
		if !made {
			kept = append(kept, name)
			suites++
			continue
		}
		why, err := p.mistake(ctx, target)
		switch {
		case err != nil:
			return suites, err
		case why != "":
			open = append(open, pair.Name+": "+why)
			if err := errors.Join(os.Remove(target), os.Remove(filepath.Dir(target))); err != nil {
				return suites, err
			}
			continue
		}
		written = append(written, name+"  "+pair.What)
		suites++
	}
	p.showFiles("wrote", written)
	p.showFiles("kept, because they were there", kept)
	p.showFiles("left open", slices.Concat(open, p.set.Open))
	return suites, nil
}

// mistake returns the first mistake in a suite, or why its engine does not take the policies. The error is an interruption.
func (p policyInit) mistake(ctx context.Context, suite string) (string, error) {
	if err := ctx.Err(); err != nil || !p.build {
		return "", err
	}
	plan, err := p.LoadSuites(ctx, []string{suite}, cases.Options{}, p.NewFiles())
	var mistakes userfile.Mistakes
	switch {
	case err == nil:
		return "", plan.Close()
	case errors.As(err, &mistakes):
		why, _, _ := strings.Cut(mistakes[0].Message, "\n")
		return why, nil
	}
	why, _, _ := strings.Cut(err.Error(), "\n")
	return why, nil
}

// showPolicySuites prints the next command for suites of policies alone.
func (p *program) showPolicySuites(suites int, root, folder string) error {
	return p.Stdout.Printf("%s\n\nnext:\n  diffrun run %s\n", plaintext.Count(suites, "suite"), path.Join(filepath.ToSlash(root), folder))
}
