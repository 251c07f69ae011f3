package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/metrics"
	"github.com/diffrun/diffrun/reports"
)

// The values of --prune. Both drop unknown fields; report also lists them.
const (
	PruneDrop   = "drop"
	PruneReport = "report"
)

// OutputOptions are the flags for the reports of a run.
type OutputOptions struct {
	values  []string // of -o
	outputs []terminal.Output
	verbose bool
	prune   string
	// sourceURL is the address of source files that reports link to; empty: that of CI's environment.
	sourceURL string
	// metricsFile is the file that metrics are written to; empty: none.
	metricsFile string
	// Reporter returns the report of a format; nil: reports.New.
	Reporter func(format string, out io.Writer, options reports.Options) (reports.Reporter, error)
}

// reporter returns the report of a format.
func (o *OutputOptions) reporter(format string, out io.Writer, options reports.Options) (reports.Reporter, error) {
	if o.Reporter != nil {
		return o.Reporter(format, out, options)
	}
	return reports.New(format, out, options)
}

// AddFlags adds -o, --verbose and --prune.
func (o *OutputOptions) AddFlags(set *pflag.FlagSet) {
	set.StringArrayVarP(&o.values, "output", "o", []string{"text"},
		"report to write, as FORMAT or FORMAT=FILE; may be repeated ("+strings.Join(reports.Formats(), ", ")+")")
	terminal.AcceptWords(set, "output", reports.Formats())
	set.BoolVarP(&o.verbose, "verbose", "v", false, "list accepted differences and versions that cannot express a case, too")
	set.StringVar(&o.sourceURL, "source-url", "", "address of source files with {file} and {line}, to which html and markdown "+
		"link; GitHub, GitLab and Prow set it by their environment: https://github.com/OWNER/NAME/blob/COMMIT/{file}#L{line}")
	set.StringVar(&o.prune, "prune", PruneDrop, "report: list the fields that were pruned for every case")
}

// Parse parses the values of -o.
func (o *OutputOptions) Parse() (err error) {
	o.outputs, err = terminal.ParseOutputs(o.values, func(format string) error {
		_, err := reports.New(format, io.Discard, reports.Options{})
		return err
	})
	return errors.Join(err, checkSourceURL(o.sourceURL))
}

// linked returns a reporter whose links use --source-url instead of what the run recorded.
func (o *OutputOptions) linked(to reports.Reporter) reports.Reporter {
	if o.sourceURL == "" {
		return to
	}
	return linkedReporter{to, o.sourceURL}
}

// linkedReporter replaces the address of source files.
type linkedReporter struct {
	reports.Reporter
	sourceURL string
}

func (r linkedReporter) Begin(header reports.Header) error {
	header.Origin.SourceURL = r.sourceURL
	return r.Reporter.Begin(header)
}

// Files returns the files that are written.
func (o *OutputOptions) Files(c *terminal.Console) *terminal.Files {
	files := c.NewFiles()
	files.Outputs(o.outputs)
	files.Output("--metrics-file "+o.metricsFile, o.metricsFile)
	return files
}

// writesFiles reports whether a report or the metrics go to a file.
func (o *OutputOptions) writesFiles() bool {
	return o.metricsFile != "" || slices.ContainsFunc(o.outputs, func(out terminal.Output) bool { return out.File != "" })
}

// describesOrigin reports whether a format shows or records where the run comes from.
func (o *OutputOptions) describesOrigin() bool {
	return slices.ContainsFunc(o.outputs, func(out terminal.Output) bool { return out.Format != "text" })
}

// recordFile returns the file of the first report that diffrun merge can read, or "".
func (o *OutputOptions) recordFile() string {
	for _, out := range o.outputs {
		if (out.Format == "json" || out.Format == "jsonl") && out.File != "" {
			return out.File
		}
	}
	return ""
}

// outputs are the reports and metrics that are being written.
type outputs struct {
	reporter    reports.Reporter
	files       terminal.OutputFiles
	stdout      *stdoutReport        // nil: no report goes to stdout
	metricsFile *terminal.OutputFile // nil: metrics go to no file
}

// open opens all outputs. The report on stdout is written to shown, which keeps clear of the progress
// bar. Files that cannot be written are found now, all of them.
func (o *outputs) open(ctx context.Context, options *OutputOptions, stdout *terminal.Terminal, shown io.Writer) error {
	var all []reports.Reporter
	var errs []error
	for _, out := range options.outputs {
		format := reports.Options{Verbose: options.verbose, Pruned: options.prune == PruneReport}
		writer := shown
		if out.File == "" {
			format.Color, format.Width = stdout.Colorful(), stdout.Width()
			o.stdout = &stdoutReport{out: shown, format: out.Format}
			writer = o.stdout
		} else {
			file, err := o.files.Open(ctx, out)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			writer = file
		}
		reporter, err := options.reporter(out.Format, writer, format)
		errs = append(errs, err)
		all = append(all, reporter)
	}
	if name := options.metricsFile; name != "" {
		file, err := o.files.OpenFile(ctx, "--metrics-file "+name, name)
		errs = append(errs, err)
		o.metricsFile = file
	}
	if err := errors.Join(errs...); err != nil {
		return errors.Join(err, o.files.Discard())
	}
	o.reporter = joined(all)
	return nil
}

// close writes the metrics and installs the files.
func (o *outputs) close(m *metrics.Metrics) error {
	if o.metricsFile != nil {
		o.metricsFile.Fail(m.Write(o.metricsFile))
	}
	return o.files.Close()
}

// stdoutReport writes a report to stdout. A closed pipe or a full disk there must not end the run:
// reports in files are still written, and the exit status is that of the run.
type stdoutReport struct {
	out    io.Writer
	format string
	failed error
}

func (r *stdoutReport) Write(text []byte) (int, error) {
	if r.failed == nil {
		_, r.failed = r.out.Write(text)
	}
	return len(text), nil
}

// err returns the error of writing.
func (r *stdoutReport) err() error {
	if r == nil || r.failed == nil {
		return nil
	}
	return fmt.Errorf("-o %s was not written to stdout: %w", r.format, infile.Cause(r.failed))
}
