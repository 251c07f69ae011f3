package validate

import (
	"context"
	"io"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/internal/parallel"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// LinesOptions are the options of Lines.
type LinesOptions struct {
	Options
	// Schema is a file with the OpenAPI v3 schema for lines without one. If it is empty, the
	// schemas of Definitions are used.
	Schema string
	// Version is the version of Definitions to use. The default is that of each object.
	Version string
	// Subresource is the subresource of lines that name none: "", "status" or "scale".
	Subresource string
	// Prune drops unknown fields before an object is validated. ReportDropped adds them to the
	// answer. Default sets the defaults of the schema.
	Prune, ReportDropped, Default bool
	// KEPs are the behaviours to implement as the KEPs propose them. The reference engine behaves
	// like the API server.
	KEPs apiresource.KEPs
	// Native treats schemas without a resource as those of native types: errors and rules follow
	// KEP-4153 (declarative.NativeTypes).
	Native bool
}

// Lines validates lines of JSON for programs. Each line has an object, and may have its schema.
type Lines struct {
	options  LinesOptions
	fallback lineSchema // nil: every line must have a schema
	cache    *schemaCache
}

// LinesResult has the numbers of answered lines, and of lines without a verdict.
type LinesResult struct{ Lines, Faults int }

// NewLines reads and compiles the schemas of the options. The error is a strictyaml.Mistakes if files have
// mistakes.
func NewLines(options LinesOptions) (*Lines, error) {
	fallback, err := newLineSchema(&options)
	if err != nil {
		return nil, err
	}
	return &Lines{options: options, fallback: fallback, cache: newSchemaCache(options.compiler())}, nil
}

// compiler returns the compiler of schemas for the options.
func (o *LinesOptions) compiler() compiler {
	return compiler{
		engine:    o.Engine,
		reference: o.Reference,
		native:    o.Native,
		reading:   reading{prune: o.Prune, defaults: o.Default, keps: o.KEPs},
	}
}

// Run writes an answer to out for each line of in, in the same order. It stops with an error of reading or
// writing, or the cause of ctx. The result then counts what was written so far.
func (l *Lines) Run(ctx context.Context, in io.Reader, out io.Writer) (LinesResult, error) {
	writer := &answerWriter{out: plaintext.NewPrinter(out)}
	queue := parallel.Queue[[]line, answers]{
		Parallel: l.options.Parallel,
		Do:       func(ctx context.Context, batch []line) (answers, error) { return l.answers(ctx, batch), nil },
		Take:     writer.write,
		Idle:     writer.out.Flush,
		Abandon:  true,
	}
	err := writer.out.FlushAfter(queue.Run(ctx, readLines(in)))
	return writer.result, err
}
