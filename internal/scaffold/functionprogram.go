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

//go:embed client.go.tmpl
var clientText string

var clientTemplate = template.Must(template.New("client").Parse(clientText))

// functionData is what the template of the program reads.
type functionData struct {
	Folder                            string
	Imports                           []string
	Validators                        []functionKind
	Knative, Warned, Defaults, Client bool
}

// functionKind has the calls for the objects of a kind.
type functionKind struct {
	Kind, Type               string
	Create, Update, Defaults []functionCall
}

type functionCall struct{ Call, Source string }

// locals are the names of parameters and variables around the calls.
const locals = "ctx object old errs err"

// FunctionProgram returns the files of a program that serves functions that return field errors, by their names. It uses the
// standard library and the libraries of the project, in its versions.
func (p *Project) FunctionProgram(folder string, validators []*Validator) (map[string][]byte, error) {
	data := functionData{Folder: path.Join(folder, FunctionsFolder)}
	returns := func(v *Validator, form ErrorForm) bool {
		return slices.ContainsFunc(v.All(), func(f *Function) bool { return f.Returns == form })
	}
	for _, v := range validators {
		data.Knative, data.Warned = data.Knative || returns(v, KnativeErrors), data.Warned || returns(v, WarnedError)
		data.Defaults = data.Defaults || len(v.Defaults) > 0
		data.Client = data.Client || slices.ContainsFunc(slices.Concat(v.All(), v.Defaults), func(f *Function) bool {
			return len(f.Clients) > 0
		})
	}
	files := map[string][]byte{"panics.go": panicsSource}
	if data.Client {
		addCluster(files)
		own, err := goFile(clientTemplate, programData{})
		if err != nil {
			return nil, err
		}
		names, err := reserved(files, own)
		if err != nil {
			return nil, err
		}
		client := programData{Schemes: p.schemes(names), ClusterScoped: p.clusterScoped(), Imports: names.sorted()}
		if files["client.go"], err = goFile(clientTemplate, client); err != nil {
			return nil, err
		}
	}
	main, err := goFile(functionsTemplate, data)
	if err != nil {
		return nil, err
	}
	names, err := reserved(files, main)
	if err != nil {
		return nil, err
	}
	for _, name := range strings.Fields(locals) {
		names.taken[name] = "-"
	}
	for _, v := range validators {
		data.Validators = append(data.Validators, functionKind{
			Kind: v.Kind, Type: names.of(v.TypeImport) + "." + v.Kind,
			Create: drawnCalls(names, v.Create, v.Part), Update: drawnCalls(names, v.Update, v.Part),
			Defaults: drawnCalls(names, v.Defaults, ""),
		})
	}
	data.Imports = names.sorted()
	if files["main.go"], err = goFile(functionsTemplate, data); err != nil {
		return nil, fmt.Errorf("the program that serves functions: %w", err)
	}
	return files, nil
}

// drawnCalls returns the calls of functions in the form in which the program uses their errors.
func drawnCalls(names *importNames, functions []*Function, part string) (all []functionCall) {
	for _, f := range functions {
		text := f.call(names, part)
		switch f.Returns {
		case FieldErrors, Setter:
		case FailingSetter:
			text = "if err := " + text + "; err != nil {\nreturn err\n}"
		default:
			text = string(f.Returns) + "(" + text + ")"
		}
		all = append(all, functionCall{text, f.Source})
	}
	return all
}

// call returns a call of the function with the variables of the program, or with a field of the objects.
func (f *Function) call(names *importNames, part string) string {
	within := func(object string) string {
		if part == "" {
			return object
		}
		return object + "." + part
	}
	expr := within("object")
	switch {
	case f.Receiver != "":
		var set []string
		for _, name := range f.Clients {
			set = append(set, name+": clusterClient")
		}
		expr = "(&" + names.of(f.Import) + "." + f.Receiver + "{" + strings.Join(set, ", ") + "})"
	case !f.Method:
		expr = names.of(f.Import)
	}
	var arguments []string
	for _, parameter := range f.Parameters {
		argument := map[ParameterKind]string{
			ContextParameter: "ctx",
			PathParameter:    "nil",
			ObjectParameter:  within("object"),
			OldParameter:     within("old"),
		}[parameter.Kind]
		switch isObject := parameter.Kind == ObjectParameter || parameter.Kind == OldParameter; {
		case part != "" && parameter.Kind == PathParameter:
			argument = `field.NewPath("spec")`
		case part != "" && isObject && !parameter.ByValue:
			argument = "&" + argument
		case part == "" && parameter.ByValue:
			argument = "*" + argument
		}
		arguments = append(arguments, argument)
	}
	return expr + "." + f.Name + "(" + strings.Join(arguments, ", ") + ")"
}
