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

	"github.com/diffrun/diffrun/internal/files/bucket"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/outfile"
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
	if info := openFileOf(stdout.file); info != nil {
		p.writes = append(p.writes, place{what: what, open: info})
	}
}

// input adds files that are read. "-" is stdin.
func (p *places) input(what string, stdin io.Reader, files ...string) {
	for _, file := range files {
		named := place{what: strings.TrimSpace(what + " " + file), file: file}
		if file == infile.Stdin {
			if named.open = openFileOf(stdin); named.open == nil {
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

// openFileOf gives the file that a stream is read from or written to; nil: it is a terminal or another
// device, which may be both.
func openFileOf(stream any) fs.FileInfo {
	file, is := stream.(*os.File)
	if !is || file == nil {
		return nil
	}
	if info, err := file.Stat(); err == nil && info.Mode()&(fs.ModeDevice|fs.ModeSocket) == 0 {
		return info
	}
	return nil
}

// check says which outputs are inputs as well, and which are one file.
func (p *places) check() error {
	var errs []error
	overwritten := p.overwritten()
	for i, out := range p.writes {
		if at := slices.IndexFunc(p.writes[:i], func(other place) bool { return other.same(out) }); at >= 0 {
			errs = append(errs, fmt.Errorf("%s and %s write the same file; give each a file of its own", p.writes[at].what, out.what))
			continue
		}
		if in, is := overwritten[i]; is {
			errs = append(errs, fmt.Errorf("%s would overwrite %s, which this command reads; write to another file", out.what, in))
		}
	}
	return errors.Join(errs...)
}

// overwritten gives, for the outputs that are inputs as well, what the first of these is called. There may
// be very many inputs: each is looked at once, and none if no output is there yet.
func (p *places) overwritten() map[int]string {
	there := map[int]fs.FileInfo{}
	for i, out := range p.writes {
		if info := out.info(); info != nil || bucket.Is(out.file) {
			there[i] = info
		}
	}
	found := map[int]string{}
	if len(there) == 0 {
		return found
	}
	for _, in := range p.reads {
		info := in.info()
		for i, at := range there {
			if _, known := found[i]; !known && in.includes(info, p.writes[i], at) {
				found[i] = in.what
			}
		}
	}
	return found
}

// info gives the file that is there; nil: there is none.
func (p place) info() fs.FileInfo {
	if p.open != nil || bucket.Is(p.file) {
		return p.open
	}
	info, err := os.Stat(p.file)
	if err != nil {
		return nil
	}
	return info
}

// includes says that an output is the input, or one of the files of a directory that is read.
func (p place) includes(info fs.FileInfo, out place, at fs.FileInfo) bool {
	switch {
	case info == nil || at == nil:
		return bucket.Is(p.file) && p.file == out.file
	case p.extensions == nil:
		return os.SameFile(info, at)
	case out.open != nil || !at.Mode().IsRegular() || !slices.Contains(p.extensions, filepath.Ext(out.file)):
		return false
	}
	return outfile.Within(p.file, out.file) && !(p.passesReports && isReport(out.file))
}

// isReport says that a file is a JSON report of diffrun.
func isReport(name string) bool {
	data, err := infile.ReadFile(name)
	var report struct{ Tool, Kind string }
	return err == nil && json.Unmarshal(data, &report) == nil && strings.HasPrefix(report.Tool, "diffrun") && report.Kind == ""
}

// same says that two outputs are of one file or object.
func (p place) same(other place) bool {
	if p.open == nil && other.open == nil {
		return samePlace(p.file, other.file)
	}
	info, otherInfo := p.info(), other.info()
	return info != nil && otherInfo != nil && os.SameFile(info, otherInfo)
}
