package evidence

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// OfDocuments returns what the source says about objects as what it says about requests. Nothing is read about deletions.
func (r *Requests) OfDocuments() (made []*Reading) {
	if r.Deletes {
		return nil
	}
	for _, of := range r.Readings {
		one := *of
		if one.Field != "" {
			one.Field = r.SubjectField() + "." + one.Field
		}
		if one.Rule != nil {
			one.Condition, one.Rule = r.ofDocument(of, of.Condition, false), r.ofDocument(of, of.Rule, true)
		}
		made = append(made, &one)
	}
	return made
}

// ofDocument returns a condition about objects, or the rule that is its opposite, as one about the document of a request. Where a
// reading is about updates, there is an old object.
func (r *Requests) ofDocument(of *Reading, e celexpr.Expr, isRule bool) celexpr.Expr {
	document := celexpr.Name("self")
	isNew := celexpr.Not(celexpr.Has(celexpr.Field(document, FieldOldObject)))
	hasOld := celexpr.Has(celexpr.Field(document, FieldOldObject))
	isUpdate := of.OnlyUpdates || celexpr.Read(of.Condition, nil).Transition
	e = celexpr.Replace(e, inDocument)
	switch {
	case isUpdate && isRule:
		return celexpr.Or(isNew, e)
	case isUpdate:
		return celexpr.And(hasOld, e)
	case of.OnlyCreates && isRule:
		return celexpr.Or(hasOld, e)
	case of.OnlyCreates:
		return celexpr.And(isNew, e)
	}
	return e
}

// inDocument returns a part of a condition about objects as one of the document of a request; nil: its own parts are asked. The keys
// of labels and annotations are fields, as in the schema of requests.
func inDocument(part celexpr.Expr) celexpr.Expr {
	if part.Kind() == ast.IdentKind {
		switch part.AsIdent() {
		case "self":
			return celexpr.Field(celexpr.Name("self"), FieldObject)
		case "oldSelf":
			return celexpr.Field(celexpr.Name("self"), FieldOldObject)
		case FieldRequest:
			return celexpr.Field(celexpr.Name("self"), FieldRequest)
		}
	}
	of, key, isAsked := keyOf(part)
	if of == nil {
		return nil
	}
	field := celexpr.Field(celexpr.Replace(of, inDocument), key)
	if isAsked {
		return celexpr.Has(field)
	}
	return field
}

// keyOf returns the labels or annotations of which an expression reads a key, or asks whether they have it; nil: it does neither.
func keyOf(e celexpr.Expr) (of celexpr.Expr, key string, isAsked bool) {
	args := celexpr.ArgsOf(e, operators.Index)
	if args == nil {
		if args = celexpr.ArgsOf(e, operators.In); args == nil {
			return nil, "", false
		}
		args, isAsked = []celexpr.Expr{args[1], args[0]}, true
	}
	key, isText := celexpr.TextOf(args[1])
	path := celexpr.PathOf(args[0])
	isKeyed := len(path) == 3 && path[1] == "metadata" && (path[2] == labels || path[2] == annotations)
	if !isText || !isKeyed {
		return nil, "", false
	}
	return args[0], key, isAsked
}

// The fields of metadata that have keys.
const labels, annotations = "labels", "annotations"

// keysRead returns the keys of labels or annotations that readings name.
func keysRead(all []*Reading, of string) (keys []string) {
	for _, r := range all {
		if r.Rule == nil {
			continue
		}
		for part := range celexpr.Parts(r.Condition) {
			in, key, _ := keyOf(part)
			if in != nil && celexpr.PathOf(in)[2] == of && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// metadataRead returns the schemas of the fields of metadata that readings name, beside those of all requests.
func metadataRead(all []*Reading) map[string]spec.Schema {
	known := map[string]spec.Schema{
		"deletionTimestamp": *spec.DateTimeProperty(), "creationTimestamp": *spec.DateTimeProperty(),
		"generation": *spec.Int64Property(), "generateName": *spec.StringProperty(), "uid": *spec.StringProperty(),
	}
	read := map[string]spec.Schema{}
	for _, r := range all {
		if r.Rule == nil {
			continue
		}
		for part := range celexpr.Parts(r.Condition) {
			path := celexpr.PathOf(part)
			if len(path) != 3 || path[1] != "metadata" {
				continue
			}
			if of, ok := known[path[2]]; ok {
				read[path[2]] = of
			}
		}
	}
	return read
}

// NeedsRequest reports whether the source says that the errors of a site depend on what a policy reads and a definition does not:
// metadata beside the name, or the sender.
func (e *Evidence) NeedsRequest(of *Site) bool {
	if e.Requests != nil || e.Target.Policies == nil || e.Target.Like.Subresource != "" {
		return false
	}
	all := e.ReadingsOf(of)
	return len(all) > 0 && !slices.ContainsFunc(all, func(r *Reading) bool { return r.Rule == nil || !readsRequest(r.Condition) })
}

// readsRequest reports whether a condition reads what a definition does not.
func readsRequest(e celexpr.Expr) bool {
	for part := range celexpr.Parts(e) {
		if part.Kind() == ast.IdentKind && part.AsIdent() == FieldRequest {
			return true
		}
		path := celexpr.PathOf(part)
		if len(path) > 2 && (path[0] == "self" || path[0] == "oldSelf") && path[1] == "metadata" &&
			path[2] != "name" && path[2] != "generateName" {
			return true
		}
	}
	return false
}
