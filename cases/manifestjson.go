package cases

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	kjson "sigs.k8s.io/json"
)

// jsonObjects gives the objects of JSON documents.
func jsonObjects(data []byte) iter.Seq[found] {
	return func(yield func(found) bool) {
		stopped := false
		give := func(offset int64, raw []byte, err error) bool {
			rest := bytes.TrimLeft(data[offset:], ", \t\r\n")
			line := 1 + bytes.Count(data[:len(data)-len(rest)], []byte("\n"))
			one := found{line: line, err: err}
			if err == nil {
				one.object, one.err = parseObject(raw)
			}
			stopped = !yield(one)
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
				give(offset, nil, fmt.Errorf("the document that begins here is not JSON: %w", err))
				return
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
		return nil, fmt.Errorf("no JSON object: %w", err)
	}
	if object == nil {
		return nil, errors.New("no JSON object but null")
	}
	return object, inOneLine(duplicates)
}
