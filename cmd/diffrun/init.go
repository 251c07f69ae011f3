package main

import (
	"context"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/scaffold"
	"github.com/diffrun/diffrun/internal/scaffold/policysets"
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
samples, Go functions that register webhooks with controller-runtime or
return field errors, validators that nothing registers, and commands whose own
server answers AdmissionReviews.

If several files have different definitions, policies or webhook configurations of one
name, init uses what a kustomization (config/default first) or a chart deploys, then the newest. It
names the others under "passed over", and what cannot be read under "left open".

For each definition with a webhook or a policy, init writes a suite. It compares
what guards the objects today with the definition alone: each difference is a
rule that the definition lacks. The cases are the samples, and each of their
fields changed; a kind without a sample begins with objects that its definition accepts. A
program in your module serves the webhooks, with the standard library and the
versions of the libraries that the module has. If a command registers them, or sets
what they read, the program runs a copy of that command up to the start of its
manager. A webhook that is not written in Go needs its URL in the suite.

After the build, each sample goes through both sides once: init prints which ones
are accepted, what refuses the others, and which suites have no verdict at all.

In a repository of policies of Kyverno or Gatekeeper, init pairs each policy with the
one in CEL that succeeds it, and with the ValidatingAdmissionPolicy that its engine
generates, and writes suites with the samples of their tests as cases.

--from-cluster reads the same from a cluster instead, with up to 20 objects of each
kind. It only reads; the suites that it writes send dry runs.

The suites are written before that program is built, which can take minutes. If you
interrupt the build, "diffrun init" goes on with it. It also corrects suites that the
program cannot serve, unless you changed them.

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
	set.BoolVar(&flags.fromCluster, "from-cluster", false, "read definitions, webhooks, policies and objects from the "+
		"cluster of a kubeconfig, and write suites that query it with dry runs")
	set.StringVar(&flags.access.Kubeconfig, "kubeconfig", "", "with --from-cluster: the kubeconfig, in place of $KUBECONFIG "+
		"or ~/.kube/config")
	set.StringVar(&flags.access.Context, "context", "", "with --from-cluster: a context of the kubeconfig, in place of the current one")
	set.StringVar(&flags.access.Namespace, "namespace", "", "with --from-cluster: a scratch namespace, which cases that update need")
	return command
}

// initProject finds what to compare, writes suites, and prints the result. Programs of the project may take minutes to
// build, so everything is written first, as if they served all webhooks. Files are corrected when the programs answered.
func (p *program) initProject(ctx context.Context, root string, flags initFlags) error {
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return terminal.Usagef("%q is not a directory; name the root of a repository", root)
	}
	folder, err := flags.cleanFolder()
	if err != nil {
		return err
	}
	project, err := scaffold.Find(root, folder, p.Kustomize)
	if err != nil {
		return err
	}
	project.KeepProgram(folder)
	set, err := policysets.Find(root, folder)
	if err != nil {
		return err
	}
	p.showFound(project)
	p.showPolicies(set)
	if len(set.Pairs) > 0 {
		suites, err := policyInit{p, set, root, folder, !flags.noBuild}.write(ctx)
		if err != nil {
			return err
		}
		if suites > 0 && len(project.Definitions) == 0 {
			return p.showPolicySuites(suites, root, folder)
		}
	}
	draft, err := project.Draft(folder, project.Presumed())
	if err != nil {
		return err
	}
	written, kept, err := project.Write(draft.Files)
	p.showFiles("wrote", written)
	p.showFiles("kept, because they were there", kept)
	if err != nil {
		return err
	}
	var faulty []string
	if !flags.noBuild {
		ctx, stop := terminal.Interruptible(ctx, func() {})
		defer stop()
		building := programBuild{program: p, project: project, folder: folder, next: suitesOf(draft.Plan, root)}
		if draft, err = building.correct(ctx, draft); err != nil {
			return err
		}
		if faulty, err = p.showSamples(ctx, root, folder, building.ready(draft.Plan)); err != nil {
			return err
		}
	}
	p.showFiles("left open", draft.Open)
	return p.showNext(draft.Plan, root, faulty)
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
		plan.Open = append(plan.Open, "updates of objects are not compared: they need --namespace with a scratch namespace, "+
			"in which the old object is stored")
	}
	files, err := plan.Files()
	if err != nil {
		return err
	}
	written, kept, err := project.Write(files)
	p.showFiles("wrote", written)
	p.showFiles("kept, because they were there", kept)
	if err != nil {
		return err
	}
	p.showFiles("left open", plan.Open)
	return p.showNext(plan, ".", nil)
}
