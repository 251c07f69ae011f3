package casefile

import (
	"fmt"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// outline is a document in the format of another tool. Its parts are read by their keys; keys that have
// no meaning here are ignored, because the tool may have added them in a later release.
type outline struct {
	file     string
	document documents.Document
	mistakes strictyaml.Mistakes
}

// part is a mapping in an outline.
type part struct {
	of     *outline
	path   string // as documents.Document.LineOf takes it
	fields map[string]any
}

func (o *outline) root() part { return part{of: o, fields: o.document.Object} }

// pathTo returns the path of a field.
func (p part) pathTo(key string) string {
	if p.path == "" {
		return key
	}
	return p.path + "." + key
}

// at returns the position of a field; of the part itself if key is empty.
func (p part) at(key string) strictyaml.Position {
	if key == "" {
		return p.of.document.At(p.of.file, p.path)
	}
	return p.of.document.At(p.of.file, p.pathTo(key))
}

// mustf adds a mistake about a field.
func (p part) mustf(key, format string, args ...any) {
	p.of.mistakes.Addf(p.at(key), "%s must be %s", p.pathTo(key), fmt.Sprintf(format, args...))
}

// text returns a text; empty if there is none.
func (p part) text(key string) string {
	text, isText := p.fields[key].(string)
	if !isText && p.fields[key] != nil {
		p.mustf(key, "text")
	}
	return text
}

// flag returns a boolean; false if there is none.
func (p part) flag(key string) bool {
	flag, isFlag := p.fields[key].(bool)
	if !isFlag && p.fields[key] != nil {
		p.mustf(key, "true or false")
	}
	return flag
}

// texts returns a list of texts.
func (p part) texts(key string) []string {
	var texts []string
	for i, item := range p.items(key) {
		text, isText := item.(string)
		if !isText {
			p.mustf(fmt.Sprintf("%s[%d]", key, i), "text")
			continue
		}
		texts = append(texts, text)
	}
	return texts
}

// parts returns a list of mappings.
func (p part) parts(key string) []part {
	var parts []part
	for i, item := range p.items(key) {
		name := fmt.Sprintf("%s[%d]", key, i)
		fields, isMapping := item.(map[string]any)
		if !isMapping {
			p.mustf(name, "a mapping")
			continue
		}
		parts = append(parts, part{p.of, p.pathTo(name), fields})
	}
	return parts
}

// part returns a mapping. found is false if there is none.
func (p part) part(key string) (of part, found bool) {
	fields, isMapping := p.fields[key].(map[string]any)
	if !isMapping && p.fields[key] != nil {
		p.mustf(key, "a mapping")
	}
	return part{p.of, p.pathTo(key), fields}, isMapping
}

func (p part) items(key string) []any {
	items, isList := p.fields[key].([]any)
	if !isList && p.fields[key] != nil {
		p.mustf(key, "a list")
	}
	return items
}
