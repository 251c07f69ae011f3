package validate

import (
	"context"
	"io"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/skipped"
	"github.com/diffrun/diffrun/internal/parallel"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// stdinName is the name of standard input in messages.
const stdinName = "stdin"

// FilesOptions are the options of Files.
type FilesOptions struct {
	Options
	// Files are manifests, directories that are searched for manifests, or infile.Stdin.
	Files []string
	// Builtins are the kinds that need no CustomResourceDefinition. Only the declarative
	// engine has them.
	Builtins []Builtin
	// OpenAPI are files or directories with OpenAPI v3 documents of an API server. Their
	// schemas are for kinds that have no other. Only the declarative engine has them.
	OpenAPI []string
	// IgnoreMissing counts objects whose kind has no schema instead of reporting them.
	IgnoreMissing bool
	// SkipOthers skips templates of charts and patches of kustomizations, which are not objects as they are sent, and files
	// that cannot be read and do not look like manifests.
	SkipOthers bool
	// Record is called with each object in the order of the files. Optional.
	Record func(FileRecord)
	// AllErrors writes all errors of an object, not only the first ones.
	AllErrors bool
}

// Files validates the objects of manifests as the API server does for kubectl apply.
type Files struct {
	options FilesOptions
	files   []manifest
	kinds   *kinds
}

// FilesResult has numbers of objects. Faults are objects without a verdict, and Skipped are objects that
// have no schema and need none. SkippedFiles is a number of files, which have no object.
type FilesResult struct{ Objects, Valid, Invalid, Faults, Skipped, SkippedFiles int }

// NewFiles finds the files and compiles the CustomResourceDefinitions of the options. The error is a
// strictyaml.Mistakes if files have mistakes.
func NewFiles(options FilesOptions) (*Files, error) {
	files, err := findManifests(&options)
	if err != nil {
		return nil, err
	}
	kinds, err := newKinds(&options)
	if err != nil {
		return nil, err
	}
	return &Files{options, files, kinds}, nil
}

// Run writes each error of each object as a line, in the order of the files, and a summary. It stops with
// an error of reading or writing, or the cause of ctx. The result then counts what was written so far.
func (f *Files) Run(ctx context.Context, stdin io.Reader, out io.Writer) (FilesResult, error) {
	report := &fileReport{out: plaintext.NewPrinter(out), options: &f.options, builtin: f.kinds.builtinNames(), files: map[string]bool{}}
	queue := parallel.Queue[fileObject, fileOutcome]{
		Parallel: f.options.Parallel,
		Do: func(ctx context.Context, o fileObject) (fileOutcome, error) {
			return f.kinds.check(ctx, o, f.options.Timeout), context.Cause(ctx) // which may have cut it short
		},
		Take:    report.take,
		Idle:    report.out.Flush,
		Abandon: true,
	}
	files, failed := readOnce(ctx, f.files, stdin)
	if failed == nil {
		f.kinds.apply(files, &f.options.Options)
		failed = queue.Run(ctx, readManifests(files))
	}
	if failed == nil {
		report.end()
	}
	return report.result, report.out.FlushAfter(failed)
}

// fileObject is an object of a manifest.
type fileObject struct {
	file     string
	document documents.Document
	// passed: this is not an object, but a file that is skipped.
	passed skipped.Reason
}

// fileOutcome is the result for an object. With a fault or missing, the rest is empty.
type fileOutcome struct {
	fileObject
	errors  field.ErrorList
	fault   error
	missing bool // there is no schema of its kind
}
