package capture

import (
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/outfile"
)

//go:embed _recorders
var recorders embed.FS

const (
	recordersFolder = "_recorders"
	// recordersFile is how files with recorders are called (recording.File).
	recordersFile = "zz_recorded.go"
	// unrecorded stands in front of the names of originals.
	unrecorded = "unrecorded"
)

// Instrument puts recorders, files at the places in the module where they are to stand,
// into the sources of a module. It gives the functions that are recorded. The errors are
// all originals that are not there, recorders that call none, and files that cannot be
// read.
func Instrument(module string, recorders fs.FS) ([]string, error) {
	var names []string
	var errs []error
	err := fs.WalkDir(recorders, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		source, err := fs.ReadFile(recorders, path)
		if err != nil {
			return err
		}
		target := filepath.Join(module, filepath.FromSlash(path))
		if entry.Name() == recordersFile {
			recorded, err := instrumentPackage(filepath.Dir(target), source)
			errs = append(errs, err)
			names = append(names, recorded...)
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return outfile.Write(target, source)
	})
	return names, errors.Join(append(errs, err)...)
}

// instrumentPackage gives the originals of the recorders in source their other names.
// Whoever calls them, they themselves too, calls the recorders from now on.
func instrumentPackage(dir string, source []byte) ([]string, error) {
	wanted, err := originals(source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	found := map[original]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		if err := renameIn(file, wanted, found); err != nil {
			return nil, err
		}
	}
	var names []string
	for _, o := range wanted {
		if !found[o] {
			err = errors.Join(err, fmt.Errorf("%s has no function %s any more: its recorder must be changed or removed", dir, o))
		}
		names = append(names, filepath.Base(dir)+"."+o.String())
	}
	return names, err
}

// original is a function that has a recorder.
type original struct{ receiver, name string }

func (o original) String() string { return strings.TrimPrefix(o.receiver+"."+o.name, ".") }

// originals gives the functions that recorders call by their other names.
func originals(source []byte) ([]original, error) {
	file, err := parser.ParseFile(token.NewFileSet(), recordersFile, source, 0)
	if err != nil {
		return nil, err
	}
	var all []original
	for _, declaration := range file.Decls {
		f, ok := declaration.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == unrecorded+f.Name.Name {
				all = append(all, original{receiver(f), f.Name.Name})
				return false
			}
			return true
		})
	}
	if len(all) == 0 {
		return nil, errors.New("no recorder calls an original")
	}
	return all, nil
}

// receiver is the type that a function is a method of.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return ""
	}
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// renameIn renames the originals of one file, and notes which it found.
func renameIn(path string, wanted []original, found map[original]bool) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, 0)
	if err != nil {
		return err
	}
	var at []int
	for _, declaration := range file.Decls {
		f, ok := declaration.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if o := (original{receiver(f), f.Name.Name}); slices.Contains(wanted, o) {
			found[o] = true
			at = append(at, set.Position(f.Name.Pos()).Offset)
		}
	}
	if len(at) == 0 {
		return nil
	}
	for _, offset := range slices.Backward(at) {
		source = slices.Insert(source, offset, []byte(unrecorded)...)
	}
	return outfile.Write(path, source)
}
