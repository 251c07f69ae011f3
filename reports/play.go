package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/files/checksum"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/document"
)

// Play sends a recorded run, in the format json or jsonl, to a reporter. It holds one result at a
// time. It returns an error if the input is not such a report, is incomplete, or does not have the
// checksum that its footer records; or the error of the reporter. The checksum is known at the
// end: End of the reporter is called only if it matches.
//
// Objects and stacks of panics are not recorded.
func Play(r io.Reader, to Reporter) error {
	p := player{decoder: json.NewDecoder(withoutMark(r)), to: to}
	for {
		err := p.object()
		switch {
		case errors.Is(err, io.EOF):
			return p.end()
		case errors.Is(err, io.ErrUnexpectedEOF):
			return errCutShort
		case err != nil:
			return err
		}
	}
}

// player reads the objects of a report: one object, or one on each line.
type player struct {
	decoder *json.Decoder
	to      Reporter
	last    recordedCase
	began   bool
	// early are results before the header. A program may have sorted the keys of the document.
	early []harness.Result
	// sides names the backends of the run, and called are the names of the sides of each suite for people.
	sides  harness.Sides
	called map[string]contract.SideNames
	ended  *Footer
	// summer computes the checksum of what is read; recorded is that of the footer.
	summer   checksum.Summer
	recorded *checksum.Sum
}

// object reads one object.
func (p *player) object() error {
	if start, err := p.token(); err != nil {
		return err
	} else if start != json.Delim('{') {
		return noReport(errors.New("an object is expected"))
	}
	parts, isDocument := map[string]json.RawMessage{}, false
	for p.decoder.More() {
		token, err := p.token()
		if err != nil {
			return err
		}
		key := token.(string) // the decoder returns keys as strings
		if parts[key] != nil || key == resultsKey && isDocument {
			return noReport(fmt.Errorf("the key %q occurs twice", key))
		}
		if key == resultsKey {
			isDocument = true
			if err := p.document(parts); err != nil {
				return err
			}
			continue
		}
		var value json.RawMessage
		if err := p.decode(&value); err != nil {
			return err
		}
		parts[key] = value
	}
	if _, err := p.token(); err != nil { // the end of the object
		return err
	}
	switch {
	case parts["case"] != nil:
		return p.line(parts)
	case p.ended != nil:
		return errAfterFooter
	}
	if err := p.summer.Rest(parts); err != nil {
		return noReport(fmt.Errorf("%w; a file has one report, so write each to its own file", err))
	}
	return p.rest(parts)
}

// resultsKey is the key of the results in a document.
const resultsKey = "results"

// errAfterFooter is the error if something follows the end of a report.
var errAfterFooter = noReport(errors.New("something follows the footer; a file has one report, and the footer ends it"))

// document reads the results of a document. before has the parts that came before them.
func (p *player) document(before map[string]json.RawMessage) error {
	if p.began || p.ended != nil || len(p.early) > 0 {
		return noReport(errors.New("a list of results follows other lines; a file has one report, so write each to its own file"))
	}
	if before["tool"] != nil {
		if err := p.begin(before); err != nil {
			return err
		}
	}
	if start, err := p.token(); err != nil {
		return err
	} else if start != json.Delim('[') {
		return noReport(errors.New("results must be a list"))
	}
	for p.decoder.More() {
		var raw json.RawMessage
		if err := p.decode(&raw); err != nil {
			return err
		}
		if err := p.result(raw, "a result"); err != nil {
			return err
		}
	}
	_, err := p.token() // the end of the list
	return err
}

// line handles a line that has a result.
func (p *player) line(parts map[string]json.RawMessage) error {
	if p.ended != nil {
		return errAfterFooter
	}
	raw, err := plaintext.JSON(parts)
	if err != nil {
		return err
	}
	return p.result(raw, "it")
}

// rest handles the header, the footer, or both. The keys "tool" and "summary" distinguish them.
func (p *player) rest(parts map[string]json.RawMessage) error {
	if parts["tool"] == nil && parts["summary"] == nil {
		return noReport(errors.New(`an object is neither a header ("tool"), a result ("case") nor a footer ("summary")`))
	}
	if parts["tool"] != nil && !p.began { // it may have come before the results
		if err := p.begin(parts); err != nil {
			return err
		}
	}
	if parts["summary"] == nil {
		return nil
	}
	var footer footerObject
	if err := p.read(parts, &footer); err != nil {
		return err
	}
	p.ended, p.recorded = new(footer.footer()), footer.Checksum
	return nil
}

