package instrument

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// function instruments a function that is wanted and a validator, and the handlers of HTTP
// requests in it.
func (r *rewriter) function(f *ast.FuncDecl) {
	if f.Body != nil {
		r.literals(f)
	}
	name := r.of.Path + "." + methodName(f)
	is := r.imports.kindOf(f, r.of.aliases)
	adapter, results := r.adapterFor(f)
	if is == noValidator && r.wantsAdapter(name, adapter, f.Name.Name) {
		is = adapted
	}
	takesObject := r.imports.takesObject(f) || r.of.Parts && f.Recv != nil && r.imports.mayBeObject(f.Recv.List[0].Type)
	if is == noValidator && takesObject && (adapter > goError || adapter != noErrors &&
		strings.HasPrefix(strings.ToLower(f.Name.Name), "validate")) {
		r.result.Near = append(r.result.Near,
			Refusal{name, fmt.Sprintf("it returns %s, which is recorded only if --func names the function", results)})
	}
	// An HTTP handler that the API server calls need not be exported.
	if !r.of.Wanted(name, f.Name.IsExported() || is == server) {
		return
	}
	if is == noValidator || is != handler && is != server && !takesObject {
		if is != noValidator && r.of.Exact != nil && r.of.Exact(name) {
			r.result.Near = append(r.result.Near, Refusal{name, "none of its parameters is a pointer to an object"})
		}
		return
	}
	r.instrument(f, name, is)
}

// literals instruments the HTTP handlers that are function literals in a function. The first is named
// Function.handler1.
func (r *rewriter) literals(f *ast.FuncDecl) {
	count := 0
	ast.Inspect(f.Body, func(node ast.Node) bool {
		literal, ok := node.(*ast.FuncLit)
		if !ok {
			return true
		}
		if writer, request := r.imports.serves(literal.Type); writer == nil || request == nil {
			return true
		}
		count++
		if name := fmt.Sprintf("%s.%s.handler%d", r.of.Path, methodName(f), count); r.of.Wanted(name, true) {
			r.instrument(&ast.FuncDecl{Name: ast.NewIdent("handler"), Type: literal.Type, Body: literal.Body}, name, server)
		}
		return true
	})
}

// instrument instruments a function, or adds a refusal with the reason.
func (r *rewriter) instrument(f *ast.FuncDecl, name string, is kind) {
	if reason := r.refuse(f); reason != "" {
		r.result.Refused = append(r.result.Refused, Refusal{name, reason})
		return
	}
	read := ""
	if is == adapted {
		_, read = r.adapterFor(f)
	}
	r.result.Functions = append(r.result.Functions, Function{
		Errors: read,
		Name:   name, Callable: is != server && f.Recv == nil && f.Type.TypeParams == nil && f.Name.IsExported(),
		Parameters: r.wrap(f, name, is), Old: r.oldFirst(f),
	})
}

// oldFirst reports whether the first of two objects is the old one by its name.
func (r *rewriter) oldFirst(f *ast.FuncDecl) bool {
	objects := r.objectParameters(f)
	return len(objects) > 1 && isOld(objects[0]) && !isOld(objects[1])
}

// methodName returns "Function" or "Type.Method".
func methodName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return f.Name.Name
	}
	_, receiver := imports{}.named(f.Recv.List[0].Type)
	return receiver + "." + f.Name.Name
}

