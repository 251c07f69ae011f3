package scaffold

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"text/template"
)

//go:embed functions.go.tmpl
var functionsText string

var functionsTemplate = template.Must(template.New("functions").Parse(functionsText))

// FunctionsFolder is the folder of the program that serves functions, in that of the plan.
const FunctionsFolder = "validators"

// FunctionProgram returns the file of a program that serves functions that return field errors. It uses the
// standard library and the libraries of the project, in its versions.
func (p *Project) FunctionProgram(folder string, validators []*Validator) ([]byte, error) {
	names := &importNames{taken: map[string]string{}}
	for _, name := range strings.Fields("bufio context json fmt io os field validators validate review answer main kinds " +
		"ctx object old errs err read before call in out line string error any new map len append func apis during knative plain strings " +
		"sort") {
		names.taken[name] = "-"
	}
	type called struct{ Call, Source string }
	call := func(f *Function) called {
		text := f.call(names)
		if f.Returns != FieldErrors {
			text = string(f.Returns) + "(" + text + ")"
		}
		return called{text, f.Source}
	}
	type drawn struct {
		Kind, Type     string
		Create, Update []called
	}
	data := struct {
		Folder     string
		Imports    []string
		Validators []drawn
		Knative    bool
	}{Folder: path.Join(folder, FunctionsFolder)}
	for _, v := range validators {
		one := drawn{Kind: v.Kind, Type: names.of(v.TypeImport) + "." + v.Type}
		for _, f := range v.Create {
			one.Create = append(one.Create, call(f))
		}
		for _, f := range v.Update {
			one.Update = append(one.Update, call(f))
		}
		data.Validators = append(data.Validators, one)
		data.Knative = data.Knative || slices.ContainsFunc(v.All(), func(f *Function) bool { return f.Returns == KnativeErrors })
	}
	data.Imports = names.sorted()
	source, err := goFile(functionsTemplate, data)
	if err != nil {
		return nil, fmt.Errorf("the program that serves functions: %w", err)
	}
	return source, nil
}

// call returns a call of the function with the variables of the program.
func (f *Function) call(names *importNames) string {
	expr := "object"
	if !f.Method {
		expr = names.of(f.Import)
	}
	var arguments []string
	for _, parameter := range f.Parameters {
		argument := map[ParameterKind]string{
			ContextParameter: "ctx",
			PathParameter:    "nil",
			ObjectParameter:  "object",
			OldParameter:     "old",
		}[parameter.Kind]
		if parameter.ByValue {
			argument = "*" + argument
		}
		arguments = append(arguments, argument)
	}
	return expr + "." + f.Name + "(" + strings.Join(arguments, ", ") + ")"
}
