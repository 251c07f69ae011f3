package scaffold

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strings"
)

// Function is an exported function that validates objects and returns errors, or sets their defaults.
type Function struct {
	// Returns is the form of the errors.
	Returns      ErrorForm
	Source, Name string
	// Import is the path of its package.
	Import string
	// Type is the Go type of the object, without its package, and TypeImport the path of that package.
	Type, TypeImport string
	// Method reports whether the object is the receiver.
	Method bool
	// Receiver is the type of a method that takes the object: an implementation of an interface of controller-runtime.
	Receiver string
	// Fields are the names of its fields that are zero, and Clients those that are clients of a cluster.
	Fields, Clients []string
	// Parameters are those in parentheses.
	Parameters []Parameter
	calls      []string // names of functions
}

// Parameter is a parameter of a Function.
type Parameter struct {
	// Kind says what to pass.
	Kind ParameterKind
	// ByValue reports whether an object is no pointer.
	ByValue bool
}

// ErrorForm is the form in which a Function returns errors.
type ErrorForm string

// The forms of errors. Only methods of certain names return others than a field.ErrorList.
const (
	FieldErrors   ErrorForm = ""        // field.ErrorList
	KnativeErrors ErrorForm = "knative" // *apis.FieldError
	PlainError    ErrorForm = "plain"   // error
	WarnedError   ErrorForm = "warned"  // admission.Warnings and error
	FailingSetter ErrorForm = "failing" // error of a method that sets defaults
	Setter        ErrorForm = "setter"  // nothing: it sets defaults
)

// knativePackage has the errors of knative's validators.
const knativePackage = "knative.dev/pkg/apis"

// formOf returns the form of the errors that a function returns.
func formOf(d *ast.FuncDecl, imports map[string]string) (form ErrorForm, is bool) {
	var results []string
	for _, result := range fieldsOfList(d.Type.Results) {
		results = append(results, types.ExprString(result.Type))
	}
	of, name := strings.Join(results, ", "), d.Name.Name
	isWebhook := d.Recv != nil && (name == "ValidateCreate" || name == "ValidateUpdate")
	isMethod := d.Recv != nil && name == "Validate"
	switch {
	case of == "field.ErrorList":
		return FieldErrors, true
	case of == "error" && d.Recv != nil && name == "Default":
		return FailingSetter, true
	case of == "error":
		return PlainError, isMethod || isWebhook
	case strings.HasSuffix(of, ".Warnings, error"):
		return WarnedError, isWebhook
	case of == "":
		return Setter, d.Recv != nil && (name == "Default" || name == "SetDefaults")
	case strings.HasPrefix(of, "*") && strings.HasSuffix(of, ".FieldError"):
		return KnativeErrors, isMethod && imports[strings.TrimSuffix(of[1:], ".FieldError")] == knativePackage
	}
	return "", false
}

// ParameterKind is what a parameter of a Function takes.
type ParameterKind string

// The kinds of parameters.
const (
	ContextParameter ParameterKind = "context"
	PathParameter    ParameterKind = "path"
	ObjectParameter  ParameterKind = "object"
	OldParameter     ParameterKind = "old"
)

// errorFunction returns a function of a package that takes objects of one type and returns errors.
func errorFunction(d *ast.FuncDecl, pkg string, imports map[string]string) (f Function, is bool) {
	form, is := formOf(d, imports)
	if !ast.IsExported(d.Name.Name) || d.Type.TypeParams != nil || !is {
		return f, false
	}
	f.Name, f.Import, f.Returns = d.Name.Name, pkg, form
	if d.Recv != nil {
		receiver, generic := receiverType(d.Recv.List[0].Type)
		if generic {
			return f, false
		}
		if takesObject(d) {
			f.Receiver = receiver
			f.Type, f.TypeImport = assertedType(d.Body, pkg, imports)
			if !ast.IsExported(receiver) {
				return f, false
			}
		} else {
			f.Method, f.Type, f.TypeImport = true, receiver, pkg
		}
	}
	for _, parameter := range fieldsOfList(d.Type.Params) {
		if !f.takes(parameter.Names[0].Name, types.ExprString(parameter.Type), imports) {
			return f, false
		}
	}
	return f, ast.IsExported(f.Type) || f.Receiver != "" && f.Type == ""
}

