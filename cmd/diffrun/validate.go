package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/schema/kepwords"
	"github.com/diffrun/diffrun/internal/text/oneof"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/internal/validate"
)

// validateFlags are the flags of "diffrun validate".
type validateFlags struct {
	lines         bool
	files         []string
	crds          []string
	openAPI       []string
	outputs       []string
	version       string
	schema        string
	backend       string
	subresource   string
	prune         string
	defaults      bool
	keps          kepwords.Words
	semantics     string
	ignoreMissing bool
	skipOthers    bool
	allErrors     bool
	run.Pace
	verbose bool
}

func validateLong() string {
	return `Validate objects with schemas alone, without a hand-written validator.

For people: a FILE is a manifest, a directory, or - for stdin. A directory is
searched at any depth for regular files named .yaml, .yml and .json; links to
directories are not followed. Files without an object, such as values of a chart,
kustomizations and workflows, are skipped and counted, but there must be an object to
validate. --skip-others is for hooks, which pass whatever files a commit has: it also skips
templates of charts and patches of kustomizations, and accepts that nothing is left. Each object
is read as the API server reads it from kubectl apply: on and yes without quotes are
booleans, defaults are filled in, unknown fields are errors, and fields that a create
request resets are ignored. Its schema is that of a CustomResourceDefinition given with
--crd or found among the manifests, or the built-in one of a Kubernetes kind. For other
kinds, --openapi names the schemas of an API server. Each error is a line:
FILE:LINE: KIND NAME: FIELD: what is wrong. The first ` + fmt.Sprint(plaintext.MaxItems) + ` of each object
are shown; --all shows all.

For programs, --jsonl reads a JSON object a line from stdin and writes one a line
to stdout, in the same order:

  {"id":"7","schema":{…},"object":{…},"oldObject":{…},"subresource":"status","root":true}
  {"id":"7","valid":false,"errors":[{"type":"FieldValueInvalid","field":"spec.replicas",
   "detail":"…","badValue":-1,"origin":"minimum"}]}

All keys except object are optional. schema is OpenAPI v3 as in a
CustomResourceDefinition. Lines without one need --crd or --schema: the built-in schemas
are only for -f. If --crd has several, the apiVersion and kind of an object select one.
oldObject makes it an update. root declares that the schema is that of a resource's root, with
apiVersion, kind and metadata; it is the default for the schemas of --crd.
Objects of --crd are validated as a request for them: status and metadata are reset or
kept as the API server does. Others are validated as they are. Rules are not rejected for
their estimated cost. "fault" says why a line has no verdict; other lines are still answered.

With --prune or --default objects are pruned and defaulted first, and "object" is the
result. subresource "status" validates .status against its part of the schema, and rules
in the whole object; "scale" validates an autoscaling/v1 Scale with the resource as
oldObject, or just the resource, as it is read.

Exit status: 0 success, and with -f all objects are valid; 1 -f found invalid objects;
2 usage, configuration or input that cannot be read; 3 a fault, an object or line
without a verdict; 130 interrupted.`
}

const validateExample = `  # a directory of manifests, before they are committed
  diffrun validate --crd certificates.yaml deploy/

  # what a chart renders
  helm template ./chart | diffrun validate -

  # many objects of one resource, for a program
  diffrun validate --jsonl --crd certificates.yaml --version v1 < objects.jsonl`

