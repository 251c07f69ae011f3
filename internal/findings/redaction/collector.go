package redaction

import (
	"encoding/base64"
	"encoding/pem"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// collector collects the texts of objects, each once.
type collector struct {
	texts []string
	seen  map[string]bool
}

// mostDecoded limits how often a text is decoded.
const mostDecoded = 4

// object adds the texts of a whole object.
func (c *collector) object(document map[string]any, known vocabulary) {
	known = known.ofScale(document)
	for key, value := range document {
		if known.isKind(key, value) {
			continue
		}
		c.field(key, value, known.names)
	}
}

func (c *collector) field(key string, value any, names fieldpath.Names) {
	if !names.Has(key) {
		c.add(key)
	}
	c.value(value, names.Field(key))
}

func (c *collector) value(value any, names fieldpath.Names) {
	switch value := value.(type) {
	case map[string]any:
		for key, item := range value {
			c.field(key, item, names)
		}
	case []any:
		for _, item := range value {
			c.value(item, names.Entry("0"))
		}
	case string:
		c.add(value)
	case int64:
		c.one(strconv.FormatInt(value, 16)) // decimal numbers are removed from all messages
	}
}

// add adds a text, its decoded contents, and its escaped and encoded forms.
func (c *collector) add(text string) {
	c.decoded(text, mostDecoded)
	if escaped := strconv.Quote(text); len(escaped) != len(text)+len(`""`) {
		c.one(escaped)
	}
	c.one(base64.StdEncoding.EncodeToString([]byte(text)))
}

func (c *collector) one(text string) {
	if text != "" && !c.seen[text] {
		c.seen[text] = true
		c.texts = append(c.texts, text)
	}
}

// decoded adds a text and its contents, decoded from PEM or (repeatedly) from base64.
func (c *collector) decoded(text string, depth int) {
	c.one(text)
	if depth == 0 {
		return
	}
	for rest := []byte(text); strings.Contains(text, "-----BEGIN"); {
		block, after := pem.Decode(rest)
		if block == nil {
			break
		}
		c.binary(block.Bytes, depth-1)
		rest = after
	}
	code := strings.TrimRight(strings.Join(strings.Fields(text), ""), "=")
	if len(code) < shortestPart {
		return
	}
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if data, err := encoding.DecodeString(code); err == nil {
			c.binary(data, depth-1)
			break
		}
	}
}

// binary adds the readable parts of data.
func (c *collector) binary(data []byte, depth int) {
	if utf8.Valid(data) {
		c.decoded(string(data), depth)
		return
	}
	printable := func(r rune) bool { return r < ' ' || r > '~' }
	for run := range strings.FieldsFuncSeq(string(data), printable) {
		if len(run) >= shortestPart {
			c.one(run)
		}
	}
}
