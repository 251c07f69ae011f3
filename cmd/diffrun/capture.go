package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/gomodule/capture"
	casefiles "github.com/diffrun/diffrun/internal/gomodule/capture/corpus"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// captureFlags are the flags of "diffrun capture".
type captureFlags struct {
	folder       string
	functions    []string
	nested       bool
	schemes      []string
	tables       bool
	crds         []string
	versions     []string
	subresources []string
}

func (p *program) captureCommand() *cobra.Command {
	var flags captureFlags
	command := &cobra.Command{
		Use:   "capture -o FOLDER -- go test [ARG...]",
		Short: "Record the calls of hand-written validators in a test suite as cases",
		Long: `Record the calls of hand-written validators in a test suite as cases.

The go test command runs unchanged, on sources that are instrumented for this run
alone: none of your files are written. It records exported functions and methods of
the tested packages that validate an object of an API (a pointer to a struct that
is a runtime.Object, and perhaps the old object): those that return a
field.ErrorList or a *field.Error, validators of controller-runtime, and handlers
of admission requests. --func names others, also those that return an error,
causes of a status, strings, or errors of knative. What will be recorded is printed
before anything is built.

The folder gets a file of JSON lines for each kind, for suites with
"native: {recorded: '*.jsonl'}". It has each case once, with the resulting errors,
the function, the test and the other arguments.

Exit status: that of the tests; 2 if nothing could be recorded.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			if flags.folder == "" {
				return terminal.Usagef("-o is missing: name the folder for the cases, for instance -o corpus")
			}
			if flags.tables && len(flags.crds) > 0 {
				return terminal.Usagef("--crd writes a suite of what was recorded, which the files of --yaml do not have; use " +
					"one of the two")
			}
			if command.ArgsLenAtDash() != 0 {
				return terminal.Usagef(`name the command that runs your tests after "--", such as "diffrun capture -o corpus -- go ` +
					`test ./..."`)
			}
			return p.capture(command.Context(), flags, args)
		},
	}
	set := command.Flags()
	set.StringVarP(&flags.folder, "output", "o", "", "folder for the cases, new or empty")
	set.StringArrayVar(&flags.functions, "func", nil, "record these functions instead, of tested packages or dependencies, "+
		"with objects of any struct: import/path.Function or import/path.Type.Method, where * matches any text; may be repeated")
	set.BoolVar(&flags.nested, "nested", false, "also record the calls that recorded functions make to each other")
	set.StringArrayVar(&flags.schemes, "scheme", nil, "a scheme that converts objects of internal types to an external version, "+
		"as import/path.Variable or import/path.AddToScheme; the cases are then also replayed; may be repeated")
	set.StringArrayVar(&flags.versions, "internal-version", nil, "the version that objects of internal types are converted to, "+
		"as GROUP/VERSION, in place of the one that the scheme prefers; may be repeated")
	set.StringArrayVar(&flags.crds, "crd", nil, "also write a suite that compares what was recorded with the "+
		"CustomResourceDefinitions in this file; may be repeated")
	set.BoolVar(&flags.tables, "yaml", false, "write files of cases for people to keep, named after their tests, "+
		"as patches of the most common object, in place of JSON lines")
	set.StringArrayVar(&flags.subresources, "subresource", nil, "the subresource that a function validates, "+
		"as FUNCTION=SUBRESOURCE; * matches any text; may be repeated")
	return command
}