func (p *program) validateCommand() *cobra.Command {
	var flags validateFlags
	command := &cobra.Command{
		Use:     "validate {FILE... | --jsonl}",
		Short:   "Validate objects with schemas alone: manifests for people, JSON lines for programs",
		Long:    validateLong(),
		Example: validateExample,
		RunE: func(command *cobra.Command, args []string) error {
			flags.files = append(flags.files, args...)
			if err := flags.check(); err != nil {
				return terminal.Usage(err)
			}
			return p.validate(command.Context(), flags)
		},
	}
	set := command.Flags()
	set.StringArrayVarP(&flags.files, "filename", "f", nil, "the same as FILE; may be repeated")
	set.BoolVar(&flags.lines, "jsonl", false, "read lines of JSON from stdin and answer each on stdout")
	set.StringArrayVar(&flags.crds, "crd", nil, "take the schemas of the CustomResourceDefinitions in this file, "+
		"in or below this directory, or of a Go type (go:./api/v1.Widget); may be repeated")
	set.StringArrayVar(&flags.openAPI, "openapi", nil, "with -f: take the schemas of kinds that have no other from this "+
		"OpenAPI v3 document of an API server, or from all in or below this directory; may be repeated")
	terminal.DocumentFlag(set, &flags.outputs, "with -f: write the results", validateFormats())
	set.StringVar(&flags.version, "version", "", "with --jsonl --crd: the version whose schema validates; without it, "+
		"the apiVersion of each object selects it")
	set.StringVar(&flags.schema, "schema", "", "with --jsonl: take the OpenAPI v3 schema in this file, JSON or YAML, "+
		"or that of a Go type (go:./api/v1.Widget)")
	p.typeFlags(set)
	set.StringVar(&flags.subresource, "subresource", "", "with --jsonl: the subresource of lines that do not name one: status or scale")
	set.StringVar(&flags.prune, "prune", "", "with --jsonl: prune objects before they are validated; report: also list the "+
		"fields that were dropped")
	set.Lookup("prune").NoOptDefVal = run.PruneDrop
	set.BoolVar(&flags.defaults, "default", false, "with --jsonl: fill in the defaults of the schema before objects are validated")
	set.StringVar(&flags.semantics, "semantics", semanticsCustomResources, "the form of the errors of a schema, "+
		"and when its rules run: custom-resources, as in the API server, or native-types, as in KEP-4153")
	set.StringVar(&flags.keps.Preserving, "preserve-unknown-fields", kepwords.PreservingOneLevel,
		"how far x-kubernetes-preserve-unknown-fields reaches when objects are pruned: one-level, as in the API server, or "+
			"deep, as in KEP-2332")
	set.StringVar(&flags.keps.Scale, "scale", kepwords.ScaleAsServed, "how replicas and selectors of resources with a scale "+
		"are validated: served, as in the API server, or proposed, as in the proposal of subresources")
	set.StringVar(&flags.keps.Nulls, "null-defaulting", kepwords.NullsDrop,
		"what happens to null where it is not allowed when objects are pruned or defaulted: drop, as in the API server, or "+
			"keep, as in KEP-575")
	set.BoolVar(&flags.keps.Proposals, "proposals", false, "with --jsonl: implement x-kubernetes-unions (KEP-2335), "+
		"x-kubernetes-strip-zero, x-kubernetes-validation-errors (or x-kubernetes-errors), and the three formats and lists as "+
		"messageExpression of KEP-4153, none of which the API server knows")
	set.StringVar(&flags.backend, "backend", string(validate.Declarative),
		"what validates: "+oneof.List(validate.Engines())+" (apiextensions-apiserver)")
	set.BoolVar(&flags.ignoreMissing, "ignore-missing-schemas", false, "with -f: count objects that have no schema instead of failing")
	set.BoolVar(&flags.skipOthers, "skip-others", false, "with -f: also skip templates of charts and patches of kustomizations, "+
		"and succeed if there is nothing to validate; for hooks")
	set.BoolVar(&flags.allErrors, "all", false, "with -f: show every error of an object")
	flags.Pace.AddFlags(set, "objects to validate")
	set.BoolVarP(&flags.verbose, "verbose", "v", false, "write the stack of a panic with its fault")
	return command
}

// The values of --semantics.
const (
	semanticsCustomResources = "custom-resources"
	semanticsNativeTypes     = "native-types"
)

