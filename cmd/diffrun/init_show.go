package main

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/scaffold"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// showFound prints what was found.
func (p *program) showFound(project *scaffold.Project) {
	_ = p.Stdout.Printf("found\n")
	show := func(n int, noun string, places []string) {
		shown, more := plaintext.First(places)
		_ = p.Stdout.Printf("  %s\n", plaintext.Count(n, noun))
		for _, place := range shown {
			_ = p.Stdout.Printf("      %s\n", place)
		}
		if more > 0 {
			_ = p.Stdout.Printf("      %s\n", plaintext.More(more))
		}
	}
	var definitions, webhooks, setups, functions, policies []string
	for _, d := range project.Definitions {
		definitions = append(definitions, d.CRD.Name+"  "+d.Source)
	}
	for _, w := range project.Webhooks {
		webhooks = append(webhooks, w.Path+"  "+w.Source)
	}
	for _, s := range project.Setups {
		setups = append(setups, strings.Join(append([]string{s.Name}, s.Kinds...), " ")+"  "+s.Source)
	}
	for _, v := range project.Validators() {
		for _, f := range v.All() {
			functions = append(functions, f.Name+" "+v.Kind+"  "+f.Source)
		}
	}
	for _, policy := range project.Policies {
		policies = append(policies, fmt.Sprintf("%v  %s:%d", policy.Object["kind"], policy.Source, policy.Line))
	}
	show(len(definitions), "CustomResourceDefinition", definitions)
	show(len(webhooks), "webhook", webhooks)
	show(len(setups), "Go registration", setups)
	if of := project.Production; of != nil {
		show(1, "command that serves webhooks, to copy", []string{"./" + of.Command})
	}
	show(len(functions), "validating Go function", functions)
	show(len(policies), "admission policy object", policies)
	show(len(project.Samples), "sample", nil)
	p.showFiles("passed over", scaffold.PassedOverText(project.PassedOver))
}

// passedOver names the files that a suite does not use, because others have a different object of the same name.
func passedOver(plan *scaffold.Plan, s *scaffold.Suite) string {
	var others []string
	for _, over := range plan.PassedOverFor(s) {
		others = append(others, over.Source)
	}
	if len(others) == 0 {
		return ""
	}
	shown, more := plaintext.First(others)
	if more > 0 {
		shown = append(slices.Clip(shown), plaintext.More(more))
	}
	return "; passed over: " + plaintext.List(shown)
}

// showFiles prints a title and a list, unless it is empty. Files of the copy of a command are one line.
func (p *program) showFiles(title string, names []string) {
	names = withoutCopies(names)
	if len(names) > 0 {
		_ = p.Stdout.Printf("%s\n", title)
	}
	for _, name := range names {
		_ = p.Stdout.Printf("  %s\n", name)
	}
}

// copiedFolder is in the names of files of the copy of a command.
const copiedFolder = "/" + scaffold.ProgramFolder + "/" + scaffold.ProductionFolder + "/"

// withoutCopies returns names of files, with a line for all that are of the copy of a command.
func withoutCopies(names []string) []string {
	first, copies := "", 0
	kept := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		before, _, is := strings.Cut(name, copiedFolder)
		if is && !strings.Contains(before, " ") {
			first, copies = before+copiedFolder, copies+1
			return true
		}
		return false
	})
	if copies > 0 {
		kept = append(kept, fmt.Sprintf("%s  %s of the copy of a command", first, plaintext.Count(copies, "file")))
		slices.Sort(kept)
	}
	return kept
}

// suitesOf returns the arguments of "diffrun run" that name the suites of a plan: the folder, or if some need a URL first,
// the others.
func suitesOf(plan *scaffold.Plan, root string) string {
	at := path.Join(filepath.ToSlash(root), plan.Folder)
	var ready []string
	for _, s := range plan.Suites {
		if !s.NeedsURL() {
			ready = append(ready, path.Join(at, s.Folder, "suite.yaml"))
		}
	}
	if len(plan.Suites) > 1 && (len(ready) == len(plan.Suites) || len(ready) == 0) {
		return at
	}
	if len(ready) == 0 {
		return path.Join(at, "suite.yaml")
	}
	return strings.Join(ready, " ")
}

// showNext prints the next command. faulty are the definitions of which no sample has a verdict.
func (p *program) showNext(plan *scaffold.Plan, root string, faulty []string) error {
	if len(plan.Suites) == 0 {
		return p.showNothing(plan)
	}
	for _, s := range plan.Suites {
		_ = p.Stdout.Printf("%s: %s of %s%s\n", s.Definition.CRD.Name, plaintext.Count(len(s.Cases), "case"),
			plaintext.Count(len(s.Objects), "object"), passedOver(plan, s))
	}
	for _, s := range plan.Suites {
		if s.NeedsURL() {
			_ = p.Stdout.Printf("%s: run the webhook %s, which nothing here serves, and write its URL under then\n",
				path.Join(filepath.ToSlash(root), plan.Folder, s.Folder, "suite.yaml"), s.Then.Path)
		}
	}
	next := "next"
	if len(faulty) > 0 {
		_ = p.Stdout.Printf("%s: no sample has a verdict, so a run compares nothing: correct first what \"the samples on both sides\" "+
			"says above\n", plaintext.List(faulty))
	}
	if len(faulty) == len(plan.Suites) {
		next = "next, once that is corrected"
	}
	return p.Stdout.Printf("\n%s:\n  diffrun run %s\n", next, suitesOf(plan, root))
}

// showNothing says why there is no suite.
func (p *program) showNothing(plan *scaffold.Plan) error {
	switch {
	case len(plan.Definitions) > 0:
		folder := path.Dir(plan.Definitions[0].Source)
		_ = p.Stdout.Printf("\nNo definition has a webhook or a policy that can be compared with it. These commands need "+
			"none:\n  diffrun schema lint %s\n  diffrun validate --crd %s -f MANIFESTS\n", folder, folder)
	case len(plan.Webhooks)+len(plan.Policies) > 0:
		_ = p.Stdout.Printf("\nThe webhooks and policies here are about kinds that have no CustomResourceDefinition here. Write a " +
			"suite that names them under native, and what will take their place under declarative:\n  docs/reference/suites-worlds.md\n")
	default:
		return errors.New("no CustomResourceDefinition, webhook or policy was found; if controller-gen makes the definitions, " +
			"run it first (make manifests)")
	}
	return terminal.Exit(terminal.Different)
}
