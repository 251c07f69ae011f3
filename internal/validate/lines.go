package validate

import (
	"context"
	"io"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/internal/parallel"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// LinesOptions say how Lines validates.
type LinesOptions struct {
	Options
	// Schema is a file with the OpenAPI v3 schema of lines that have none. Empty: the
	// schemas of Definitions are taken, if there are any.
	Schema string
	// Version is the version of Definitions that validates. Empty: the apiVersion and
	// kind of each object say it.
	Version string
	// Subresource is that of lines that name none: "", "status" or "scale".
	Subresource string
	// Prune drops unknown fields before an object is validated, ReportDropped names them
	// in the answer, and Default fills in the defaults of the schema.
	Prune, ReportDropped, Default bool
	// KEPs says what is done as the KEPs propose it. The reference engine does it as the API
	// server does.
	KEPs customresource.KEPs
	// Native takes schemas that stand alone for those of native types: errors and rules are as
	// KEP-4153 says (declarative.NativeTypes).
	Native bool
}

// Lines validates a stream of lines for programs. Each line of JSON has an object, and may
// have its schema.
type Lines struct {
	options  LinesOptions
	fallback lineSchema // nil: every line must have a schema
	cache    *schemaCache
}

// LinesResult counts the lines that were answered, and those without a verdict.
type LinesResult struct{ Lines, Faults int }

// NewLines reads and compiles the schemas that the options name. The error is a
// strictyaml.Mistakes if files are wrong.
func NewLines(options LinesOptions) (*Lines, error) {
	fallback, err := newLineSchema(&options)
	if err != nil {
		return nil, err
	}
	return &Lines{options: options, fallback: fallback, cache: newSchemaCache(options.compiler())}, nil
}

// compiler gives what compiles schemas as the options say.
func (o *LinesOptions) compiler() compiler {
	return compiler{engine: o.Engine, native: o.Native, reading: reading{prune: o.Prune, defaults: o.Default, keps: o.KEPs}}
}

// Run answers each line of in with a line on out, in the same order. The result counts
// what was written, also if an error ended the run: of reading, of writing, or the cause
// of ctx.
func (l *Lines) Run(ctx context.Context, in io.Reader, out io.Writer) (LinesResult, error) {
	writer := &answerWriter{out: plaintext.NewPrinter(out)}
	queue := parallel.Queue[line, lineAnswer]{
		Parallel: l.options.Parallel,
		Do: func(ctx context.Context, next line) (lineAnswer, error) {
			return l.answer(ctx, next), context.Cause(ctx) // which may have cut it short
		},
		Take:    writer.write,
		Idle:    writer.out.Flush,
		Abandon: true,
	}
	err := writer.out.FlushAfter(queue.Run(ctx, readLines(in)))
	return writer.result, err
}
