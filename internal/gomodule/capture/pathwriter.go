package capture

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"

	"github.com/diffrun/diffrun/internal/gomodule/gotool"
)

// pathWriter replaces the names of files of the overlay in the output of the go command by those of the
// user's files. The compiler names the files that it reads.
type pathWriter struct {
	to       io.Writer
	replacer *strings.Replacer
	line     []byte // without its end
}

// newPathWriter returns the writer for a command that runs in a folder.
func newPathWriter(o *gotool.Overlay, to io.Writer, dir string) *pathWriter {
	if to == nil {
		to = io.Discard
	}
	var pairs []string
	for users, ours := range o.Replace {
		if ours != "" {
			short := shortName(users, dir) + ":"
			pairs = append(pairs, ours+":", short, shortName(ours, dir)+":", short)
		}
	}
	return &pathWriter{to: to, replacer: strings.NewReplacer(pairs...)}
}

// shortName returns the name of a file as the go command prints it.
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

// Write writes the complete lines.
func (p *pathWriter) Write(text []byte) (int, error) {
	p.line = append(p.line, text...)
	end := bytes.LastIndexByte(p.line, '\n') + 1
	if end == 0 {
		return len(text), nil
	}
	_, err := p.replacer.WriteString(p.to, string(p.line[:end]))
	p.line = append([]byte(nil), p.line[end:]...)
	return len(text), err
}

// flush writes a last line that is not complete.
func (p *pathWriter) flush() error {
	_, err := p.replacer.WriteString(p.to, string(p.line))
	p.line = nil
	return err
}
