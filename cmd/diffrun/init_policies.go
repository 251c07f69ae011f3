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
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
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
		interruptible, stop := terminal.Interruptible(ctx, func() {})
		defer stop()
		ctx = interruptible
		p.Warn("diffrun: trying %s\n", plaintext.Count(len(p.set.Pairs), "suite"))
	}
	for _, pair := range p.set.Pairs {
		name := pair.SuiteFile(p.folder)
		made, why, failed := p.add(ctx, filepath.Join(p.root, filepath.FromSlash(name)), pair.Suite(p.folder))
		if err = failed; err != nil {
			break
		}
		switch {
		case why != "":
			open = append(open, pair.Name+": "+why)
			continue
		case made:
			written = append(written, name+"  "+pair.What)
		default:
			kept = append(kept, name)
		}
		suites++
	}
	p.showFiles("wrote", written)
	p.showFiles("kept, because they were there", kept)
	if err == nil {
		p.showFiles("left open", slices.Concat(open, p.set.Open))
	}
	return suites, err
}

// add writes a suite, unless there is one. It loads the suite under another name before, so that what an interruption leaves is
// not kept as a suite. It returns why the suite cannot be loaded.
func (p policyInit) add(ctx context.Context, target string, text []byte) (made bool, why string, err error) {
	folder, untried := filepath.Dir(target), target+".untried"
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return false, "", err
	}
	if _, err := os.Lstat(target); err != nil && p.build {
		defer func() {
			_, _ = os.Remove(untried), os.Remove(folder) // which stays if it has other files
		}()
		if err := outfile.Write(untried, text); err != nil {
			return false, "", err
		}
		if why, err := p.mistake(ctx, untried); why != "" || err != nil {
			return false, why, err
		}
	}
	made, err = outfile.WriteNew(target, text)
	return made, "", err
}

// mistake returns the first mistake in a suite, or why its engine does not take the policies. The error is an interruption.
func (p policyInit) mistake(ctx context.Context, suite string) (string, error) {
	plan, err := p.LoadSuites(ctx, []string{suite}, cases.Options{}, p.NewFiles())
	if err == nil {
		err = plan.Close()
	}
	var mistakes userfile.Mistakes
	why := ""
	switch {
	case ctx.Err() != nil:
		return "", terminal.Exitf(terminal.Interrupted, "interrupted while trying %s; the suites that were written stay, and "+
			"\"diffrun init\" goes on", strings.TrimSuffix(suite, ".untried"))
	case err == nil:
		return "", nil
	case errors.As(err, &mistakes):
		why = mistakes[0].Message
	default:
		why = err.Error()
	}
	why, _, _ = strings.Cut(why, "\n")
	return why, nil
}

// showPolicySuites prints the next command for suites of policies alone.
func (p *program) showPolicySuites(suites int, root, folder string) error {
	return p.Stdout.Printf("%s\n\nnext:\n  diffrun run %s\n", plaintext.Count(suites, "suite"), path.Join(filepath.ToSlash(root), folder))
}
