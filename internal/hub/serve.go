//go:build go1.22

package hub

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Request is a line that the program reads.
type Request struct {
	Version string          `json:"version"`
	Object  json.RawMessage `json:"object"`
}

// Answer is the line that it writes.
type Answer struct {
	Object json.RawMessage `json:"object,omitempty"`
	Failed string          `json:"failed,omitempty"`
}

// Serve answers each line with a line until the input ends.
func (v Versions) Serve(in io.Reader, out io.Writer) error {
	reader, writer := bufio.NewReader(in), json.NewEncoder(out)
	for {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a request: %w", err)
		}
		var request Request
		if err := json.Unmarshal(line, &request); err != nil {
			return fmt.Errorf("read a request: %w", err)
		}
		if err := writer.Encode(v.answer(request)); err != nil {
			return fmt.Errorf("write an answer: %w", err)
		}
	}
}

func (v Versions) answer(request Request) (answer Answer) {
	defer func() {
		if cause := recover(); cause != nil {
			answer = Answer{Failed: fmt.Sprintf("converting panicked: %v", cause)}
		}
	}()
	object, err := v.Convert(request.Object, request.Version)
	if err != nil {
		return Answer{Failed: err.Error()}
	}
	return Answer{Object: object}
}
