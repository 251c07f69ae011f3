package documents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// jsonOrYAML returns the objects of JSON documents. If one of the first two cannot be decoded, the rest may be YAML documents.
func jsonOrYAML(file string, data []byte) iter.Seq[Document] {
	data = withoutMark(data)
	return func(yield func(Document) bool) {
		found := finder{data: data, yield: yield}
		in := json.NewDecoder(bytes.NewReader(data))
		for count := 0; !found.stopped; count++ {
			offset := in.InputOffset()
			var raw json.RawMessage
			err := in.Decode(&raw)
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				if count <= 1 {
					line := 1 + bytes.Count(data[:offset], []byte("\n"))
					rest := slices.Collect(yamlFrom(file, data[offset:], line))
					if len(rest) == 0 || !isNotYAML(rest[0].Err) { // otherwise it is JSON with a mistake
						slices.Values(rest)(yield)
						return
					}
				}
				found.give(offset, nil, itemType{},
					fmt.Errorf("the document that begins here is not JSON: %w", jsonerrors.Of(err, "the document")))
				return
			case string(raw) == "null":
				continue // no document, as for kubectl
			}
			found.objects(in.InputOffset()-int64(len(raw)), raw, itemType{})
		}
	}
}

// finder finds the objects in a file of JSON.
type finder struct {
	data    []byte
	yield   func(Document) bool
	stopped bool
}

// objects returns the items of a list, at any depth, or the document itself. raw is valid JSON at an
// offset of the file.
func (f *finder) objects(offset int64, raw []byte, of itemType) {
	if items, begin := itemsOf(raw); items != nil {
		var list struct{ APIVersion, Kind any }
		_ = json.Unmarshal(raw, &list) // it is valid
		inside := newItemType(list.APIVersion, list.Kind)
		in := json.NewDecoder(bytes.NewReader(items))
		_, _ = in.Token() // the bracket, or null
		for in.More() && !f.stopped {
			var item json.RawMessage
			if in.Decode(&item) != nil {
				return // null has no items
			}
			f.objects(offset+begin+in.InputOffset()-int64(len(item)), item, inside)
		}
		return
	}
	f.give(offset, raw, of, nil)
}

// give returns the document at an offset of the file, or after it.
func (f *finder) give(offset int64, raw []byte, of itemType, err error) {
	rest := bytes.TrimLeft(f.data[offset:], ", \t\r\n")
	document := Document{Line: 1 + bytes.Count(f.data[:len(f.data)-len(rest)], []byte("\n")), Err: err}
	if err == nil {
		document.Object, document.Err = parseObject(raw)
	}
	if document.Err == nil {
		document.places = sync.OnceValue(func() *place { return placesOf(raw, document.Line) })
	}
	of.fill(document.Object)
	f.stopped = !f.yield(document)
}

// itemsOf returns the items of a list, an array or null, and their offset. They are nil if it is not a
// list.
func itemsOf(raw []byte) (items []byte, begin int64) {
	in := json.NewDecoder(bytes.NewReader(raw))
	if token, err := in.Token(); err != nil || token != json.Delim('{') {
		return nil, 0
	}
	for in.More() {
		key, _ := in.Token()
		var value json.RawMessage
		if in.Decode(&value) != nil {
			break
		}
		if key == "items" && (value[0] == '[' || string(value) == "null") {
			return value, in.InputOffset() - int64(len(value))
		}
	}
	return nil, 0
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
		return nil, fmt.Errorf("no JSON object: %w", jsonerrors.In(raw, err, "the document"))
	}
	if object == nil {
		return nil, errors.New("no JSON object but null")
	}
	return object, InOneLine(duplicates)
}

// InOneLine joins errors with semicolons, for faults that have one line. It is nil without errors.
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

// placesOf returns the lines of the values in valid JSON that begins at a line.
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

// next reads a token and returns its line. JSON tokens have no line breaks.
func (p *placer) next() (json.Token, int) {
	token, err := p.in.Token()
	if err != nil {
		panic(fmt.Sprintf("documents: JSON that was read before cannot be read: %v", err))
	}
	p.line += bytes.Count(p.raw[p.offset:p.in.InputOffset()], []byte("\n"))
	p.offset = p.in.InputOffset()
	return token, p.line
}

// value reads the rest of a value after its first token. The line of an entry is that of its key.
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
