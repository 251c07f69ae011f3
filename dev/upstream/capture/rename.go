package capture

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

// unrecorded is the prefix of the names of originals.
const unrecorded = "unrecorded"

// renamed is a package with recorders.
type renamed struct {
	// sources are the new contents of the files with originals.
	sources map[string][]byte
	// functions are the names of the recorded functions, such as "pkg.Type.Method".
	functions []string
}

// rename renames the functions that recorders record. A recorder has the name and the
// signature of the function that it records, and calls it by the same name with the prefix
// "unrecorded". All callers of the function, and the function itself, then call the recorder. The
// files are those of the package without tests. The error lists all functions that do not exist,
// recorders that call none, and files that cannot be parsed.
func rename(pkg string, files map[string][]byte, recorders []byte) (*renamed, error) {
	wanted, err := originals(recorders)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pkg, err)
	}
	made := &renamed{sources: map[string][]byte{}}
	found := map[original]bool{}
	for name, source := range files {
		changed, err := renameIn(name, source, wanted, found)
		if err != nil {
			return nil, err
		}
		if changed != nil {
			made.sources[name] = changed
		}
	}
	for _, o := range wanted {
		if !found[o] {
			err = errors.Join(err, fmt.Errorf("%s no longer has a function %s: change or remove its recorder", pkg, o))
		}
		made.functions = append(made.functions, path.Base(pkg)+"."+o.String())
	}
	return made, err
}

// original is a function that has a recorder.
type original struct{ receiver, name string }

func (o original) String() string { return strings.TrimPrefix(o.receiver+"."+o.name, ".") }

// originals returns the functions that recorders call with the prefix.
func originals(source []byte) ([]original, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "recorders", source, 0)
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
				all = append(all, originalOf(f))
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

func originalOf(f *ast.FuncDecl) original {
	receiver := ""
	if f.Recv != nil && len(f.Recv.List) == 1 {
		typ := f.Recv.List[0].Type
		if star, isPointer := typ.(*ast.StarExpr); isPointer {
			typ = star.X
		}
		if name, isName := typ.(*ast.Ident); isName {
			receiver = name.Name
		}
	}
	return original{receiver, f.Name.Name}
}

// renameIn renames the originals in one file and marks them as found. It returns nil if the file has
// none.
func renameIn(name string, source []byte, wanted []original, found map[original]bool) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, 0)
	if err != nil {
		return nil, err
	}
	var at []int
	for _, declaration := range file.Decls {
		f, ok := declaration.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if o := originalOf(f); slices.Contains(wanted, o) {
			found[o] = true
			at = append(at, set.PositionFor(f.Name.Pos(), false).Offset)
		}
	}
	if len(at) == 0 {
		return nil, nil
	}
	renamed := slices.Clone(source)
	for _, offset := range slices.Backward(at) {
		renamed = slices.Insert(renamed, offset, []byte(unrecorded)...)
	}
	return renamed, nil
}
