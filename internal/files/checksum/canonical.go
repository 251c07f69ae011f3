package checksum

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
)

// canonical returns the same bytes for all JSON texts of a value: the keys of objects are sorted, and
// numbers and characters have one spelling. A run writes many results, so it does not decode them.
func canonical(text []byte) ([]byte, error) {
	if !json.Valid(text) {
		return nil, errors.New("not JSON")
	}
	s := scanner{text: text, made: make([]byte, 0, len(text)+len(text)/2)}
	if err := s.value(); err != nil {
		return nil, err
	}
	return s.made, nil
}

// scanner reads valid JSON.
type scanner struct {
	text []byte
	at   int
	made []byte
}

// next skips white space and separators, and returns the next byte.
func (s *scanner) next() byte {
	for bytes.IndexByte([]byte(" \t\r\n,:"), s.text[s.at]) >= 0 {
		s.at++
	}
	return s.text[s.at]
}

func (s *scanner) value() error {
	switch c := s.next(); {
	case c == '{':
		return s.object()
	case c == '[':
		return s.list()
	case c == '"':
		return s.string()
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	}
	s.word() // true, false or null
	return nil
}

// word adds text up to the next white space, separator or bracket, and returns it.
func (s *scanner) word() []byte {
	from := s.at
	for s.at < len(s.text) && bytes.IndexByte([]byte(" \t\r\n,:]}"), s.text[s.at]) < 0 {
		s.at++
	}
	s.made = append(s.made, s.text[from:s.at]...)
	s.made = append(s.made, ' ')
	return s.text[from:s.at]
}

// number adds a number. A whole number keeps its digits, because it may be too large for a float.
func (s *scanner) number() error {
	begins := len(s.made)
	word := s.word()
	if !bytes.ContainsAny(word, ".eE") {
		return nil
	}
	number, err := strconv.ParseFloat(string(word), 64)
	if err != nil {
		return nil // it is too large, and stays as it is spelled
	}
	s.made = append(strconv.AppendFloat(s.made[:begins], number, 'f', -1, 64), ' ')
	return nil
}

// string adds a text, preceded by its length.
func (s *scanner) string() error {
	from := s.at
	for s.at++; s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
	s.at++
	text := s.text[from+1 : s.at-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		var decoded string
		if err := json.Unmarshal(s.text[from:s.at], &decoded); err != nil {
			return err
		}
		text = []byte(decoded)
	}
	s.made = strconv.AppendInt(append(s.made, '"'), int64(len(text)), 10)
	s.made = append(append(s.made, ':'), text...)
	return nil
}

func (s *scanner) list() error {
	s.made = append(s.made, '[')
	for s.at++; s.next() != ']'; {
		if err := s.value(); err != nil {
			return err
		}
	}
	s.at++
	s.made = append(s.made, ']')
	return nil
}

// object adds the members of an object by their keys.
func (s *scanner) object() error {
	type member struct{ from, key, to int } // in made
	var members []member
	begins := len(s.made)
	for s.at++; s.next() != '}'; {
		one := member{from: len(s.made)}
		if err := s.string(); err != nil {
			return err
		}
		one.key = len(s.made)
		if err := s.value(); err != nil {
			return err
		}
		one.to = len(s.made)
		members = append(members, one)
	}
	s.at++
	unsorted := slices.Clone(s.made[begins:])
	slices.SortStableFunc(members, func(a, b member) int {
		return bytes.Compare(unsorted[a.from-begins:a.key-begins], unsorted[b.from-begins:b.key-begins])
	})
	s.made = append(s.made[:begins], '{')
	for _, one := range members {
		s.made = append(s.made, unsorted[one.from-begins:one.to-begins]...)
	}
	s.made = append(s.made, '}')
	return nil
}
