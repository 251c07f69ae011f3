package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/gomodule/gotool"
	"github.com/diffrun/diffrun/internal/scaffold"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// initFlags are the flags of "diffrun init".
type initFlags struct {
	folder      string
	noBuild     bool
	fromCluster bool
	access      scaffold.Access
}

func (p *program) initCommand() *cobra.Command {
	var flags initFlags
	command := &cobra.Command{
		Use:   "init [DIRECTORY]",
		Short: "Find what a repository has to compare, and write suites that run it",
		Long: `Find what a repository has to compare, and write suites that run it.

DIRECTORY is the root of a repository; by default, the working directory. init
finds CustomResourceDefinitions, webhook configurations (also as markers of
kubebuilder), ValidatingAdmissionPolicies (also in Go and in Helm templates),
samples, and Go functions that register webhooks with controller-runtime or
return field errors.

For each definition with a webhook or a policy, init writes a suite. It compares
what guards the objects today with the definition alone: each difference is a
rule that the definition lacks. The cases are the samples, and each of their
fields changed. A program in your module serves the webhooks, with the standard
library and the versions of the libraries that the module has.

--from-cluster reads the same from a cluster instead, with up to 20 objects of each
kind. It only reads; the suites that it writes send dry runs.

Existing files are kept: to regenerate one, remove it first.

Exit status: 0 if a suite was written or exists; 1 if nothing can be compared;
2 if the directory or the flags are wrong.`,
		Args: arguments(0, 1, "a directory, or none"),
		RunE: func(command *cobra.Command, args []string) error {
			if flags.fromCluster {
				if len(args) > 0 {
					return terminal.Usagef("--from-cluster reads a cluster and no DIRECTORY; leave %q out", args[0])
				}
				return p.initCluster(command.Context(), flags)
			}
			if flags.access != (scaffold.Access{}) {
				return terminal.Usagef("--kubeconfig, --context and --namespace need --from-cluster")
			}
			root := "."
			if len(args) > 0 {
				root = args[0]
			}
			return p.initProject(command.Context(), root, flags)
		},
	}
	set := command.Flags()
	set.StringVarP(&flags.folder, "output", "o", "diffrun", "folder in DIRECTORY for the written files")
	set.BoolVar(&flags.noBuild, "no-build", false, "do not build the program that serves the webhooks, and take all of them as served")
	set.BoolVar(&flags.fromCluster, "from-cluster", false, "read definitions, webhooks, policies and objects from the cluster of a kubeconfig, and write suites that query it with dry runs")
	set.StringVar(&flags.access.Kubeconfig, "kubeconfig", "", "with --from-cluster: the kubeconfig, in place of $KUBECONFIG or ~/.kube/config")
	set.StringVar(&flags.access.Context, "context", "", "with --from-cluster: a context of the kubeconfig, in place of the current one")
	set.StringVar(&flags.access.Namespace, "namespace", "", "with --from-cluster: a scratch namespace, which cases that update need")
	return command
}

// initProject finds what to compare, writes suites, and prints the result.
func (p *program) initProject(ctx context.Context, root string, flags initFlags) error {
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return terminal.Usagef("%q is not a directory; name the root of a repository", root)
	}
	folder, err := flags.cleanFolder()
	if err != nil {
		return err
	}
	project, err := scaffold.Find(root, folder)
	if err != nil {
		return err
	}
	p.showFound(project)
	written, kept, served, err := p.programs(ctx, project, folder, flags)
	if err != nil {
		return err
	}
	plan := scaffold.NewPlan(project, folder, served)
	files, err := plan.Files()
	if err != nil {
		return err
	}
	more, also, err := project.Write(files)
	p.showWritten(plan, append(written, more...), append(kept, also...))
	if err != nil {
		return err
	}
	return p.showNext(plan, root)
}

// programs writes the programs that serve the validators of a project, and returns the paths and kinds that they serve.
func (p *program) programs(ctx context.Context, project *scaffold.Project, folder string, flags initFlags) (written, kept, served []string, err error) {
	write := func(name string, files map[string][]byte) error {
		made, there, err := project.Write(within(path.Join(folder, name), files))
		written, kept = append(written, made...), append(kept, there...)
		return err
	}
	if len(project.Setups) > 0 {
		made, err := project.Program(folder)
		if err != nil {
			return nil, nil, nil, err
		}
		if err := write(scaffold.ProgramFolder, made); err != nil {
			return nil, nil, nil, err
		}
		if flags.noBuild {
			for _, webhook := range project.Webhooks {
				served = append(served, webhook.Path)
			}
		} else {
			served = p.servedPaths(ctx, project, folder)
		}
	}
	validators := project.Unserved(served)
	if len(validators) == 0 {
		return written, kept, served, nil
	}
	made, err := project.FunctionProgram(folder, validators)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := write(scaffold.FunctionsFolder, map[string][]byte{"main.go": made}); err != nil {
		return nil, nil, nil, err
	}
	if flags.noBuild || p.builds(ctx, project, path.Join(folder, scaffold.FunctionsFolder), os.DevNull) {
		for _, v := range validators {
			served = append(served, v.Kind)
		}
	}
	return written, kept, served, nil
}