// check returns all mistakes in the flags.
func (f *validateFlags) check() error {
	var errs []error
	add := func(wrong bool, message string) {
		if wrong {
			errs = append(errs, errors.New(message))
		}
	}
	add(f.lines && len(f.files) > 0, "--jsonl reads stdin; files cannot be given with it")
	add(!f.lines && len(f.files) == 0, "nothing to validate: name manifests or directories, or use --jsonl to read lines of "+
		"JSON from stdin")
	add(slices.Contains(f.files, ""), "a file is named by an empty text; is a variable unset?")
	add(slices.Contains(f.crds, ""), "--crd names a file by an empty text; is a variable unset?")
	add(len(f.crds) > 0 && f.schema != "", "--crd and --schema both name the schema; use one of them")
	add(!f.lines && f.schema != "", "--schema needs --jsonl; with -f the kind of each object selects its schema")
	add(f.version != "" && (!f.lines || len(f.crds) == 0), "--version needs --jsonl and --crd")
	add(f.lines && f.ignoreMissing, "--ignore-missing-schemas is for -f")
	add(f.lines && f.skipOthers, "--skip-others is for -f")
	add(f.lines && (len(f.openAPI) > 0 || !slices.Equal(f.outputs, []string{"text"})),
		"--openapi and -o are for -f; with --jsonl each line has its schema, and answers are JSON lines")
	add(slices.Contains(f.openAPI, ""), "--openapi names a file by an empty text; is a variable unset?")
	add(f.lines && f.allErrors, "--all is for -f; --jsonl always returns every error")
	errs = append(errs, oneof.Check("--backend", validate.Engine(f.backend), validate.Engines()...))
	add(validate.Engine(f.backend) == validate.Reference && referenceCompiler() == nil, "--backend reference: "+leftOut)
	add(!f.lines && (f.subresource != "" || f.prune != "" || f.defaults || !f.asServed()),
		"--subresource, --prune, --default, --null-defaulting, --preserve-unknown-fields and --scale need --jsonl; "+
			"with -f objects are always pruned and defaulted, as the API server does")
	errs = append(errs,
		oneof.Check("--subresource", f.subresource, "", subresource.StatusName, subresource.ScaleName),
		oneof.Check("--prune", f.prune, "", run.PruneDrop, run.PruneReport),
		oneof.Check("--semantics", f.semantics, semanticsCustomResources, semanticsNativeTypes))
	if _, err := f.keps.KEPs(kepFlag); err != nil {
		errs = append(errs, err)
	}
	add(!f.asServed() && validate.Engine(f.backend) == validate.Reference, "--null-defaulting, --preserve-unknown-fields "+
		"and --scale: the reference does as the API server does")
	add(f.semantics == semanticsNativeTypes && (!f.lines || len(f.crds) > 0 || validate.Engine(f.backend) == validate.Reference),
		"--semantics native-types needs --jsonl, schemas without --crd, and the declarative backend")
	add(f.keps.Preserving == kepwords.PreservingDeep && f.prune == "", "--preserve-unknown-fields is about pruning; add --prune")
	add(f.keps.Proposals && (!f.lines || validate.Engine(f.backend) == validate.Reference),
		"--proposals needs --jsonl and the declarative backend")
	return errors.Join(append(errs, f.Pace.Check("objects"))...)
}

// kepFlag returns the flag of a word in kepwords.Words.
func kepFlag(word string) string {
	return map[string]string{"preserving": "--preserve-unknown-fields", "nulls": "--null-defaulting", "scale": "--scale"}[word]
}

// asServed reports whether objects are prepared and scaled as the API server does.
func (f validateFlags) asServed() bool {
	words := f.keps
	words.Proposals = false
	return words == kepwords.Words{Preserving: kepwords.PreservingOneLevel, Nulls: kepwords.NullsDrop, Scale: kepwords.ScaleAsServed}
}

// validate validates lines or manifests. The error has the exit status.
func (p *program) validate(ctx context.Context, flags validateFlags) error {
	options := validate.Options{
		Engine: validate.Engine(flags.backend), Reference: referenceCompiler(), LeftOut: leftOut, Definitions: flags.crds,
		Finder:   p.schemas(),
		Parallel: flags.Parallel, Timeout: flags.Timeout, Verbose: flags.verbose,
		Warn: func(warnings []plaintext.Text) { terminal.WarnAll(p.Console, warnings) },
	}
	if flags.lines {
		files := p.NewFiles()
		files.Stdout("answers on stdout")
		files.Input("", infile.Stdin)
		if err := files.Check(); err != nil {
			return terminal.Usage(err)
		}
		keps, err := flags.keps.KEPs(kepFlag)
		if err != nil {
			return terminal.Usage(err)
		}
		return p.validateLines(ctx, validate.LinesOptions{
			Options: options, Schema: flags.schema, Version: flags.version, Subresource: flags.subresource,
			Prune: flags.prune != "", ReportDropped: flags.prune == run.PruneReport,
			Default: flags.defaults, KEPs: keps, Native: flags.semantics == semanticsNativeTypes,
		})
	}
	outputs, err := terminal.DocumentOutputs(flags.outputs, validateFormats())
	files := p.NewFiles()
	files.Outputs(outputs)
	files.Schemas("-f", flags.files...)
	files.Schemas("--crd", flags.crds...)
	files.Schemas("--openapi", flags.openAPI...)
	if err := errors.Join(err, files.Check()); err != nil {
		return terminal.Usage(err)
	}
	return p.validateFiles(ctx, outputs, validate.FilesOptions{
		Options: options, Files: flags.files, Builtins: p.validateBuiltins(), OpenAPI: flags.openAPI,
		IgnoreMissing: flags.ignoreMissing, SkipOthers: flags.skipOthers, AllErrors: flags.allErrors,
	})
}

