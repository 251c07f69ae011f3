package reports

import (
	"fmt"
	"io"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/plaintext"
)

// jsonDocument writes one JSON object for a run. It writes each result when it comes; End closes
// the object.
type jsonDocument struct {
	out     io.Writer
	results int
}

func newJSON(w io.Writer, _ Options) Reporter { return &jsonDocument{out: w} }

func (j *jsonDocument) Begin(header Header) error {
	opening, err := plaintext.JSON(newHeaderObject(header))
	if err != nil {
		return fmt.Errorf("writing the JSON report: %w", err)
	}
	return j.write(string(opening[:len(opening)-1]), ",\n\"results\":[\n")
}

func (j *jsonDocument) Result(r harness.Result) error {
	result, err := plaintext.JSON(newResultObject(r))
	if err != nil {
		return fmt.Errorf("writing case %s to the JSON report: %w", r.Case.ID, err)
	}
	separator := ",\n"
	if j.results == 0 {
		separator = ""
	}
	j.results++
	return j.write(separator, string(result))
}

func (j *jsonDocument) End(footer Footer) error {
	closing, err := plaintext.JSON(newFooterObject(footer))
	if err != nil {
		return fmt.Errorf("writing the JSON report: %w", err)
	}
	return j.write("\n],\n", string(closing[1:]), "\n")
}

func (j *jsonDocument) write(parts ...string) error {
	return write(j.out, "JSON", parts...)
}

// jsonLines writes one line for the header, one for each result, and one for the footer. The keys
// "tool", "case" and "summary" distinguish them.
type jsonLines struct{ out io.Writer }

func newJSONLines(w io.Writer, _ Options) Reporter { return &jsonLines{out: w} }

func (j *jsonLines) Begin(header Header) error { return j.line(newHeaderObject(header)) }

func (j *jsonLines) Result(r harness.Result) error { return j.line(newResultObject(r)) }

func (j *jsonLines) End(footer Footer) error { return j.line(newFooterObject(footer)) }

func (j *jsonLines) line(object any) error {
	encoded, err := plaintext.JSON(object)
	if err != nil {
		return fmt.Errorf("writing the report of JSON lines: %w", err)
	}
	return write(j.out, "JSON lines", string(encoded), "\n")
}