// cleanFolder returns the folder that is written.
func (f initFlags) cleanFolder() (string, error) {
	folder := path.Clean(filepath.ToSlash(f.folder))
	if !filepath.IsLocal(f.folder) || folder == "." {
		return "", terminal.Usagef("--output %q must be a folder in the repository, such as \"diffrun\"", f.folder)
	}
	return folder, nil
}

// initCluster writes suites for a cluster.
func (p *program) initCluster(ctx context.Context, flags initFlags) error {
	folder, err := flags.cleanFolder()
	if err != nil {
		return err
	}
	project, err := clusterProject(ctx, flags.access)
	if err != nil {
		return err
	}
	p.showFound(project)
	if access := project.Access; access.Kubeconfig != "" { // suites name it from their folder
		if access.Kubeconfig, err = filepath.Abs(access.Kubeconfig); err != nil {
			return err
		}
	}
	plan := scaffold.NewPlan(project, folder, nil)
	if flags.access.Namespace == "" {
		plan.Open = append(plan.Open, "updates of objects are not compared: they need --namespace with a scratch namespace, in which the old object is stored")
	}
	files, err := plan.Files()
	if err != nil {
		return err
	}
	written, kept, err := project.Write(files)
	p.showWritten(plan, written, kept)
	if err != nil {
		return err
	}
	return p.showNext(plan, ".")
}

// within returns files with a folder before their names.
func within(folder string, files map[string][]byte) map[string][]byte {
	all := map[string][]byte{}
	for name, text := range files {
		all[path.Join(folder, name)] = text
	}
	return all
}

// servedPaths builds the program and asks it which webhooks it has. Failures are left open.
func (p *program) servedPaths(ctx context.Context, project *scaffold.Project, folder string) []string {
	temporary, err := os.MkdirTemp("", "diffrun-init-")
	if err != nil {
		project.Open = append(project.Open, err.Error())
		return nil
	}
	defer os.RemoveAll(temporary)
	program := filepath.Join(temporary, "serve")
	source := path.Join(folder, scaffold.ProgramFolder)
	if !p.builds(ctx, project, source, program) {
		return nil
	}
	command := exec.CommandContext(ctx, program, append([]string{"-paths"}, project.Paths()...)...)
	var failures bytes.Buffer
	command.Dir, command.Stderr = project.Root, &failures
	out, err := command.Output()
	for line := range strings.Lines(failures.String()) {
		project.Open = append(project.Open, "registering webhooks: "+strings.TrimSpace(line))
	}
	if err != nil {
		project.Open = append(project.Open, fmt.Sprintf("./%s does not run: %v", source, err))
	}
	return strings.Fields(string(out))
}

// builds builds a program of the project, and reports whether it could. What fails is left open.
func (p *program) builds(ctx context.Context, project *scaffold.Project, source, program string) bool {
	p.Warn("diffrun: building %s with the go command; the first time takes minutes\n", source)
	if _, err := (gotool.Command{Program: "go", Dir: project.Root}).Output(ctx, "build", "-o", program, "./"+source); err != nil {
		project.Open = append(project.Open, fmt.Sprintf("./%s does not build; fix it and run diffrun init again: %v", source, err))
		return false
	}
	return true
}

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
	show(len(functions), "validating Go function", functions)
	show(len(policies), "admission policy object", policies)
	show(len(project.Samples), "sample", nil)
}

// showWritten prints the written files and the open questions.
func (p *program) showWritten(plan *scaffold.Plan, written, kept []string) {
	list := func(title string, names []string) {
		if len(names) > 0 {
			_ = p.Stdout.Printf("%s\n", title)
		}
		for _, name := range names {
			_ = p.Stdout.Printf("  %s\n", name)
		}
	}
	list("wrote", written)
	list("kept, because they were there", kept)
	list("left open", plan.Open)
}

// showNext prints the next command.
func (p *program) showNext(plan *scaffold.Plan, root string) error {
	at := path.Join(filepath.ToSlash(root), plan.Folder)
	switch len(plan.Suites) {
	case 0:
		if len(plan.Definitions) == 0 {
			return errors.New("no CustomResourceDefinition was found; if controller-gen makes them, run it first (make manifests)")
		}
		_ = p.Stdout.Printf("\nNo definition has a webhook or a policy that can be compared with it. These commands need none:\n  diffrun schema lint %s\n  diffrun validate --crd %s -f MANIFESTS\n", path.Dir(plan.Definitions[0].Source), path.Dir(plan.Definitions[0].Source))
		return terminal.Exit(terminal.Different)
	case 1:
		at = path.Join(at, "suite.yaml")
	}
	for _, s := range plan.Suites {
		_ = p.Stdout.Printf("%s: %s of %s\n", s.Definition.CRD.Name, plaintext.Count(len(s.Cases), "case"), plaintext.Count(len(s.Objects), "sample"))
	}
	return p.Stdout.Printf("\nnext:\n  diffrun run %s\n", at)
}
