package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/idl"
)

// tagLine is a line of k8s.io/api with a tag, and whether cases reach and break it.
type tagLine struct {
	file        string
	line        int
	text        string
	owner       string // the Go type, such as resource/v1.Device
	field       string // its name in JSON; empty: the tag is the type's
	definition  string
	unexpressed string
	// made is true if a schema of a kind has the type; expressed, if the line made a place of it.
	made, expressed bool
	reached, broken bool
}

// tagLines are lines by their places: "resource/v1/types.go:12".
type tagLines map[string]*tagLine

func (l tagLines) at(file string, line int) *tagLine { return l[fmt.Sprintf("%s:%d", file, line)] }

// reach records that a definition is part of a schema.
func (l tagLines) reach(definition string) {
	for _, line := range l {
		line.made = line.made || line.definition == definition
	}
}

// otherGenerators are the tags of other generators than validation-gen.
var otherGenerators = regexp.MustCompile(`^\+k8s:(deepcopy|conversion|defaulter|openapi|protobuf|prerelease|validation-gen|` +
	`register|deprecated)`)

// readTagLines reads the types of k8s.io/api.
func readTagLines(t *testing.T, api string) tagLines {
	t.Helper()
	lines := tagLines{}
	err := filepath.WalkDir(api, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "types.go" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, path, data, parser.ParseComments)
		if err != nil {
			return err
		}
		lines.read(files, parsed, filepath.ToSlash(strings.TrimPrefix(path, api+string(filepath.Separator))))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func (l tagLines) read(files *token.FileSet, parsed *ast.File, file string) {
	owners := ownersOf(files, parsed)
	folder := filepath.ToSlash(filepath.Dir(file))
	for _, group := range parsed.Comments {
		for _, comment := range group.List {
			text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
			if !strings.HasPrefix(text, "+k8s:") || otherGenerators.MatchString(text) {
				continue
			}
			at := files.Position(comment.Pos()).Line
			made := &tagLine{file: file, line: at, text: text}
			for next := at + 1; next < at+200; next++ {
				if of, ok := owners[next]; ok {
					made.owner, made.field = folder+"."+of[0], of[1]
					made.definition = idl.TypeName{Package: "k8s.io/api/" + folder, Name: of[0]}.Definition()
					break
				}
			}
			l[fmt.Sprintf("%s:%d", file, at)] = made
		}
	}
}

// ownersOf returns the type and the field that begin on a line. A constant has its type.
func ownersOf(files *token.FileSet, parsed *ast.File) map[int][2]string {
	owners := map[int][2]string{}
	for _, declared := range parsed.Decls {
		general, _ := declared.(*ast.GenDecl)
		if general == nil {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				if of, ok := spec.Type.(*ast.Ident); ok {
					owners[files.Position(spec.Pos()).Line] = [2]string{of.Name, ""}
				}
			case *ast.TypeSpec:
				owners[files.Position(spec.Pos()).Line] = [2]string{spec.Name.Name, ""}
				body, _ := spec.Type.(*ast.StructType)
				if body == nil {
					continue
				}
				for _, field := range body.Fields.List {
					owners[files.Position(field.Pos()).Line] = [2]string{spec.Name.Name, jsonName(field)}
				}
			}
		}
	}
	return owners
}

func jsonName(field *ast.Field) string {
	tag := ""
	if field.Tag != nil {
		tag, _, _ = strings.Cut(reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json"), ",")
	}
	if tag == "" && len(field.Names) > 0 {
		tag = field.Names[0].Name
	}
	if tag == "" {
		tag = "metadata" // what is inlined in these types
	}
	return tag
}

var (
	tagWrapper = regexp.MustCompile(`^\+k8s:(alpha|beta|ifEnabled|ifDisabled)(\([^)]*\))?=`)
	tagName    = regexp.MustCompile(`^\+k8s:(\w+)`)
)

// tag is the name of the tag inside the stages and options.
func (l *tagLine) tag() string {
	text := l.text
	for tagWrapper.MatchString(text) {
		text = tagWrapper.ReplaceAllString(text, "")
	}
	name := tagName.FindStringSubmatch(text)[1]
	if strings.HasSuffix(text, "=+k8s:optional") {
		name = "optional" // of a subfield, or of a member of a union
	}
	if name == "listType" || name == "unique" {
		name, _, _ = strings.Cut(strings.TrimPrefix(text, "+k8s:"), " ")
	}
	return name
}
