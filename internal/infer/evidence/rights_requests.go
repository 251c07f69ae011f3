package evidence

import (
	"fmt"
	"strconv"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/casecluster"
	"github.com/diffrun/diffrun/internal/object"
)

// The rights of the user are fields of a request: request.rights.r0 is true if the user has the first of requests.rights. A
// document that is asked about says so; the case then has the Role with its binding. request.grants are further rights that
// the user has, as in a trap: on another name, or on all of them.
const (
	FieldRights = "rights"
	fieldGrants = "grants"
)

func nameOfRight(n int) string { return "r" + strconv.Itoa(n) }

// cluster returns the objects that state the rights of the user of a document.
func (r *Requests) cluster(doc map[string]any) []map[string]any {
	unbound := rbacObject("ClusterRole", "nobody", "") // or nothing would be known
	all := []map[string]any{unbound}
	in, u, _ := r.Read(doc)
	request, _ := doc[FieldRequest].(map[string]any)
	has, _ := request[FieldRights].(map[string]any)
	for n, one := range r.Rights {
		if yes, _ := has[nameOfRight(n)].(bool); yes {
			all = append(all, granting(nameOfRight(n), u, one.of(in.Object))...)
		}
	}
	grants, _ := request[fieldGrants].([]any)
	for n, grant := range grants {
		fields, _ := grant.(map[string]any)
		text := func(name string) string { value, _ := fields[name].(string); return value }
		all = append(all, granting(fmt.Sprintf("grant%d", n), u, casecluster.Right{
			Verb: text("verb"), Group: text("group"), Resource: text("resource"), Subresource: text("subresource"),
			Namespace: text("namespace"), Name: text("name"),
		})...)
	}
	return all
}

func rbacObject(kind, name, namespace string) map[string]any {
	metadata := map[string]any{"name": name}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	return map[string]any{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": metadata}
}

// granting returns a role and a binding that give a user a right.
func granting(name string, u harness.User, to casecluster.Right) []map[string]any {
	kind := "ClusterRole"
	if to.Namespace != "" {
		kind = "Role"
	}
	resource := to.Resource
	if to.Subresource != "" {
		resource += "/" + to.Subresource
	}
	rule := map[string]any{"apiGroups": []any{to.Group}, "resources": []any{resource}, "verbs": []any{to.Verb}}
	if to.Name != "" {
		rule["resourceNames"] = []any{to.Name}
	}
	role, binding := rbacObject(kind, name, to.Namespace), rbacObject(kind+"Binding", name, to.Namespace)
	role["rules"] = []any{rule}
	binding["roleRef"] = map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name}
	binding["subjects"] = []any{map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": u.Name}}
	return []map[string]any{role, binding}
}

// decodeRights fills in which rights the user of a sample has. It reports whether that is known.
func (r *Requests) decodeRights(request map[string]any, s *Sample, object map[string]any, u harness.User) bool {
	if len(r.Rights) == 0 {
		return true
	}
	known, err := casecluster.RightsOf(r.cluster(s.Object))
	if err != nil {
		return false
	}
	has := map[string]any{}
	for n, one := range r.Rights {
		if has[nameOfRight(n)], err = known.Allow(u.Name, u.Groups, one.of(object)); err != nil {
			return false
		}
	}
	request[FieldRights] = has
	return true
}

// addRights declares the rights in the schema of request.
func (r *Requests) addRights(request *spec.Schema) {
	if len(r.Rights) == 0 {
		return
	}
	fields, names := map[string]spec.Schema{}, []string{}
	for n := range r.Rights {
		fields[nameOfRight(n)] = *spec.BooleanProperty()
		names = append(names, nameOfRight(n))
	}
	request.Properties[FieldRights] = objectOf(fields, names...)
	request.Required = append(request.Required, FieldRights)
}

// with returns a document whose user has some rights.
func (r *Requests) with(doc map[string]any, has func(n int) bool, grants ...casecluster.Right) map[string]any {
	rights := map[string]any{}
	for n := range r.Rights {
		rights[nameOfRight(n)] = has(n)
	}
	out := object.Of(FieldRequest, FieldRights).Put(doc, rights)
	var all []any
	for _, one := range grants {
		all = append(all, map[string]any{
			"verb":        one.Verb,
			"group":       one.Group,
			"resource":    one.Resource,
			"subresource": one.Subresource,
			"namespace":   one.Namespace,
			"name":        one.Name,
		})
	}
	if len(all) > 0 {
		out = object.Of(FieldRequest, fieldGrants).Put(out, all)
	}
	return out
}

func none(int) bool { return false }

// RightVariants returns a document without rights, with all of them, with each alone, and with those that look like them.
func (r *Requests) RightVariants(doc map[string]any) (all []map[string]any) {
	if len(r.Rights) == 0 {
		return nil
	}
	in, _, _ := r.Read(doc)
	all = append(all, r.with(doc, none), r.with(doc, func(int) bool { return true }))
	for n, one := range r.Rights {
		if len(r.Rights) > 1 {
			all = append(all, r.with(doc, func(other int) bool { return other == n }))
		}
		for _, trap := range traps(one.of(in.Object), in.Object) {
			all = append(all, r.with(doc, none, trap))
		}
	}
	return all
}

// traps returns rights that differ from one in one part, and larger ones.
func traps(of casecluster.Right, object map[string]any) (all []casecluster.Right) {
	add := func(change func(*casecluster.Right)) {
		other := of
		if change(&other); other != of {
			all = append(all, other)
		}
	}
	add(func(o *casecluster.Right) { o.Name = "" })
	add(func(o *casecluster.Right) { o.Name = "other" })
	add(func(o *casecluster.Right) { o.Namespace = "" })
	add(func(o *casecluster.Right) { o.Namespace = "other" })
	add(func(o *casecluster.Right) {
		if own, _ := (Place{"metadata", "namespace"}).Path().Get(object); own != nil {
			o.Namespace, _ = own.(string)
		}
	})
	add(func(o *casecluster.Right) { o.Verb = "other" })
	add(func(o *casecluster.Right) { o.Verb = "*" })
	add(func(o *casecluster.Right) { o.Group = "other.example.com" })
	add(func(o *casecluster.Right) { o.Resource = "others" })
	add(func(o *casecluster.Right) {
		if o.Subresource = ""; of.Subresource == "" {
			o.Subresource = "status"
		}
	})
	return all
}

// RightVariant returns a document with one of its variants, or as it is if the native validator asks for no rights.
func (r *Requests) RightVariant(doc map[string]any, n int) map[string]any {
	if all := r.RightVariants(doc); len(all) > 0 {
		return all[n%len(all)]
	}
	return doc
}
