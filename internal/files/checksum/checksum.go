package checksum

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"maps"
	"slices"
)

// Key is the key of the checksum in the footer of a run.
const Key = "checksum"

// Sum is the checksum of a run.
type Sum struct {
	// Results is the number of results of the run.
	Results int `json:"results"`
	// SHA256 is a hash of the header, the results and the footer without this checksum.
	SHA256 string `json:"sha256"`
}

// Summer computes the checksum of a run that is written or read. The zero value has no part yet.
type Summer struct {
	results int
	hash    hash.Hash
	rest    map[string]json.RawMessage // header and footer
}

// Result adds a result.
func (s *Summer) Result(result []byte) error {
	text, err := canonical(result)
	if err != nil {
		return err
	}
	if s.hash == nil {
		s.hash = sha256.New()
	}
	s.results++
	s.hash.Write(text)
	return nil
}

// Rest adds the keys of the header, of the footer, or of both. A key that another part has already
// is an error.
func (s *Summer) Rest(part map[string]json.RawMessage) error {
	if s.rest == nil {
		s.rest = map[string]json.RawMessage{}
	}
	for _, key := range slices.Sorted(maps.Keys(part)) {
		if _, known := s.rest[key]; known {
			return fmt.Errorf("the key %q occurs twice", key)
		}
		s.rest[key] = part[key]
	}
	return nil
}

// Sum returns the checksum of all that was added.
func (s *Summer) Sum() (Sum, error) {
	rest := maps.Clone(s.rest)
	delete(rest, Key)
	encoded, err := json.Marshal(rest)
	if err != nil {
		return Sum{}, err
	}
	text, err := canonical(encoded)
	if err != nil {
		return Sum{}, err
	}
	whole := sha256.New()
	whole.Write(text)
	if s.hash != nil {
		whole.Write(s.hash.Sum(nil))
	}
	return Sum{s.results, hex.EncodeToString(whole.Sum(nil))}, nil
}