// capture runs the tests and writes the recorded cases.
func (p *program) capture(ctx context.Context, flags captureFlags, command []string) error {
	options, versions, err := flags.parse()
	if err != nil {
		return terminal.Usage(err)
	}
	defined, err := definedIn(flags.crds)
	if err != nil {
		return err
	}
	if err := casefiles.CheckFolder(flags.folder); err != nil {
		return err
	}
	ctx, stop := terminal.Interruptible(ctx, func() {})
	defer stop()
	recording, err := capture.Run(ctx, capture.Options{
		Command: command, Env: os.Environ(), Functions: flags.functions, Nested: flags.nested,
		Schemes: flags.schemes, InternalVersions: versions, Announce: p.announceCapture,
		Stdin: p.Stdin, Stdout: p.Stdout.File, Stderr: p.Stderr.File,
	})
	if err != nil {
		if recording != nil && recording.Status != 0 {
			return &terminal.ExitError{Status: terminal.Status(recording.Status), Reason: err}
		}
		return err
	}
	options.Versions, options.Answers = recording.Versions, recording.Answers
	made := casefiles.New(recording.Lines, options)
	form := casefiles.Lines
	if flags.tables {
		form = casefiles.Tables
	}
	if err := made.Check(form); err != nil {
		return err
	}
	if err := made.Write(flags.folder, form); err != nil {
		return err
	}
	if len(defined) > 0 {
		if err := made.WriteSuites(flags.folder, defined); err != nil {
			return err
		}
	}
	for _, line := range (captured{recording, made, flags.folder, form}).lines() {
		p.Warn("%s\n", line)
	}
	if recording.Status != 0 {
		return terminal.Exitf(terminal.Status(recording.Status), "the tests ended with status %d; their calls are still recorded",
			recording.Status)
	}
	return nil
}

// announceCapture prints what will be recorded, and which functions will not be and why.
func (p *program) announceCapture(recording *capture.Recording) {
	const most = 10
	p.Warn("diffrun: recording the calls of %s:\n", plaintext.Count(len(recording.Functions), "function"))
	list := func(n int, line func(i int) string) {
		for i := range min(n, most) {
			p.Warn("  %s\n", line(i))
		}
		if n > most {
			p.Warn("  %s\n", plaintext.More(n-most))
		}
	}
	list(len(recording.Functions), func(i int) string {
		function := recording.Functions[i]
		if function.Errors == "" {
			return function.Name
		}
		return function.Name + ", whose " + function.Errors + " has its errors"
	})
	if len(recording.Refused) > 0 {
		p.Warn("diffrun: %s cannot be instrumented:\n", plaintext.Count(len(recording.Refused), "function"))
		list(len(recording.Refused), func(i int) string { return recording.Refused[i].Function + ": " + recording.Refused[i].Reason })
	}
	if len(recording.Near) > 0 {
		p.Warn("diffrun: %s not recorded that nearly qualify:\n", plaintext.Count(len(recording.Near), "function"))
		list(len(recording.Near), func(i int) string { return recording.Near[i].Function + ": " + recording.Near[i].Reason })
	}
}

// parse returns the subresources of functions and the versions of groups, or all mistakes in them.
func (f captureFlags) parse() (options casefiles.Options, versions map[string]string, _ error) {
	var errs []error
	for _, text := range f.subresources {
		subresource, err := casefiles.ParseSubresource(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("--subresource %w", err))
		}
		options.Subresources = append(options.Subresources, subresource)
	}
	versions = map[string]string{}
	for _, text := range f.versions {
		version, err := schema.ParseGroupVersion(text)
		if err != nil || version.Version == "" {
			errs = append(errs, fmt.Errorf("--internal-version %q: write GROUP/VERSION, for instance apps/v1, or v1 for the "+
				"core group", text))
		}
		versions[version.Group] = version.Version
	}
	return options, versions, errors.Join(errs...)
}

// definedIn returns the kinds that files define.
func definedIn(files []string) ([]casefiles.Definition, error) {
	var all []casefiles.Definition
	for _, file := range files {
		found, err := definitions.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			all = append(all, casefiles.Definition{File: file,
				Kind: schema.GroupKind{Group: d.CRD.Spec.Group, Kind: d.CRD.Spec.Names.Kind}})
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("--crd %s: the file has no CustomResourceDefinition", file)
		}
	}
	return all, nil
}