// validateLines answers each line of stdin with a line on stdout.
func (p *program) validateLines(ctx context.Context, options validate.LinesOptions) error {
	lines, err := validate.NewLines(options)
	if err != nil {
		return err
	}
	ctx, stop := terminal.Interruptible(ctx, func() {})
	defer stop()
	result, err := lines.Run(ctx, p.Stdin, p.Stdout.Guarded)
	switch {
	case ctx.Err() != nil:
		return terminal.Exitf(terminal.Interrupted, "interrupted; lines answered: %d", result.Lines)
	case err != nil:
		return err
	case result.Lines == 0:
		return terminal.Exitf(terminal.Mistake, "no line on stdin: nothing was validated")
	case result.Faults > 0:
		return terminal.Exitf(terminal.Fault, "no verdict on %d of %d lines; their \"fault\" says why", result.Faults, result.Lines)
	}
	return nil
}

// validateFormats returns the formats of "diffrun validate -f".
func validateFormats() []string { return append([]string{"text"}, validate.FileFormats()...) }

// validateFiles validates the objects of manifests. A run that validates nothing is never a success.
func (p *program) validateFiles(ctx context.Context, outputs []terminal.Output, options validate.FilesOptions) error {
	p.Judges = true
	var records []validate.FileRecord
	if slices.ContainsFunc(outputs, func(o terminal.Output) bool { return o.Format != "text" }) {
		options.Record = func(record validate.FileRecord) { records = append(records, record) }
	}
	var kept bytes.Buffer // the text, if it goes to a file
	text := p.Stdout.Infallible()
	documents := slices.DeleteFunc(slices.Clone(outputs), func(o terminal.Output) bool { return o == terminal.Output{Format: "text"} })
	switch toFile := slices.ContainsFunc(documents, func(o terminal.Output) bool { return o.Format == "text" }); {
	case len(documents) == len(outputs):
		text = &kept
	case toFile:
		text = io.MultiWriter(text, &kept)
	}
	files, err := validate.NewFiles(options)
	if err != nil {
		return err
	}
	ctx, stop := terminal.Interruptible(ctx, func() {})
	defer stop()
	result, err := files.Run(ctx, p.Stdin, text)
	if err == nil && ctx.Err() == nil {
		err = p.WriteDocuments(ctx, documents, func(format string, w io.Writer) error {
			if format == "text" {
				_, err := w.Write(kept.Bytes())
				return err
			}
			return validate.WriteRecords(w, format, version(), result, records)
		})
	}
	switch {
	case ctx.Err() != nil:
		return terminal.Exitf(terminal.Interrupted, "interrupted; objects validated: %d", result.Objects)
	case err != nil:
		return err
	case result.Objects == 0 && !options.SkipOthers:
		return terminal.Exitf(terminal.Mistake, "the files hold no object: nothing was validated; name manifests of objects "+
			"with apiVersion and kind, or accept this with --skip-others, as hooks need")
	case result.Faults > 0:
		return terminal.Exit(terminal.Fault)
	case result.Invalid > 0:
		return terminal.Exit(terminal.Different)
	case result.Valid == 0 && !options.SkipOthers:
		return terminal.Exitf(terminal.Mistake, "no object has a schema: nothing was validated")
	}
	return nil
}

// validateBuiltins returns the built-in kinds that have schemas.
func (p *program) validateBuiltins() []validate.Builtin {
	var all []validate.Builtin
	for _, name := range slices.Sorted(maps.Keys(p.Builtins)) {
		linked := p.Builtins[name]
		if linked.Natives == nil || linked.Declaratives == nil {
			continue
		}
		all = append(all, validate.Builtin{Kinds: offeredKinds(linked), Target: offeredTarget(linked), Backend: linked.Declaratives})
	}
	return all
}

// offeredTarget returns a function that returns the target of a kind, with the versions that have a
// schema. It is an error if none has.
func offeredTarget(linked cases.Builtin) func(schema.GroupKind) (*harness.Target, error) {
	return func(kind schema.GroupKind) (*harness.Target, error) {
		target, err := linked.Natives.Target(kind)
		if err != nil || linked.Offers == nil {
			return target, err
		}
		some := *target
		some.Versions = nil
		for _, version := range target.Versions {
			if linked.Offers(version.GroupVersionKind) {
				some.Versions = append(some.Versions, version)
			}
		}
		if some.Versions == nil {
			return nil, fmt.Errorf("no version of %s has a schema", kind)
		}
		return &some, nil
	}
}

// offeredKinds returns the kinds of a builtin that have a schema in at least one version.
func offeredKinds(linked cases.Builtin) []schema.GroupKind {
	target := offeredTarget(linked)
	return slices.DeleteFunc(linked.Natives.Kinds(), func(kind schema.GroupKind) bool {
		_, err := target(kind)
		return err != nil
	})
}
