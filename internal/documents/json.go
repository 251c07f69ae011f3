package documents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"
	"unicode/utf8"

	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/jsonwords"
)

// JSON gives the objects of JSON documents.
func JSON(data []byte) iter.Seq[Document] {
	data = withoutMark(data)
	return func(yield func(Document) bool) {
		stopped := false
		give := func(offset int64, raw []byte, err error) bool {
			rest := bytes.TrimLeft(data[offset:], ", \t\r\n")
			document := Document{Line: 1 + bytes.Count(data[:len(data)-len(rest)], []byte("\n")), Err: err}
			if err == nil {
				document.Object, document.Err = parseObject(raw)
			}
			if document.Err == nil {
				document.places = sync.OnceValue(func() *place { return placesOf(raw, document.Line) })
			}
			stopped = !yield(document)
			return !stopped
		}
		in := json.NewDecoder(bytes.NewReader(data))
		for !stopped {
			offset := in.InputOffset()
			var raw json.RawMessage
			err := in.Decode(&raw)
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				give(offset, nil, fmt.Errorf("the document that begins here is not JSON: %w", jsonwords.Of(err, "the document")))
				return
			case string(raw) == "null":
				continue // no document, as for kubectl
			}
			eachItem(raw, in.InputOffset()-int64(len(raw)), give)
		}
	}
}

// eachItem gives the items of a list, or else the document itself. It reads
// valid JSON; offset is where in the file that begins.
func eachItem(raw []byte, offset int64, give func(offset int64, raw []byte, err error) bool) {
	in := json.NewDecoder(bytes.NewReader(raw))
	if token, err := in.Token(); err != nil || token != json.Delim('{') {
		give(offset, raw, nil)
		return
	}
	for in.More() {
		key, _ := in.Token()
		if key == "items" && bytes.HasPrefix(bytes.TrimLeft(raw[in.InputOffset():], ": \t\r\n"), []byte("[")) {
			_, _ = in.Token() // the bracket
			for in.More() {
				at := offset + in.InputOffset()
				var item json.RawMessage
				if err := in.Decode(&item); err != nil || !give(at, item, nil) {
					return
				}
			}
			return
		}
		var passed json.RawMessage
		if err := in.Decode(&passed); err != nil {
			break
		}
	}
	give(offset, raw, nil)
}

// parseObject reads JSON as one object.
func parseObject(raw []byte) (map[string]any, error) {
	if !utf8.Valid(raw) {
		return nil, errors.New("the object is not UTF-8")
	}
	var object map[string]any
	duplicates, err := kjson.UnmarshalStrict(raw, &object)
	if err != nil {
		if bytes.HasPrefix(raw, []byte("[")) {
			return nil, errors.New("a list, which is not an object; put it under \"items\" of an object of kind List")
		}
		return nil, fmt.Errorf("no JSON object: %w", jsonwords.In(raw, err, "the document"))
	}
	if object == nil {
		return nil, errors.New("no JSON object but null")
	}
	return object, InOneLine(duplicates)
}

// InOneLine joins errors with semicolons, for places that have one line for the
// fault of a case; nil where there are none.
func InOneLine(errs []error) error {
	texts := make([]string, len(errs))
	for i, err := range errs {
		texts[i] = err.Error()
	}
	if len(texts) == 0 {
		return nil
	}
	return errors.New(strings.Join(texts, "; "))
}

// placesOf gives the places in valid JSON that begins at a line.
func placesOf(raw []byte, line int) *place {
	p := &placer{in: json.NewDecoder(bytes.NewReader(raw)), raw: raw, line: line}
	first, _ := p.next()
	return p.value(first, line)
}

// placer reads JSON token by token and counts lines.
type placer struct {
	in     *json.Decoder
	raw    []byte
	offset int64 // up to where lines were counted
	line   int
}

// next reads a token and gives the line on which it ends: a token of JSON has
// no line break inside.
func (p *placer) next() (json.Token, int) {
	token, err := p.in.Token()
	if err != nil {
		panic(fmt.Sprintf("documents: JSON that was read before cannot be read: %v", err))
	}
	p.line += bytes.Count(p.raw[p.offset:p.in.InputOffset()], []byte("\n"))
	p.offset = p.in.InputOffset()
	return token, p.line
}

// value reads what follows the first token of a value. An entry of an object
// stands at the line of its key.
func (p *placer) value(first json.Token, line int) *place {
	here := &place{line: line}
	switch first {
	case json.Delim('{'):
		here.members = map[string]*place{}
		for p.in.More() {
			key, at := p.next()
			first, _ := p.next()
			here.members[key.(string)] = p.value(first, at)
		}
		p.next()
	case json.Delim('['):
		for p.in.More() {
			first, at := p.next()
			here.items = append(here.items, p.value(first, at))
		}
		p.next()
	}
	return here
}
