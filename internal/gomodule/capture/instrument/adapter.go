package instrument

import (
	"go/ast"
	"strings"
)

// Import paths of the other types that hold validation errors.
const (
	causePackage   = "k8s.io/apimachinery/pkg/apis/meta/v1"
	knativePackage = "knative.dev/pkg/apis"
)

// adapter is how the recorder reads a result that holds errors.
type adapter uint8

const (
	// noErrors: the result holds none.
	noErrors adapter = iota
	// texts are a string or a list of them.
	texts
	// goError is an error.
	goError
	// causes are metav1.StatusCause, also as a pointer or a list.
	causes
	// knativeErrors are *apis.FieldError of knative, with the old object in the context.
	knativeErrors
)

// adapterOf returns the adapter of a result.
func (i imports) adapterOf(expr ast.Expr) adapter {
	path, name := i.named(element(expr))
	_, pointer := element(expr).(*ast.StarExpr)
	switch {
	case path == "" && name == "error" && !pointer:
		return goError
	case path == "" && name == "string" && !pointer:
		return texts
	case path == causePackage && name == "StatusCause":
		return causes
	case path == knativePackage && name == "FieldError" && pointer:
		return knativeErrors
	}
	return noErrors
}

// adapterFor returns the adapter of the results of a function that says most about its errors, and the source of
// that type.
func (r *rewriter) adapterFor(f *ast.FuncDecl) (best adapter, source string) {
	if f.Type.Results == nil || f.Type.Params == nil {
		return noErrors, ""
	}
	for _, result := range f.Type.Results.List {
		if of := r.imports.adapterOf(result.Type); of > best {
			best, source = of, r.text(result.Type)
		}
	}
	return best, source
}

// wantsAdapter reports whether a function with an adapter is recorded: the caller names it, and, unless its
// results can only be validation errors, its whole name or one that says that it validates.
func (r *rewriter) wantsAdapter(name string, of adapter, function string) bool {
	switch {
	case of == noErrors || !r.of.Parts:
		return false
	case of == causes || of == knativeErrors:
		return true
	}
	return r.of.Exact != nil && r.of.Exact(name) || strings.Contains(function, "alid")
}

// adaptedResults returns the expressions of the results that hold errors. Texts beside errors are warnings.
func (r *rewriter) adaptedResults(f *ast.FuncDecl, results []string) []string {
	best, _ := r.adapterFor(f)
	var all []string
	n := 0
	for _, result := range f.Type.Results.List {
		of := r.imports.adapterOf(result.Type)
		for range max(len(result.Names), 1) {
			switch {
			case of == texts && best == texts:
				all = append(all, recorderName+".Texts("+results[n]+")")
			case of != noErrors && of != texts:
				all = append(all, results[n])
			}
			n++
		}
	}
	return all
}

// baseline returns a statement that records the old object in the context of a knative validator; empty: there is
// none.
func (r *rewriter) baseline(f *ast.FuncDecl, parameters []string) string {
	if of, _ := r.adapterFor(f); of != knativeErrors {
		return ""
	}
	apis, n := "", 0
	for name, path := range r.imports {
		if path == knativePackage {
			apis = name
		}
	}
	for _, parameter := range f.Type.Params.List {
		if path, name := r.imports.named(parameter.Type); path == contextPackage && name == "Context" && apis != "." {
			return "diffrunCall.Baseline(" + apis + ".GetBaseline(" + parameters[n] + "), " + apis + ".IsInDelete(" + parameters[n] + ")); "
		}
		n += max(len(parameter.Names), 1)
	}
	return ""
}
