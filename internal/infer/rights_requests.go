package infer

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/casecluster"
	"github.com/diffrun/diffrun/internal/explore"
)

// The rights of the user are fields of a request: request.rights.r0 is true if the user has the first of requests.rights. A
// document that is asked about says so; the case then has the Role with its binding. request.grants are further rights that
// the user has, as in a trap: on another name, or on all of them.
const (
	fieldRights = "rights"
	fieldGrants = "grants"
)

func nameOfRight(n int) string { return "r" + strconv.Itoa(n) }

// cluster returns the objects that state the rights of the user of a document.
func (r *requests) cluster(doc map[string]any) []map[string]any {
	nobody := rbacObject("ClusterRole", "nobody", "") // or nothing would be known
	all := []map[string]any{nobody}
	in, u, _ := r.read(doc)
	request, _ := doc[fieldRequest].(map[string]any)
	has, _ := request[fieldRights].(map[string]any)
	for n, one := range r.rights {
		if yes, _ := has[nameOfRight(n)].(bool); yes {
			all = append(all, granting(nameOfRight(n), u, one.of(in.Object))...)
		}
	}
	grants, _ := request[fieldGrants].([]any)
	for n, grant := range grants {
		fields, _ := grant.(map[string]any)
		text := func(name string) string { value, _ := fields[name].(string); return value }
		all = append(all, granting(fmt.Sprintf("grant%d", n), u, casecluster.Right{
			Verb: text("verb"), Group: text("group"), Resource: text("resource"), Subresource: text("subresource"), Namespace: text("namespace"), Name: text("name"),
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
func (r *requests) decodeRights(request map[string]any, s *sample, object map[string]any, u harness.User) bool {
	if len(r.rights) == 0 {
		return true
	}
	known, err := casecluster.RightsOf(r.cluster(s.Object))
	if err != nil {
		return false
	}
	has := map[string]any{}
	for n, one := range r.rights {
		if has[nameOfRight(n)], err = known.Allow(u.Name, u.Groups, one.of(object)); err != nil {
			return false
		}
	}
	request[fieldRights] = has
	return true
}

// addRights declares the rights in the schema of request.
func (r *requests) addRights(request *spec.Schema) {
	if len(r.rights) == 0 {
		return
	}
	fields, names := map[string]spec.Schema{}, []string{}
	for n := range r.rights {
		fields[nameOfRight(n)] = *spec.BooleanProperty()
		names = append(names, nameOfRight(n))
	}
	request.Properties[fieldRights] = objectOf(fields, names...)
	request.Required = append(request.Required, fieldRights)
}

// with returns a document whose user has some rights.
func (r *requests) with(doc map[string]any, has func(n int) bool, grants ...casecluster.Right) map[string]any {
	rights := map[string]any{}
	for n := range r.rights {
		rights[nameOfRight(n)] = has(n)
	}
	out, _ := steps{fieldRequest, fieldRights}.set(doc, rights).(map[string]any)
	var all []any
	for _, one := range grants {
		all = append(all, map[string]any{"verb": one.Verb, "group": one.Group, "resource": one.Resource, "subresource": one.Subresource, "namespace": one.Namespace, "name": one.Name})
	}
	if len(all) > 0 {
		out, _ = steps{fieldRequest, fieldGrants}.set(out, all).(map[string]any)
	}
	return out
}

func none(int) bool { return false }

// rightVariants returns a document without rights, with all of them, with each alone, and with those that look like them.
func (r *requests) rightVariants(doc map[string]any) (all []map[string]any) {
	if len(r.rights) == 0 {
		return nil
	}
	in, _, _ := r.read(doc)
	all = append(all, r.with(doc, none), r.with(doc, func(int) bool { return true }))
	for n, one := range r.rights {
		if len(r.rights) > 1 {
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
		if own, _ := (steps{"metadata", "namespace"}).at(object); own != nil {
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

// rightVariant returns a document with one of its variants, or as it is if the native validator asks for no rights.
func (r *requests) rightVariant(doc map[string]any, n int) map[string]any {
	if all := r.rightVariants(doc); len(all) > 0 {
		return all[n%len(all)]
	}
	return doc
}

// Bounds of the questions about rights.
const (
	mostRightRounds   = 3
	mostRightVariants = 192 // of requests, in one round
	mostQuestions     = 4   // whose fields are changed
)

// learnRights finds the rights that the native validator asks for, and asks about users who have them.
func (part *policyPart) learnRights(ctx context.Context, i *inference) error {
	r := part.requests
	for range mostRightRounds {
		bases := slices.Clone(part.samples)
		if _, err := part.ask(ctx, part.withOtherTexts()); err != nil {
			return err
		}
		about := r.root.Properties[r.subjectField()]
		rights := explainQuestions(part.questions(), &about)
		if len(rights) == 0 {
			return nil
		}
		known := slices.EqualFunc(rights, r.rights, func(a, b right) bool { return r.check(a) == r.check(b) })
		if known && len(part.samples) == len(bases) {
			break
		}
		if !known {
			part.forgetRights()
		}
		r.rights = rights
		part.decodeAgain(i)
		var inputs []explore.Input
		for _, s := range bases {
			if _, u, _ := r.read(s.Object); u.Name == ordinaryUser && len(inputs) < mostRightVariants {
				for _, doc := range r.rightVariants(s.Object) {
					inputs = append(inputs, explore.Input{Object: doc})
				}
			}
		}
		if _, err := part.ask(ctx, inputs); err != nil {
			return err
		}
	}
	return nil
}

// forgetRights drops the samples whose users have rights, before other rights take the names of these.
func (part *policyPart) forgetRights() {
	part.samples = slices.DeleteFunc(part.samples, func(s *sample) bool {
		has, _ := steps{fieldRequest, fieldRights}.at(s.Object)
		fields, _ := has.(map[string]any)
		if !slices.Contains(slices.Collect(maps.Values(fields)), any(true)) {
			return false
		}
		delete(part.known, keyOf(s.Input))
		if s.accepted {
			part.accepted--
		}
		return true
	})
}

// decodeAgain decodes the samples with the rights, which expressions may now read.
func (part *policyPart) decodeAgain(i *inference) {
	part.target.Document.Root = part.requests.schema(i.target.Document.Root, i.samples)
	part.universes, part.values = map[string]*universe{}, map[string]*values{}
	part.samples = slices.DeleteFunc(part.samples, func(s *sample) bool { return !part.requests.decode(s) })
}

// questions returns the questions about the users of the requests.
func (part *policyPart) questions() (all []rightQuestion) {
	for _, s := range part.samples {
		_, u, _ := part.requests.read(s.Object)
		object, _ := s.object[part.requests.subjectField()].(map[string]any)
		for _, review := range s.reviews {
			if review.User.Name == u.Name {
				all = append(all, rightQuestion{object, partsOf(review)})
			}
		}
	}
	return all
}

// withOtherTexts returns requests of the ordinary user that show from which fields the texts of questions are: one of these
// fields has another text.
func (part *policyPart) withOtherTexts() (inputs []explore.Input) {
	r := part.requests
	about := r.root.Properties[r.subjectField()]
	told := map[[6]string]bool{}
	for _, s := range part.samples {
		_, u, _ := r.read(s.Object)
		object, _ := s.object[r.subjectField()].(map[string]any)
		for _, review := range s.reviews {
			asked := rightQuestion{object, partsOf(review)}
			if u.Name != ordinaryUser || told[asked.parts] || len(told) >= mostQuestions {
				continue
			}
			told[asked.parts] = true
			for _, field := range asked.fields(&about) {
				for _, to := range part.otherTexts(field, &about, asked) {
					doc := s.Object
					for _, of := range []string{fieldObject, fieldOldObject} {
						if doc[of] != nil {
							doc, _ = place{of}.below(field...).names().set(doc, to).(map[string]any)
						}
					}
					inputs = append(inputs, explore.Input{Object: doc})
				}
			}
		}
	}
	return inputs
}

// fields returns the fields that the texts of a question may be from.
func (q rightQuestion) fields(root *spec.Schema) (all []place) {
	fields := fieldTexts(q.object, root)
	for _, text := range q.parts {
		for _, t := range templatesOf(text, fields) {
			for _, field := range t.fields() {
				if !slices.ContainsFunc(all, func(known place) bool { return slices.Equal(known, field) }) {
					all = append(all, field)
				}
			}
		}
	}
	return all
}

// otherTexts returns texts that a field may have in place of that of an object.
func (part *policyPart) otherTexts(field place, root *spec.Schema, asked rightQuestion) (all []string) {
	now, _ := field.names().at(asked.object)
	text, _ := now.(string)
	for _, value := range field.schema(root).Enum {
		if other, isText := value.(string); isText && other != text {
			return []string{other}
		}
	}
	for _, seen := range part.valuesAt(nil)[place{part.requests.subjectField()}.below(field...).String()] {
		if other, isText := seen.(string); isText && other != text && other != "" && len(all) < 1 {
			all = append(all, other)
		}
	}
	return append(all, text+"0")
}

var checkedRight = regexp.MustCompile(`\bself\.request\.rights\.r([0-9]+)\b`)

// withChecks returns an expression with the checks of rights in the place of their fields.
func (r *requests) withChecks(text string) string {
	return checkedRight.ReplaceAllStringFunc(text, func(found string) string {
		n, _ := strconv.Atoi(strings.TrimPrefix(found, "self.request.rights.r"))
		return r.check(r.rights[n])
	})
}

// check returns the expression that the user has a right. It is about self, as those of conditions.
func (r *requests) check(of right) string {
	all := "authorizer.group(" + r.text(of[rightGroup]) + ").resource(" + r.text(of[rightResource]) + ")"
	for _, optional := range []struct {
		call string
		of   template
	}{{"subresource", of[rightSubresource]}, {"namespace", of[rightNamespace]}, {"name", of[rightName]}} {
		if len(optional.of) > 0 {
			all += "." + optional.call + "(" + r.text(optional.of) + ")"
		}
	}
	return all + ".check(" + r.text(of[rightVerb]) + ").allowed()"
}

// text returns the expression of a template. Every object has a name and a namespace.
func (r *requests) text(of template) string {
	var all []string
	for _, p := range of {
		if p.field == nil {
			all = append(all, quote(p.constant))
			continue
		}
		ref := (&subject{evidence: &evidence{}, schema: r.root}).refOf(place{r.subjectField()}.below(p.field...))
		switch {
		case len(ref.guards) == 0 || p.field[0] == "metadata":
			all = append(all, ref.access)
		case len(of) == 1:
			return ref.has() + " ? " + ref.access + " : ''"
		default:
			all = append(all, "("+ref.has()+" ? "+ref.access+" : '')")
		}
	}
	if len(all) == 0 {
		return "''"
	}
	return strings.Join(all, " + ")
}
