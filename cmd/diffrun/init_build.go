package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/gomodule/gotool"
	"github.com/diffrun/diffrun/internal/scaffold"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// programBuild builds the programs that "diffrun init" wrote, and asks them which webhooks they serve.
type programBuild struct {
	*program
	project *scaffold.Project
	folder  string
	// next is the argument of "diffrun run" that names the suites, for hints.
	next string
	// broken are the folders of programs that do not build.
	broken []string
	// opened is the number of findings that were left open before the program was built.
	opened int
}

// ready returns the suites of which each program builds and each webhook has a URL.
func (b *programBuild) ready(plan *scaffold.Plan) (suites []*scaffold.Suite) {
	for _, s := range plan.Suites {
		uses := func(w *scaffold.Webhook, folder string) bool {
			return w != nil && (w.Kind != "") == (folder == scaffold.FunctionsFolder)
		}
		isBroken := slices.ContainsFunc(b.broken, func(folder string) bool { return uses(s.Then, folder) || uses(s.Mutate, folder) })
		if !isBroken && !s.NeedsURL() {
			suites = append(suites, s)
		}
	}
	return suites
}

// correct builds the programs of a draft, and returns the draft of the webhooks that they serve. It corrects the
// files of the first one. A program that does not build is left open. The error is an interruption.
func (b *programBuild) correct(ctx context.Context, draft *scaffold.Draft) (*scaffold.Draft, error) {
	final := draft
	if b.project.HasProgram() {
		served, err := b.servedPaths(ctx)
		if err == nil && b.project.Production != nil && (served == nil || len(b.project.Open) > b.opened) {
			draft, served, err = b.better(ctx, draft, served)
		}
		if err != nil {
			return nil, err
		}
		if served == nil {
			served = b.project.WithoutFunctions(b.project.Presumed())
		}
		if final, err = b.project.Draft(b.folder, served); err != nil {
			return nil, err
		}
		changed, err := b.project.Correct(draft.Files, final.Files)
		b.showFiles("corrected, because of what "+path.Join(b.folder, scaffold.ProgramFolder)+" serves", changed)
		if err != nil {
			return nil, err
		}
	}
	if len(final.Validators) > 0 {
		opened := len(b.project.Open)
		if _, err := b.build(ctx, scaffold.FunctionsFolder, os.DevNull); err != nil {
			return nil, err
		}
		final.Open = append(final.Open, b.project.Open[opened:]...)
	}
	return final, nil
}

// better returns the draft whose program serves more webhooks: the given one with a copy of the command, which failed to register
// one or does not run, or one without the copy. After an interruption, the copy stays for the next run.
func (b *programBuild) better(ctx context.Context, with *scaffold.Draft, served []string) (*scaffold.Draft, []string, error) {
	production, open := b.project.Production, slices.Clone(b.project.Open)
	without, err := b.withoutProduction(with)
	if err != nil {
		return nil, nil, err
	}
	var alone []string
	if b.project.HasProgram() {
		alone, err = b.servedPaths(ctx)
	}
	if err == nil && (served == nil || len(alone) > len(served)) {
		return without, alone, nil
	}
	b.project.Production, b.project.Open, b.broken = production, open, nil
	again, failed := b.project.Draft(b.folder, b.project.Presumed())
	if failed == nil {
		_, failed = b.project.Correct(without.Files, again.Files)
	}
	return again, served, cmp.Or(err, failed)
}

// withoutProduction leaves the copy of the command out of the program, because it does not build, starts no manager or fails
// to register a webhook. The copy's failures become its reason.
func (b *programBuild) withoutProduction(draft *scaffold.Draft) (*scaffold.Draft, error) {
	why := strings.Join(b.project.Open[b.opened:], "; ")
	b.project.Open = append(b.project.Open[:b.opened], fmt.Sprintf("./%s registers webhooks, and a copy of it cannot run, so functions "+
		"that it calls are called without what it sets: %s", b.project.Production.Command, why))
	b.project.Production, b.broken = nil, nil
	without, err := b.project.Draft(b.folder, b.project.Presumed())
	if err != nil {
		return nil, err
	}
	_, err = b.project.Correct(draft.Files, without.Files)
	for _, name := range slices.Sorted(maps.Keys(draft.Files)) {
		_, isWanted := without.Files[name]
		if _, err := os.Stat(filepath.Join(b.project.Root, filepath.FromSlash(name))); err == nil && !isWanted {
			b.project.Open = append(b.project.Open, name+" belongs to that copy, but is kept because it was changed: remove it")
		}
	}
	return without, err
}

