// Package sealedrun adds checksums to runs that tests wrote by hand.
package sealedrun

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/diffrun/diffrun/internal/files/checksum"
)

// Seal returns a run, in one document or in lines, with the checksum in its footer. The error says that the run
// is not JSON or has no footer.
func Seal(run []byte) ([]byte, error) {
	var summer checksum.Summer
	footer := -1 // where the object with the footer begins
	decoder := json.NewDecoder(bytes.NewReader(run))
	for {
		before := decoder.InputOffset()
		var object map[string]json.RawMessage
		if err := decoder.Decode(&object); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if object["summary"] != nil {
			footer = int(before) + bytes.IndexByte(run[before:], '{')
		}
		if err := add(&summer, object); err != nil {
			return nil, err
		}
	}
	sum, err := summer.Sum()
	if err != nil || footer < 0 {
		return nil, errors.Join(err, errors.New("the run has no footer"))
	}
	return slices.Insert(slices.Clone(run), footer+1, fmt.Appendf(nil, `%q:{"results":%d,"sha256":%q},`, checksum.Key,
		sum.Results, sum.SHA256)...), nil
}

// add adds an object of a run: a document or a line.
func add(s *checksum.Summer, object map[string]json.RawMessage) error {
	if object["case"] != nil {
		encoded, err := json.Marshal(object)
		return errors.Join(err, s.Result(encoded))
	}
	var results []json.RawMessage
	if err := json.Unmarshal(object["results"], &results); object["results"] != nil && err != nil {
		return err
	}
	for _, result := range results {
		if err := s.Result(result); err != nil {
			return err
		}
	}
	delete(object, "results")
	return s.Rest(object)
}
