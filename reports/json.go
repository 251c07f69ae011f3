package reports

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/checksum"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/document"
)

// jsonDocument writes one JSON object for a run. It writes each result when it comes; End closes
// the object.
type jsonDocument struct {
	out     io.Writer
	results int
	encoder runEncoder
}

func newJSON(w io.Writer, _ Options) Reporter { return &jsonDocument{out: w} }

func (j *jsonDocument) Begin(header Header) error {
	opening, err := j.encoder.header(header)
	if err != nil {
		return fmt.Errorf("writing the JSON report: %w", err)
	}
	return j.write(string(opening[:len(opening)-1]), ",\n\"results\":[\n")
}

func (j *jsonDocument) Result(r harness.Result) error {
	result, err := j.encoder.result(r)
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
	closing, err := j.encoder.footer(footer)
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
type jsonLines struct {
	out     io.Writer
	encoder runEncoder
}

func newJSONLines(w io.Writer, _ Options) Reporter { return &jsonLines{out: w} }

func (j *jsonLines) Begin(header Header) error { return j.line(j.encoder.header(header)) }

func (j *jsonLines) Result(r harness.Result) error { return j.line(j.encoder.result(r)) }

func (j *jsonLines) End(footer Footer) error { return j.line(j.encoder.footer(footer)) }

func (j *jsonLines) line(encoded []byte, err error) error {
	if err != nil {
		return fmt.Errorf("writing the report of JSON lines: %w", err)
	}
	return write(j.out, "JSON lines", string(encoded), "\n")
}

// runEncoder encodes the parts of a run, and adds their checksum to the footer.
type runEncoder struct{ summer checksum.Summer }

func (e *runEncoder) header(header Header) ([]byte, error) { return e.rest(newHeaderObject(header)) }

func (e *runEncoder) result(r harness.Result) ([]byte, error) {
	encoded, err := plaintext.JSON(document.New(r))
	if err != nil {
		return nil, err
	}
	return encoded, e.summer.Result(encoded)
}

func (e *runEncoder) footer(footer Footer) ([]byte, error) {
	object := newFooterObject(footer)
	if _, err := e.rest(object); err != nil {
		return nil, err
	}
	sum, err := e.summer.Sum()
	if err != nil {
		return nil, err
	}
	object.Checksum = &sum
	return plaintext.JSON(object)
}

// rest encodes a header or a footer.
func (e *runEncoder) rest(object any) ([]byte, error) {
	encoded, err := plaintext.JSON(object)
	if err != nil {
		return nil, err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(encoded, &keys); err != nil {
		return nil, err
	}
	return encoded, e.summer.Rest(keys)
}
