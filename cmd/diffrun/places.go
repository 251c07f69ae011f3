package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/bucket"
	"github.com/diffrun/diffrun/internal/documents"
	"github.com/diffrun/diffrun/internal/infile"
	"github.com/diffrun/diffrun/internal/outfile"
)

// places are the files that a command writes and reads. It is the one place that knows that a file
// cannot be both, and that two outputs cannot be one file, whatever it is called: relative or not,
// by a link, by another of its names. A command adds all that its flags and arguments name, and
// checks that before it uses any of it.
type places struct{ writes, reads []place }

// place is a file as the user knows it.
type place struct {
	// what names it in messages: a flag with its value, or an argument.
	what string
	// file is its name, or the URL of an object.
	file string
	// open is the open file that stdin or stdout leads to; nil for files that are named.
	open fs.FileInfo
	// extensions are those of the files that are read in and below a directory. A file that is named
	// has none.
	extensions []string
	// passesReports: reports of diffrun in the directory are passed over.
	passesReports bool
}

// output adds a file that is written.
func (p *places) output(what, file string) {
	if file != "" {
		p.writes = append(p.writes, place{what: what, file: file})
	}
}

// outputs adds what -o names. A report without a file goes to stdout.
func (p *places) outputs(outputs []output, stdout *terminal) {
	for _, out := range outputs {
		if out.file != "" {
			p.output("-o "+out.format+"="+out.file, out.file)
		} else {
			p.stdout("-o "+out.format+" to stdout", stdout)
		}
	}
}

// stdout adds what is written to stdout, if that leads to a file.
func (p *places) stdout(what string, stdout *terminal) {
	if info := openRegular(stdout.file); info != nil {
		p.writes = append(p.writes, place{what: what, open: info})
	}
}

// input adds files that are read. "-" is stdin.
func (p *places) input(what string, stdin io.Reader, files ...string) {
	for _, file := range files {
		named := place{what: strings.TrimSpace(what + " " + file), file: file}
		if file == infile.Stdin {
			if named.open = openRegular(stdin); named.open == nil {
				continue
			}
			named.what = strings.TrimSpace(what + " stdin")
		}
		p.reads = append(p.reads, named)
	}
}

// inputs adds files that are read, and directories of which the files with some extensions are.
func (p *places) inputs(what string, stdin io.Reader, extensions []string, files ...string) {
	for _, file := range files {
		if info, err := os.Stat(file); file == infile.Stdin || err != nil || !info.IsDir() {
			p.input(what, stdin, file)
			continue
		}
		p.reads = append(p.reads, place{what: strings.TrimSpace(what + " " + file), file: file, extensions: extensions})
	}
}

// schemas adds arguments that name manifests or schemas: files, directories, and versions of a file,
// as in crd.yaml@v1.
func (p *places) schemas(what string, stdin io.Reader, args ...string) {
	for _, arg := range args {
		from := len(p.reads)
		p.inputs(what, stdin, documents.Extensions(), arg)
		for i := range p.reads[from:] {
			p.reads[from+i].passesReports = true // they hold no object and no schema
		}
		if at := strings.LastIndex(arg, "@"); at > 0 {
			p.input(what, stdin, arg[:at])
		}
	}
}

// openRegular gives the regular file that a stream is read from or written to; nil: it is none.
func openRegular(stream any) fs.FileInfo {
	file, is := stream.(*os.File)
	if !is || file == nil {
		return nil
	}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		return info
	}
	return nil
}

// check says which outputs are inputs as well, and which are one file. It reads nothing.
func (p *places) check() error {
	var errs []error
	for i, out := range p.writes {
		if at := slices.IndexFunc(p.writes[:i], func(other place) bool { return other.same(out) }); at >= 0 {
			errs = append(errs, fmt.Errorf("%s and %s write the same file; give each a file of its own", p.writes[at].what, out.what))
			continue
		}
		if at := slices.IndexFunc(p.reads, func(in place) bool { return in.includes(out) }); at >= 0 {
			errs = append(errs, fmt.Errorf("%s would overwrite %s, which this command reads; write to another file", out.what, p.reads[at].what))
		}
	}
	return errors.Join(errs...)
}

// includes says that an output is the input, or one of the files of a directory that is read.
func (p place) includes(out place) bool {
	if p.extensions == nil {
		return p.same(out)
	}
	if out.open != nil || bucket.Is(out.file) || !slices.Contains(p.extensions, filepath.Ext(out.file)) {
		return false
	}
	info, err := os.Stat(out.file) // what is not there yet is not read
	if err != nil || !info.Mode().IsRegular() || !outfile.Within(p.file, out.file) {
		return false
	}
	return !p.passesReports || !isReport(out.file)
}

// isReport says that a file is a JSON report of diffrun.
func isReport(name string) bool {
	data, err := infile.ReadFile(name)
	var report struct{ Tool, Kind string }
	return err == nil && json.Unmarshal(data, &report) == nil && strings.HasPrefix(report.Tool, "diffrun") && report.Kind == ""
}

// same says that two places are of one file or object.
func (p place) same(other place) bool {
	switch {
	case p.open != nil && other.open != nil:
		return os.SameFile(p.open, other.open)
	case p.open == nil && other.open == nil:
		return samePlace(p.file, other.file)
	case p.open == nil:
		return other.same(p)
	case bucket.Is(other.file):
		return false
	}
	info, err := os.Stat(other.file)
	return err == nil && os.SameFile(p.open, info)
}
