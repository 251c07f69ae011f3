package terminal

import (
	"encoding/json"
	"errors"
	"fmt"
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

// Files are the files that a command reads and writes. A command adds all files that its flags and arguments
// name, and calls Check before it opens any. Check recognizes a file by any of its names: relative, by a
// link, or as a redirected stdin or stdout.
type Files struct {
	console *Console
	outputs []file
	inputs  []file
}

// NewFiles returns Files without any file.
func (c *Console) NewFiles() *Files { return &Files{console: c} }

// file is a file as the user names it.
type file struct {
	// label names it in messages: a flag with its value, or an argument.
	label string
	// name is a path, or the URL of an object.
	name string
	// open is the redirected stdin or stdout. It is nil for a file with a name.
	open fs.FileInfo
	// extensions is not nil if name is a directory of which the files with these extensions are read,
	// at any depth.
	extensions []string
	// skipsReports is true if reports of diffrun in the directory are not read.
	skipsReports bool
}

// Output adds a file that the command writes.
func (f *Files) Output(label, name string) {
	if name != "" {
		f.outputs = append(f.outputs, file{label: label, name: name})
	}
}

// Outputs adds the outputs of -o. One without a file goes to stdout.
func (f *Files) Outputs(outputs []Output) {
	for _, out := range outputs {
		if out.File != "" {
			f.Output(out.label(), out.File)
		} else {
			f.Stdout("-o " + out.Format + " to stdout")
		}
	}
}

// Stdout adds the file to which stdout is redirected, if any.
func (f *Files) Stdout(label string) {
	if info := fileBehind(f.console.Stdout.File); info != nil {
		f.outputs = append(f.outputs, file{label: label, open: info})
	}
}

// Input adds files that the command reads. "-" is stdin.
func (f *Files) Input(label string, names ...string) {
	for _, name := range names {
		in := file{label: strings.TrimSpace(label + " " + name), name: name}
		if name == infile.Stdin {
			if in.open = fileBehind(f.console.Stdin); in.open == nil {
				continue
			}
			in.label = strings.TrimSpace(label + " stdin")
		}
		f.inputs = append(f.inputs, in)
	}
}

// Directories adds inputs that may be directories, of which the files with one of the extensions are read.
func (f *Files) Directories(label string, extensions []string, names ...string) {
	for _, name := range names {
		if info, err := os.Stat(name); name == infile.Stdin || err != nil || !info.IsDir() {
			f.Input(label, name)
			continue
		}
		f.inputs = append(f.inputs, file{label: strings.TrimSpace(label + " " + name), name: name, extensions: extensions})
	}
}

// Schemas adds arguments that name manifests or schemas: files, directories, and versions in a file,
// such as crd.yaml@v1.
func (f *Files) Schemas(label string, args ...string) {
	for _, arg := range args {
		from := len(f.inputs)
		f.Directories(label, documents.Extensions(), arg)
		for i := range f.inputs[from:] {
			f.inputs[from+i].skipsReports = true // they contain no object and no schema
		}
		if at := strings.LastIndex(arg, "@"); at > 0 {
			f.Input(label, arg[:at])
		}
	}
}

// fileBehind returns the file that a stream is connected to. It returns nil for terminals and other
// devices, which can be input and output at once.
func fileBehind(stream any) fs.FileInfo {
	file, is := stream.(*os.File)
	if !is || file == nil {
		return nil
	}
	if info, err := file.Stat(); err == nil && info.Mode()&(fs.ModeDevice|fs.ModeSocket) == 0 {
		return info
	}
	return nil
}

// Check refuses outputs that are also inputs, and outputs that are the same file.
func (f *Files) Check() error {
	var errs []error
	overwritten := f.overwritten()
	for i, out := range f.outputs {
		if at := slices.IndexFunc(f.outputs[:i], out.same); at >= 0 {
			errs = append(errs, fmt.Errorf("%s and %s write the same file; use a different file for each", f.outputs[at].label, out.label))
			continue
		}
		if in, is := overwritten[i]; is {
			errs = append(errs, fmt.Errorf("%s would overwrite %s, which this command reads; write to another file", out.label, in))
		}
	}
	return errors.Join(errs...)
}

// overwritten returns, by the index of an output, the label of the first input that is the same file.
// There may be very many inputs: it looks at each once, and at none if no output exists yet.
func (f *Files) overwritten() map[int]string {
	existing := map[int]fs.FileInfo{}
	for i, out := range f.outputs {
		if info := out.info(); info != nil || bucket.Is(out.name) {
			existing[i] = info
		}
	}
	found := map[int]string{}
	if len(existing) == 0 {
		return found
	}
	for _, in := range f.inputs {
		info := in.info()
		for i, outInfo := range existing {
			if _, known := found[i]; !known && in.includes(info, f.outputs[i], outInfo) {
				found[i] = in.label
			}
		}
	}
	return found
}

// info returns the existing file, or nil.
func (f file) info() fs.FileInfo {
	if f.open != nil || bucket.Is(f.name) {
		return f.open
	}
	info, err := os.Stat(f.name)
	if err != nil {
		return nil
	}
	return info
}

// includes reports whether an output is this input, or one of the files in this directory.
func (f file) includes(info fs.FileInfo, out file, outInfo fs.FileInfo) bool {
	switch {
	case info == nil || outInfo == nil:
		return bucket.Is(f.name) && f.name == out.name
	case f.extensions == nil:
		return os.SameFile(info, outInfo)
	case out.open != nil || !outInfo.Mode().IsRegular() || !slices.Contains(f.extensions, filepath.Ext(out.name)):
		return false
	}
	return outfile.Within(f.name, out.name) && !(f.skipsReports && isReport(out.name))
}

// isReport reports whether a file is a JSON report of diffrun.
func isReport(name string) bool {
	data, err := infile.ReadFile(name)
	var report struct{ Tool, Kind string }
	return err == nil && json.Unmarshal(data, &report) == nil && strings.HasPrefix(report.Tool, "diffrun") && report.Kind == ""
}

// same reports whether two outputs are one file or object.
func (f file) same(other file) bool {
	switch {
	case f.open != nil || other.open != nil:
		info, otherInfo := f.info(), other.info()
		return info != nil && otherInfo != nil && os.SameFile(info, otherInfo)
	case bucket.Is(f.name) || bucket.Is(other.name):
		return f.name == other.name
	}
	return outfile.Same(f.name, other.name)
}
