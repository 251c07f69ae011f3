package documents

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// errUnusual is the error for JSON that ReadFields leaves to sigs.k8s.io/json.
var errUnusual = errors.New("unusual JSON")

// Reader reads a value of a field.
type Reader struct{ in *jsontext.Decoder }

// ReadFields calls read with each field of a JSON object, which must read the value. It returns false,
// perhaps after some calls, if the text is not such an object, has a field twice, or is unusual in another
// way. Then sigs.k8s.io/json, which takes twice as long, decodes it or reports what is wrong.
func ReadFields(text []byte, read func(name string, value Reader) error) bool {
	in := jsontext.NewDecoder(bytes.NewBuffer(text))
	if start, err := in.ReadToken(); err != nil || start.Kind() != '{' {
		return false
	}
	for in.PeekKind() == '"' {
		name, err := in.ReadToken()
		if err != nil || read(name.String(), Reader{in}) != nil {
			return false
		}
	}
	if _, err := in.ReadToken(); err != nil {
		return false
	}
	_, err := in.ReadToken()
	return errors.Is(err, io.EOF)
}

// Text reads a string.
func (r Reader) Text() (string, error) {
	token, err := r.in.ReadToken()
	if err == nil && token.Kind() != '"' {
		err = errUnusual
	}
	if err != nil {
		return "", err
	}
	return token.String(), nil
}

// Value reads any value. Its types are those of sigs.k8s.io/json: a number without a point is an int64 if it is in
// range.
func (r Reader) Value() (any, error) {
	token, err := r.in.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{':
		return r.object()
	case '[':
		return r.list()
	case '"':
		return token.String(), nil
	case 't', 'f':
		return token.Bool(), nil
	case 'n':
		return nil, nil
	case '0':
		return number(token.String())
	}
	return nil, errUnusual
}

func (r Reader) object() (any, error) {
	object := map[string]any{}
	for r.in.PeekKind() == '"' {
		name, err := r.in.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		if object[key], err = r.Value(); err != nil {
			return nil, err
		}
	}
	_, err := r.in.ReadToken() // the end, or a mistake
	return object, err
}

func (r Reader) list() (any, error) {
	list := []any{}
	for r.in.PeekKind() != ']' {
		item, err := r.Value()
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	_, err := r.in.ReadToken()
	return list, err
}

func number(text string) (any, error) {
	if !strings.Contains(text, ".") {
		if integer, err := strconv.ParseInt(text, 10, 64); err == nil {
			return integer, nil
		}
	}
	return strconv.ParseFloat(text, 64)
}
