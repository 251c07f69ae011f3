package capture

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
)

// places writes what the go command says about files of the overlay as if it had read the
// user's: the compiler names the files that it reads.
type places struct {
	to       io.Writer
	replacer *strings.Replacer
	line     []byte // without its end
}

// places makes the writer, for a command that runs in a folder.
func (o *overlay) places(to io.Writer, dir string) *places {
	if to == nil {
		to = io.Discard
	}
	var pairs []string
	for users, ours := range o.Replaced {
		if ours != "" {
			short := shortName(users, dir) + ":"
			pairs = append(pairs, ours+":", short, shortName(ours, dir)+":", short)
		}
	}
	return &places{to: to, replacer: strings.NewReplacer(pairs...)}
}

// shortName is a file as the go command names it.
func shortName(name, dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return name
	}
	inside, err := filepath.Rel(dir, name)
	switch {
	case err != nil || len(inside) >= len(name):
		return name
	case !strings.ContainsRune(inside, filepath.Separator):
		return "." + string(filepath.Separator) + inside
	}
	return inside
}

// Write writes the lines that end.
func (p *places) Write(text []byte) (int, error) {
	p.line = append(p.line, text...)
	end := bytes.LastIndexByte(p.line, '\n') + 1
	if end == 0 {
		return len(text), nil
	}
	_, err := p.replacer.WriteString(p.to, string(p.line[:end]))
	p.line = append([]byte(nil), p.line[end:]...)
	return len(text), err
}

// flush writes a last line without an end.
func (p *places) flush() error {
	_, err := p.replacer.WriteString(p.to, string(p.line))
	p.line = nil
	return err
}