// takes adds a parameter. It returns false if it is unknown what to pass.
func (f *Function) takes(name, of string, imports map[string]string) bool {
	switch of {
	case "context.Context":
		f.Parameters = append(f.Parameters, Parameter{Kind: ContextParameter})
		return true
	case "*field.Path":
		f.Parameters = append(f.Parameters, Parameter{Kind: PathParameter})
		return true
	}
	pointed, isPointer := strings.CutPrefix(of, "*")
	pkg, base, qualified := strings.Cut(pointed, ".")
	from := imports[pkg]
	if !qualified {
		base, from = pointed, f.Import
	}
	if from == runtimePackage && base == "Object" && (f.Receiver != "" || f.Name == "ValidateUpdate") {
		base, from, isPointer = f.Type, f.TypeImport, true
	} else if f.Type == "" {
		f.Type, f.TypeImport = base, from
	}
	kind := ObjectParameter
	switch objects := f.objects(); {
	case base != f.Type || from != f.TypeImport || from == "" && f.Receiver == "" || len(objects) == 2 || f.Method && len(objects) == 1:
		return false
	case f.Method:
		kind = OldParameter
	case len(objects) == 1:
		kind = OldParameter
		if first := &f.Parameters[objects[0]]; first.Kind == OldParameter {
			kind = ObjectParameter
		}
	case strings.HasPrefix(strings.ToLower(name), "old"), f.Receiver != "" && f.Name == "ValidateUpdate":
		kind = OldParameter // the new object follows
	}
	f.Parameters = append(f.Parameters, Parameter{Kind: kind, ByValue: !isPointer})
	return true
}

// objects returns the indices of the parameters that are objects.
func (f *Function) objects() (at []int) {
	for i, parameter := range f.Parameters {
		if parameter.Kind == ObjectParameter || parameter.Kind == OldParameter {
			at = append(at, i)
		}
	}
	return at
}

// forUpdates reports whether a function is for updates alone. Another one that takes an old object gets nil for a new
// object.
func (f *Function) forUpdates() bool {
	return slices.ContainsFunc(f.Parameters, func(p Parameter) bool {
		return p.Kind == OldParameter && (p.ByValue || strings.Contains(f.Name, "Update"))
	})
}

// takesOld reports whether a function takes an old object.
func (f *Function) takesOld() bool {
	return slices.ContainsFunc(f.Parameters, func(p Parameter) bool { return p.Kind == OldParameter })
}

// isVisible reports whether a program in the module can import a package.
func (p *Project) isVisible(pkg string) bool {
	before, _, internal := strings.Cut(pkg+"/", "/internal/")
	return !internal || before == p.Module
}

// Validator has the functions that validate the objects of a definition.
type Validator struct {
	Kind string
	// Part is the field that all functions take in place of the object; empty: they take the object.
	Part string
	// TypeImport is the package of the Go type, whose name is the kind.
	TypeImport string
	// Version is that of the type.
	Version string
	// Create and Update are called for new objects, and for updates.
	Create, Update []*Function
	// Defaults are called in front of them, as a mutating webhook.
	Defaults []*Function
}