// refuse returns the reason why a function cannot be instrumented, or "".
func (r *rewriter) refuse(f *ast.FuncDecl) (reason string) {
	switch {
	case f.Body == nil:
		return "it has no body in Go"
	case slices.ContainsFunc(r.file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` }):
		return "its file uses cgo"
	}
	ast.Inspect(f.Body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return false // its recover is not one of this function
		case *ast.CallExpr:
			if id, ok := node.Fun.(*ast.Ident); ok && id.Name == "recover" {
				reason = "it calls recover itself, which works only in the deferred function itself"
			}
		}
		return true
	})
	return reason
}

// wrap turns the body of a function into a function literal whose call is recorded. It returns the
// names of the parameters.
func (r *rewriter) wrap(f *ast.FuncDecl, name string, is kind) []string {
	receiver := ""
	var values []string
	if f.Recv != nil {
		receiver = r.names(f.Recv, "diffrunReceiver")[0]
		values = append(values, receiver)
	}
	parameters := r.names(f.Type.Params, "diffrunParameter")
	values = append(values, parameters...)
	described := r.described(f, name, receiver, parameters, is)
	start := fmt.Sprintf("Start(&%s, %s)", described, strings.Join(values, ", "))
	if is == server {
		writer, request := r.served(f.Type, parameters)
		start = fmt.Sprintf("Serve(&%s, &%s, %s)", described, writer,
			strings.Join(append([]string{request}, values[:len(values)-len(parameters)]...), ", "))
	}
	r.insert(f.Body.Lbrace+1, " diffrunCall := %s.%s; defer diffrunCall.Close(); %s", recorderName, start, r.baseline(f, parameters))
	if f.Type.Results.NumFields() == 0 {
		r.insert(f.Body.Lbrace+1, "func() {")
		r.insert(f.Body.Rbrace, "}(); diffrunCall.End() ")
		return parameters
	}
	var results []string
	for i := range f.Type.Results.NumFields() {
		results = append(results, fmt.Sprintf("diffrunResult%d", i))
	}
	given := strings.Join(results, ", ")
	r.insert(f.Body.Lbrace+1, "%s := func() %s {", given, r.resultTypes(f))
	ended := given
	if is == adapted {
		ended = strings.Join(r.adaptedResults(f, results), ", ")
	}
	r.insert(f.Body.Rbrace, "}(); diffrunCall.End(%s); return %s ", ended, given)
	return parameters
}

// served returns the names of the writer and the request of a handler, out of the names of all
// parameters.
func (r *rewriter) served(f *ast.FuncType, names []string) (writer, request string) {
	w, q := r.imports.serves(f)
	at := 0
	for _, parameter := range f.Params.List {
		switch parameter {
		case w:
			writer = names[at]
		case q:
			request = names[at]
		}
		at += max(len(parameter.Names), 1)
	}
	return writer, request
}

// names returns the names of the parameters of a list. Parameters without a name get one.
func (r *rewriter) names(list *ast.FieldList, unnamed string) []string {
	var names []string
	for _, field := range list.List {
		if len(field.Names) == 0 {
			name := fmt.Sprintf("%s%d", unnamed, len(names))
			r.insert(field.Type.Pos(), "%s ", name)
			names = append(names, name)
		}
		for _, id := range field.Names {
			name := id.Name
			if name == "_" {
				name = fmt.Sprintf("%s%d", unnamed, len(names))
				// "_" is a letter of the new name.
				r.insert(id.Pos(), "%s", strings.TrimSuffix(name, "_"))
				name += "_"
			}
			names = append(names, name)
		}
	}
	return names
}

// resultTypes returns the source of the result types. If a parameter hides the package of a type, the
// type gets an alias after the last line.
func (r *rewriter) resultTypes(f *ast.FuncDecl) string {
	hidden := map[string]bool{}
	for _, list := range []*ast.FieldList{f.Recv, f.Type.Params, f.Type.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, id := range field.Names {
				hidden[id.Name] = true
			}
		}
	}
	var parts []string
	for _, field := range f.Type.Results.List {
		text := r.text(field.Type)
		if uses(field.Type, hidden) {
			alias := fmt.Sprintf("diffrunType%d", r.offset(field.Pos()))
			fmt.Fprintf(&r.appended, "\ntype %s = %s\n", alias, text)
			text = alias
		}
		var names []string
		for _, id := range field.Names {
			names = append(names, id.Name)
		}
		parts = append(parts, strings.TrimSpace(strings.Join(names, ", ")+" "+text))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// uses reports whether the source of a type contains one of the names.
func uses(expr ast.Expr, names map[string]bool) (found bool) {
	ast.Inspect(expr, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			id, ok := node.X.(*ast.Ident)
			found = found || ok && names[id.Name]
			return false
		case *ast.Ident:
			found = found || names[node.Name]
		}
		return true
	})
	return found
}

// described returns the source of a recorder.Function.
func (r *rewriter) described(f *ast.FuncDecl, name, receiver string, parameters []string, is kind) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s.Function{Name: %q, Parameters: []string{", recorderName, name)
	for i, parameter := range parameters {
		if i > 0 {
			text.WriteString(", ")
		}
		fmt.Fprintf(&text, "%q", parameter)
	}
	text.WriteString("}")
	if receiver != "" {
		fmt.Fprintf(&text, ", Receiver: %q", receiver)
	}
	objects := r.objectParameters(f)
	for _, flag := range []struct {
		name string
		set  bool
	}{
		{"Old", r.oldFirst(f)},
		{"OldOnly", f.Recv != nil && len(objects) == 1 && isOld(objects[0])},
		{"Deletes", f.Name.Name == "ValidateDelete"},
		{"Handler", is == handler},
		{"Parts", r.of.Parts},
		{"Nested", r.of.Nested},
	} {
		if flag.set {
			text.WriteString(", " + flag.name + ": true")
		}
	}
	text.WriteString("}")
	return text.String()
}

// objectParameters returns the names of the parameters that may be objects: two of the same type, one
// of which has the name of an old object, or else the first ones after a context.
func (r *rewriter) objectParameters(f *ast.FuncDecl) []string {
	var groups [][]string
	last := ""
	for _, field := range f.Type.Params.List {
		text := r.text(field.Type)
		if path, name := r.imports.named(field.Type); path == contextPackage && name == "Context" || !r.imports.mayBeObject(field.Type) {
			last = ""
			continue
		}
		if text != last {
			groups = append(groups, nil)
		}
		last = text
		for _, id := range field.Names {
			groups[len(groups)-1] = append(groups[len(groups)-1], id.Name)
		}
	}
	for _, names := range groups {
		if len(names) > 1 && slices.ContainsFunc(names, isOld) {
			return names
		}
	}
	if len(groups) == 0 {
		return nil
	}
	return groups[0]
}

// isOld reports whether a parameter has the name of an old object.
func isOld(name string) bool {
	lower := strings.ToLower(name)
	for _, word := range []string{"old", "prev", "existing", "before", "current", "original", "stored"} {
		if strings.HasPrefix(lower, word) {
			return true
		}
	}
	return false
}