// servedPaths builds the program and asks it which webhooks it has. It returns nil if the program does not build or does
// not run. Failures are left open.
func (b *programBuild) servedPaths(ctx context.Context) ([]string, error) {
	b.opened = len(b.project.Open)
	temporary, err := os.MkdirTemp("", "diffrun-init-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	program := filepath.Join(temporary, "serve")
	if built, err := b.build(ctx, scaffold.ProgramFolder, program); err != nil || !built {
		return nil, err
	}
	command := exec.CommandContext(ctx, program, append([]string{"-paths"}, b.project.Paths()...)...)
	var failures bytes.Buffer
	command.Dir, command.Stderr = b.project.Root, &failures
	out, err := command.Output()
	if ctx.Err() != nil {
		return nil, b.interrupted(scaffold.ProgramFolder)
	}
	last := ""
	for line := range strings.Lines(failures.String()) {
		if said, ours := strings.CutPrefix(strings.TrimSpace(line), "diffrun: "); ours {
			b.project.Open = append(b.project.Open, "registering webhooks: "+said)
		} else if said != "" {
			last = ": " + plaintext.Cut(said, 300)
		}
	}
	if err != nil {
		b.project.Open = append(b.project.Open, fmt.Sprintf("./%s does not run: %v%s",
			path.Join(b.folder, scaffold.ProgramFolder), err, last))
		if b.project.Production != nil {
			return nil, nil
		}
	}
	return append([]string{}, strings.Fields(string(out))...), nil
}

// build builds a program of the project, and reports whether it could. What fails is left open. The error is an
// interruption.
func (b *programBuild) build(ctx context.Context, name, program string) (bool, error) {
	source := "./" + path.Join(b.folder, name)
	progress := &buildProgress{source: source, began: time.Now(), left: b.uncompiled(ctx, source)}
	b.Warn("diffrun: building %s, which compiles %s; the next build is faster\n", source, plaintext.Count(len(progress.left), "package"))
	shown := progress.show(b.Console)
	// The linker leaves debug information out, as it does for "go run".
	command := exec.CommandContext(ctx, "go", "build", "-v", "-buildvcs=false", "-ldflags=-s -w", "-o", program, source)
	command.Dir, command.Stderr = b.project.Root, progress
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) } // go then removes its temporary files
	command.WaitDelay = 10 * time.Second
	err := command.Run()
	shown()
	switch {
	case ctx.Err() != nil:
		return false, b.interrupted(name)
	case err != nil:
		b.broken = append(b.broken, name)
		b.project.Open = append(b.project.Open, fmt.Sprintf("%s does not build; fix it, then run the suites: %v\n%s", source,
			err, strings.Join(progress.errors, "\n")))
	}
	return err == nil, nil
}

// interrupted says how to go on after an interrupted build.
func (b *programBuild) interrupted(name string) error {
	return terminal.Exitf(terminal.Interrupted, "interrupted while building ./%s; everything that was written stays, "+
		"and so do compiled packages: \"diffrun init\" goes on and corrects suites that it does not serve, \"diffrun run %s\" "+
		"builds it as well",
		path.Join(b.folder, name), b.next)
}

// uncompiled returns the packages that a build has to compile. Errors are left to the build.
func (b *programBuild) uncompiled(ctx context.Context, source string) map[string]bool {
	out, _ := gotool.Command{Program: "go", Dir: b.project.Root}.Output(ctx, "list", "-deps", "-f",
		"{{if .Stale}}{{.ImportPath}}{{end}}", source)
	all := map[string]bool{}
	for _, name := range strings.Fields(string(out)) {
		all[name] = true
	}
	return all
}

// buildProgress shows how far a build is. It reads what "go build -v" prints: a line for each package, and errors.
type buildProgress struct {
	source string
	began  time.Time

	mu       sync.Mutex
	left     map[string]bool // packages
	compiled int
	partial  []byte
	errors   []string
}

func (p *buildProgress) Write(data []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.partial = append(p.partial, data...)
	for {
		line, rest, whole := bytes.Cut(p.partial, []byte("\n"))
		if !whole {
			return len(data), nil
		}
		p.partial = rest
		if name := string(line); p.left[name] {
			delete(p.left, name)
			p.compiled++
		} else {
			p.errors = append(p.errors, name)
		}
	}
}

func (p *buildProgress) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("building %s … %d of %s, %d s", p.source, p.compiled, plaintext.Count(p.compiled+len(p.left), "package"),
		int(time.Since(p.began).Seconds()))
}

// buildInterval is how often progress is printed where stderr is no terminal.
const buildInterval = 30 * time.Second

// show shows progress until the returned function is called.
func (p *buildProgress) show(console *terminal.Console) (end func()) {
	line := terminal.NewStatusLine(console.Stderr, func(int) string { return p.text() })
	if line != nil {
		return line.Stop
	}
	ticker, done := time.NewTicker(buildInterval), make(chan struct{})
	var printing sync.WaitGroup
	printing.Go(func() {
		for {
			select {
			case <-ticker.C:
				console.Warn("diffrun: %s\n", p.text())
			case <-done:
				return
			}
		}
	})
	return func() {
		ticker.Stop()
		close(done)
		printing.Wait()
	}
}
