package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/jsonwords"
	"github.com/diffrun/diffrun/internal/plaintext"
)

// Play sends a recorded run, in the format json or jsonl, to a reporter. It holds one result at a
// time. It returns an error if the input is not such a report or is incomplete, or the error of
// the reporter.
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
	// sides names the backends of the run.
	sides harness.Sides
	ended *Footer
}

// object reads one object.
func (p *player) object() error {
	if start, err := p.token(); err != nil {
		return err
	} else if start != json.Delim('{') {
		return noReport(errors.New("an object is wanted"))
	}
	parts := map[string]json.RawMessage{}
	for p.decoder.More() {
		key, err := p.token()
		if err != nil {
			return err
		}
		if key == "results" {
			if err := p.document(parts); err != nil {
				return err
			}
			continue
		}
		var value json.RawMessage
		if err := p.decode(&value); err != nil {
			return err
		}
		parts[key.(string)] = value
	}
	if _, err := p.token(); err != nil { // the end of the object
		return err
	}
	return p.part(parts)
}

// document reads the results of a document. before has the parts that came before them.
func (p *player) document(before map[string]json.RawMessage) error {
	if err := p.part(before); err != nil {
		return err
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
		var result resultObject
		if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, &result); err != nil {
			return noReport(jsonwords.Of(err, "a result"))
		}
		if err := p.result(result); err != nil {
			return err
		}
	}
	_, err := p.token() // the end of the list
	return err
}

// part handles the header, a result, the footer, or several of them. The keys "tool", "case" and
// "summary" distinguish them.
func (p *player) part(parts map[string]json.RawMessage) error {
	raw, err := plaintext.JSON(parts)
	if err != nil {
		return err
	}
	var header headerObject
	var result resultObject
	var footer footerObject
	for _, part := range []struct {
		key  string
		into any
		take func() error
	}{
		{"tool", &header, func() error { return p.begin(header) }},
		{"case", &result, func() error { return p.result(result) }},
		{"summary", &footer, func() error { p.ended = new(footer.footer()); return nil }},
	} {
		if parts[part.key] == nil {
			continue
		}
		if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, part.into); err != nil {
			return noReport(jsonwords.Of(err, "it"))
		}
		if err := part.take(); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) begin(header headerObject) error {
	if p.began {
		return nil // the key stands before the results, and the object is read again at its end
	}
	if err := header.check(); err != nil {
		return noReport(err)
	}
	p.began = true
	p.sides = header.header().sides()
	if err := p.to.Begin(header.header()); err != nil {
		return err
	}
	for _, result := range p.early {
		if err := p.to.Result(result); err != nil {
			return err
		}
	}
	p.early = nil
	return nil
}

func (p *player) result(object resultObject) error {
	result, err := object.result()
	if err != nil {
		return err
	}
	p.last.share(&result)
	if !p.began {
		p.early = append(p.early, result)
		return nil
	}
	return p.to.Result(result)
}

// end reports the footer. A report without a footer was cut short.
func (p *player) end() error {
	if p.ended == nil || !p.began {
		return errCutShort
	}
	p.ended.Summary.Sides = p.sides
	return p.to.End(*p.ended)
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
		return noReport(jsonwords.Of(err, "it"))
	}
	return err
}

func noReport(err error) error {
	return fmt.Errorf("this is not a report of diffrun; write one with -o json or -o jsonl: %w", err)
}
