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
	for _, name := range strings.Fields("bufio context json fmt io os field handlers handle decoded review answer main kinds metav1 " +
		"ctx object old errs err read before call in out line string error any new map len append func apis during knative plain strings " +
		"sort base64 reflect operation operations changes defaulters defaults warned said escaped") {
		names.taken[name] = "-"
	}
	type called struct{ Call, Source string }
	call := func(f *Function) called {
		text := f.call(names)
		switch f.Returns {
		case FieldErrors, Setter:
		case FailingSetter:
			text = "if err := " + text + "; err != nil {\nreturn err\n}"
		default:
			text = string(f.Returns) + "(" + text + ")"
		}
		return called{text, f.Source}
	}
	type drawn struct {
		Kind, Type               string
		Create, Update, Defaults []called
	}
	data := struct {
		Folder     string
		Imports    []string
		Validators []drawn
		Knative    bool
		Warned     bool
		Defaults   bool
	}{Folder: path.Join(folder, FunctionsFolder)}
	for _, v := range validators {
		one := drawn{Kind: v.Kind, Type: names.of(v.TypeImport) + "." + v.Type}
		for _, f := range v.Create {
			one.Create = append(one.Create, call(f))
		}
		for _, f := range v.Update {
			one.Update = append(one.Update, call(f))
		}
		for _, f := range v.Defaults {
			one.Defaults = append(one.Defaults, call(f))
		}
		data.Validators = append(data.Validators, one)
		returns := func(form ErrorForm) bool {
			return slices.ContainsFunc(v.All(), func(f *Function) bool { return f.Returns == form })
		}
		data.Knative, data.Warned = data.Knative || returns(KnativeErrors), data.Warned || returns(WarnedError)
		data.Defaults = data.Defaults || len(v.Defaults) > 0
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
	switch {
	case f.Receiver != "":
		expr = "(&" + names.of(f.Import) + "." + f.Receiver + "{})"
	case !f.Method:
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