// All returns the functions, each once.
func (v *Validator) All() []*Function {
	all := slices.Clone(v.Create)
	for _, f := range v.Update {
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// Unserved returns the validators of definitions that no webhook validates. served are the paths of webhooks that the
// project serves.
func (p *Project) Unserved(served []string) []*Validator {
	plan := &Plan{Project: &Project{Definitions: p.Definitions, Webhooks: p.Webhooks}} // what it leaves open is said later
	var all []*Validator
	for _, d := range p.Definitions {
		if v := p.validator(d); v != nil && plan.webhook(d, served, false) == nil {
			all = append(all, v)
		}
	}
	return all
}

// Validators returns the functions that validate the objects of definitions. If one calls the other, it is
// the one that is called.
func (p *Project) Validators() []*Validator {
	var all []*Validator
	for _, d := range p.Definitions {
		if v := p.validator(d); v != nil {
			all = append(all, v)
		}
	}
	return all
}

func (p *Project) validator(d *Definition) *Validator {
	if p.sharesKind(d.CRD.Spec.Names.Kind) {
		return nil // functions are of a kind, whatever its group
	}
	of := p.functionsOf(d, "")
	if of == nil {
		of = p.functionsOf(d, specPart)
	}
	if of == nil {
		return nil
	}
	if slices.ContainsFunc(of.All(), (*Function).isWebhook) { // they call what a webhook calls
		isOther := func(f *Function) bool { return !f.isWebhook() }
		of.Create, of.Update = slices.DeleteFunc(of.Create, isOther), slices.DeleteFunc(of.Update, isOther)
		return of
	}
	create, update := of.Create, of.Update
	all := slices.Concat(create, update)
	of.Create = uncalled(create, create, create)
	// A function of new objects that takes no old one cannot do what one of updates does.
	of.Update = uncalled(update, slices.DeleteFunc(slices.Clone(all), func(f *Function) bool { return !f.takesOld() }), all)
	callsCreate := slices.ContainsFunc(of.Update, func(f *Function) bool {
		return slices.ContainsFunc(create, func(other *Function) bool { return f.reaches(other, all) })
	})
	if !callsCreate {
		of.Update = slices.Concat(of.Create, of.Update)
	}
	return of
}

// specPart is the field of an object that functions may take in its place, and the end of the name of its type.
const specPart = "Spec"

// functionsOf returns the functions that take the objects of a definition, or a part of them.
func (p *Project) functionsOf(d *Definition, part string) (of *Validator) {
	kind := d.CRD.Spec.Names.Kind
	var setters []*Function
	for i := range p.Functions {
		f := &p.Functions[i]
		version := path.Base(f.TypeImport)
		usable := slices.Contains(d.served(), version) && !isTest(path.Dir(f.Source)) && p.isVisible(f.Import) &&
			p.isVisible(f.TypeImport) && (f.Method || len(f.objects()) > 0)
		if usable && f.setsDefaults() && f.Type == kind {
			setters = append(setters, f)
		}
		usable = usable && !f.setsDefaults() && f.Type == kind+part && (part == "" || p.isPart(f))
		if !usable || of != nil && of.TypeImport != f.TypeImport && version != d.stored() {
			continue
		}
		if of != nil && of.TypeImport != f.TypeImport && of.Version != d.stored() {
			of = nil // the stored version has functions, too
		}
		if of != nil && of.TypeImport != f.TypeImport {
			continue
		}
		if of == nil {
			of = &Validator{Kind: kind, Part: part, TypeImport: f.TypeImport, Version: version}
		}
		if f.forUpdates() {
			of.Update = append(of.Update, f)
		} else {
			of.Create = append(of.Create, f)
		}
	}
	if of != nil {
		of.Defaults = slices.DeleteFunc(setters, func(f *Function) bool { return f.TypeImport != of.TypeImport })
	}
	return of
}

// isPart reports whether a function can be called with the part of an object: the Go type has that as a field, and no old object is
// missing.
func (p *Project) isPart(f *Function) bool {
	folder, ours := strings.CutPrefix(f.TypeImport, p.Module+"/")
	of := p.goTypes[folder]
	return ours && of != nil && of.specs[f.Type] && (!f.takesOld() || f.forUpdates())
}

// uncalled returns functions without those that a caller calls. Functions that call each other stay, because a name alone
// does not tell a call from one of a different function of that name, and a lost error is worse than a repeated one.
func uncalled(functions, callers, all []*Function) []*Function {
	return slices.DeleteFunc(slices.Clone(functions), func(f *Function) bool {
		return slices.ContainsFunc(callers, func(other *Function) bool { return other.reaches(f, all) && !f.reaches(other, all) })
	})
}

// reaches reports whether a function calls another one of all, directly or through others of them.
func (f *Function) reaches(other *Function, all []*Function) bool {
	reached := []*Function{f}
	for i := 0; i < len(reached); i++ {
		for _, next := range all {
			if slices.Contains(reached[i].calls, next.Name) && !slices.Contains(reached, next) {
				reached = append(reached, next)
			}
		}
	}
	return other != f && slices.Contains(reached, other)
}