// read reads a part of the keys of an object.
func (p *player) read(parts map[string]json.RawMessage, into any) error {
	raw, err := plaintext.JSON(parts)
	if err != nil {
		return err
	}
	return strictly(raw, into, "it")
}

// strictly decodes JSON. Keys are case-sensitive and unique; unknown ones are accepted, because a
// later version may add some.
func strictly(raw []byte, into any, what string) error {
	twice, err := kjson.UnmarshalStrict(raw, into, kjson.DisallowDuplicateFields)
	if err == nil {
		err = errors.Join(twice...)
	}
	if err != nil {
		return noReport(jsonerrors.Of(err, what))
	}
	return nil
}

func (p *player) begin(parts map[string]json.RawMessage) error {
	var read headerObject
	if err := p.read(parts, &read); err != nil {
		return err
	}
	if err := read.check(); err != nil {
		return noReport(err)
	}
	p.began = true
	header := read.header()
	p.sides, p.called = header.sides(), map[string]contract.SideNames{}
	for _, suite := range header.Suites {
		p.called[suite.Name] = suite.Compared.Called
	}
	if err := p.to.Begin(header); err != nil {
		return err
	}
	for _, result := range p.early {
		if err := p.report(result); err != nil {
			return err
		}
	}
	p.early = nil
	return nil
}

func (p *player) result(raw []byte, what string) error {
	var object document.Result
	if err := strictly(raw, &object, what); err != nil {
		return err
	}
	if err := p.summer.Result(raw); err != nil {
		return noReport(err)
	}
	result, err := object.Decode()
	if err != nil {
		return err
	}
	p.last.share(&result)
	if !p.began {
		p.early = append(p.early, result)
		return nil
	}
	return p.report(result)
}

// report passes on a result, with the names of the sides of its suite.
func (p *player) report(result harness.Result) error {
	result.Sides.Called = p.called[result.Suite]
	return p.to.Result(result)
}

// end reports the footer. A report without a footer was cut short.
func (p *player) end() error {
	if p.ended == nil || !p.began {
		return errCutShort
	}
	if err := p.check(); err != nil {
		return err
	}
	p.ended.Summary.Sides, p.ended.Checksum = p.sides, p.recorded.SHA256
	return p.to.End(*p.ended)
}

// check compares the report with the checksum in its footer.
func (p *player) check() error {
	found, err := p.summer.Sum()
	switch {
	case err != nil:
		return noReport(err)
	case p.recorded == nil:
		return errors.New("this report has no checksum, so it may be incomplete: an older release of diffrun wrote it, " +
			"or it was changed; run again with this release")
	case p.recorded.Results != found.Results:
		return fmt.Errorf("this is not the report that diffrun wrote: it has %d results, but its footer counts %d; "+
			"lines were deleted, repeated or added, so run again", found.Results, p.recorded.Results)
	case *p.recorded != found:
		return errors.New("this is not the report that diffrun wrote: its checksum does not match, because a line was edited, " +
			"moved or replaced; run again")
	}
	return nil
}

func (p *player) token() (json.Token, error) {
	token, err := p.decoder.Token()
	return token, unreadable(err)
}

func (p *player) decode(value *json.RawMessage) error {
	return unreadable(p.decoder.Decode(value))
}

// unreadable returns the error for text that is not JSON. It distinguishes an early end from a
// syntax error.
func unreadable(err error) error {
	syntax := (*json.SyntaxError)(nil)
	if errors.As(err, &syntax) {
		return noReport(jsonerrors.Of(err, "it"))
	}
	return err
}

func noReport(err error) error {
	return fmt.Errorf("this is not a report of diffrun; write one with -o json or -o jsonl: %w", err)
}

// recordedCase finds the results of one case, because reporters identify cases by their pointers.
type recordedCase struct {
	of    harness.Result
	known map[schema.GroupVersionKind]bool // the versions of the case so far
}

// share sets the case of a result to the previous one if it is the same case in another version.
func (c *recordedCase) share(r *harness.Result) {
	last := c.of.Case
	if last != nil && !c.known[r.Version] && c.of.Suite == r.Suite && last.ID == r.Case.ID && last.Number == r.Case.Number &&
		last.Source == r.Case.Source &&
		last.Why == r.Case.Why && last.Subresource == r.Case.Subresource && last.Operation() == r.Case.Operation() {
		r.Case = last
	} else {
		c.known = map[schema.GroupVersionKind]bool{}
	}
	c.known[r.Version] = true
	c.of = *r
}
