package release

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/staging"
)

// The constructors of validation errors.
const (
	constructorsModule = "k8s.io/apimachinery"
	constructorsFile   = "pkg/util/validation/field/errors.go"
)

// copiedModules is the folder for copies of modules in the module of the program.
const copiedModules = "k8s.io"

// reportErrors puts a copy of the module with the constructors of validation errors into the module of the program. In
// the copy they call field.Made, so that the program knows the function behind each error. The go command does not
// accept an overlay for files of its module cache.
func reportErrors(ctx context.Context, dir, release string) error {
	original, err := staging.Download(ctx, constructorsModule, staging.Version(release))
	if err != nil {
		return err
	}
	copied := filepath.Join(copiedModules, filepath.Base(original.Dir))
	if err := copyModule(original.Dir, filepath.Join(dir, copied)); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(original.Dir, filepath.FromSlash(constructorsFile)))
	if err != nil {
		return err
	}
	if text, err = reportingConstructors(text); err != nil {
		return err
	}
	if err := outfile.Write(filepath.Join(dir, copied, filepath.FromSlash(constructorsFile)), text); err != nil {
		return err
	}
	_, err = staging.Go(ctx, dir, "mod", "edit", "-replace="+constructorsModule+"=./"+filepath.ToSlash(copied))
	return err
}

// copyModule copies the files of a module, without tests.
func copyModule(from, to string) error {
	return filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		copied := filepath.Join(to, strings.TrimPrefix(name, from))
		if err := os.MkdirAll(filepath.Dir(copied), 0o755); err != nil {
			return err
		}
		return outfile.Write(copied, text)
	})
}

// madeText is added to the package of the constructors.
const madeText = `
// Made, if it is set, is called with each error that a constructor returns.
var Made func(*Error)

func made(err *Error) *Error {
	if Made != nil {
		Made(err)
	}
	return err
}
`

// reportingConstructors returns the source of the constructors with a call of made in each return of an error.
func reportingConstructors(source []byte) ([]byte, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "errors.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	type insertion struct {
		at   int
		text string
	}
	var all []insertion
	ast.Inspect(file, func(node ast.Node) bool {
		returned, ok := node.(*ast.ReturnStmt)
		if !ok || len(returned.Results) != 1 {
			return true
		}
		address, ok := returned.Results[0].(*ast.UnaryExpr)
		if !ok || address.Op != token.AND {
			return true
		}
		literal, ok := address.X.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if of, ok := literal.Type.(*ast.Ident); ok && of.Name == "Error" {
			all = append(all, insertion{files.Position(address.Pos()).Offset, "made("},
				insertion{files.Position(address.End()).Offset, ")"})
		}
		return true
	})
	if len(all) == 0 {
		return nil, errors.New(constructorsModule + "/" + constructorsFile + " has no constructors of errors")
	}
	for _, one := range slices.Backward(all) {
		source = slices.Insert(slices.Clone(source), one.at, []byte(one.text)...)
	}
	return append(source, madeText...), nil
}
