package infer

import (
	"context"
	"maps"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/findings/asking"
)

// requests makes requests the objects of an inference: documents with the fields object, oldObject and request, as the
// expressions of a ValidatingAdmissionPolicy read them.
type requests struct {
	// objects is the evidence about the objects of the requests, and namespaced whether these are in namespaces.
	objects    *evidence
	namespaced bool
	// today is the definition with its rules, which refuse first.
	today validate
	// deletes is true for deletions, which have no object; otherwise the requests create and update.
	deletes bool
	// names are the keys of labels and annotations by the names under which expressions read them.
	names map[string]string
	// rights are those of the user that the native validator asks for.
	rights []right
	// root is the schema of the requests.
	root *spec.Schema
}

// The fields of a request.
const (
	fieldObject    = "object"
	fieldOldObject = "oldObject"
	fieldRequest   = "request"
)

// requestDepth is how many fields lead to a value of a request that conditions may read: "object.metadata.labels.app".
const requestDepth = 4

// subjectField returns the field with the object that errors are about.
func (r *requests) subjectField() string {
	if r.deletes {
		return fieldOldObject
	}
	return fieldObject
}

// userDocument returns the document of a user.
func userDocument(u harness.User) map[string]any {
	groups := []any{}
	for _, group := range u.Groups {
		groups = append(groups, group)
	}
	return map[string]any{"username": u.Name, "groups": groups}
}

// document returns the document of a request.
func (r *requests) document(in explore.Input, u harness.User) map[string]any {
	in.Object, in.Old = r.inNamespace(in.Object), r.inNamespace(in.Old)
	doc := map[string]any{fieldRequest: map[string]any{"userInfo": userDocument(u)}}
	if r.deletes {
		doc[fieldOldObject] = in.Object
		return doc
	}
	doc[fieldObject] = in.Object
	if in.Old != nil {
		doc[fieldOldObject] = in.Old
	}
	return doc
}

// read returns the objects and the user of a document. It returns false if it is no request: a change may have taken out
// what every request has.
func (r *requests) read(doc map[string]any) (in explore.Input, u harness.User, ok bool) {
	in.Object, _ = doc[fieldObject].(map[string]any)
	in.Old, _ = doc[fieldOldObject].(map[string]any)
	if r.deletes {
		in.Object, in.Old = in.Old, nil
	}
	if name, _ := (steps{"metadata", "name"}).at(in.Object); in.Object == nil || in.Object["kind"] == nil || name == nil || name == "" {
		return in, u, false
	}
	in.Object, in.Old = r.inNamespace(in.Object), r.inNamespace(in.Old)
	if in.Old != nil { // as the API server does with the path of the request
		in.Old = stored(in.Old)
		in.Object = stored(in.Object)
		before, _ := in.Old["metadata"].(map[string]any)
		for _, name := range []string{"name", "namespace"} {
			var as any = absence{}
			if value, has := before[name]; has {
				as = value
			}
			in.Object = steps{"metadata", name}.set(in.Object, as).(map[string]any)
		}
	}
	info, _ := steps{fieldRequest, "userInfo"}.at(doc)
	fields, _ := info.(map[string]any)
	u.Name, ok = fields["username"].(string)
	groups, _ := fields["groups"].([]any)
	for _, group := range groups {
		if text, isText := group.(string); isText {
			u.Groups = append(u.Groups, text)
		}
	}
	return in, u, ok
}

// inNamespace returns an object with the namespace that the API server gives it, if it is of a namespaced resource.
func (r *requests) inNamespace(object map[string]any) map[string]any {
	if object == nil || !r.namespaced {
		return object
	}
	at := steps{"metadata", "namespace"}
	if namespace, _ := at.at(object); namespace != nil && namespace != "" {
		return object
	}
	return at.set(object, "default").(map[string]any)
}

// caseOf returns the case of an input of the inference.
func (e *evidence) caseOf(in explore.Input) harness.Case {
	if e.requests == nil {
		return asking.Case(e.target.Like, in)
	}
	objects, u, _ := e.requests.read(in.Object)
	c := asking.Case(e.target.Like, objects)
	if e.requests.deletes {
		c.Deletes = true
	}
	c.User = &u
	c.Cluster = append(slices.Clip(c.Cluster), e.requests.cluster(in.Object)...)
	return c
}

// operationOf returns the operation of an input of the inference.
func (e *evidence) operationOf(in explore.Input) admissionv1.Operation {
	isUpdate := in.IsUpdate()
	if e.requests != nil {
		_, isUpdate = in.Object[fieldOldObject]
	}
	switch {
	case e.requests != nil && e.requests.deletes:
		return admissionv1.Delete
	case isUpdate:
		return admissionv1.Update
	}
	return admissionv1.Create
}

// isRequest reports whether an input can be sent.
func (e *evidence) isRequest(in explore.Input) bool {
	if e.requests == nil {
		return true
	}
	_, _, ok := e.requests.read(in.Object)
	return ok
}

// decode fills in the document of a sample as policies see it.
func (r *requests) decode(s *sample) bool {
	in, u, ok := r.read(s.Object)
	if !ok {
		return false
	}
	objects := &sample{Input: in}
	if !r.objects.decode(objects) {
		return false
	}
	decoded := explore.Input{Object: objects.decoded, Old: objects.decodedOld}
	s.decoded = r.document(decoded, u)
	operation := "CREATE"
	switch {
	case r.deletes:
		operation = "DELETE"
	case in.Old != nil:
		operation = "UPDATE"
	}
	request := s.decoded[fieldRequest].(map[string]any)
	request["operation"] = operation
	return r.decodeRights(request, s, decoded.Object, u)
}

// canBeStored reports whether the old object of a request is one that can be in the cluster.
func (r *requests) canBeStored(in explore.Input) bool {
	objects, _, ok := r.read(in.Object)
	if r.deletes {
		objects = explore.Input{Object: objects.Object, Old: objects.Object}
	}
	return ok && r.objects.canBeStored(objects) && r.objects.createdToday(objects.Old)
}

// refuses returns the errors of the definition with its rules.
func (r *requests) refuses() validate {
	return func(ctx context.Context, object, _ map[string]any) field.ErrorList {
		if r.deletes {
			return nil
		}
		now, _ := object[fieldObject].(map[string]any)
		old, _ := object[fieldOldObject].(map[string]any)
		return r.today(ctx, now, old)
	}
}

// schema returns the schema of the requests about objects of a schema. Labels and annotations have a field for each key that
// samples have: no schema of a definition declares them.
func (r *requests) schema(root *spec.Schema, samples []*sample) *spec.Schema {
	text := *spec.StringProperty()
	texts := *spec.ArrayProperty(&text)
	metadata := objectOf(map[string]spec.Schema{"name": text, "namespace": text, "finalizers": texts})
	r.names = map[string]string{}
	for _, of := range []string{"labels", "annotations"} {
		keys := map[string]spec.Schema{}
		for _, s := range samples {
			found, _ := steps{"metadata", of}.at(s.Object)
			fields, _ := found.(map[string]any)
			for _, key := range sortedKeys(fields) {
				if name, ok := cel.Escape(key); ok && len(keys) < mostKeys {
					keys[key], r.names[name] = text, key
				}
			}
		}
		metadata.Properties[of] = objectOf(keys)
	}
	about := *root
	about.Properties = maps.Clone(root.Properties)
	about.Properties["metadata"] = metadata
	about.Required = append(slices.Clone(root.Required), "metadata")
	info := objectOf(map[string]spec.Schema{"username": text, "groups": texts}, "username", "groups")
	request := objectOf(map[string]spec.Schema{"operation": text, "userInfo": info}, "operation", "userInfo")
	r.addRights(&request)
	out := objectOf(map[string]spec.Schema{fieldRequest: request, fieldOldObject: about}, fieldRequest, r.subjectField())
	if !r.deletes {
		out.Properties[fieldObject] = about
	}
	r.root = &out
	return &out
}

// mostKeys bounds the labels and the annotations that conditions may read.
const mostKeys = 12

func objectOf(properties map[string]spec.Schema, required ...string) spec.Schema {
	return spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"object"}, Properties: properties, Required: required}}
}

// ordinaryUser is a user without rights, unless a request says otherwise.
const ordinaryUser = "alice"

// users are the senders of the requests that are asked about: an administrator first, as every case has.
func users(mentioned []string) []harness.User {
	all := []harness.User{
		{Name: "diffrun", Groups: []string{"system:masters"}},
		{Name: ordinaryUser, Groups: []string{"system:authenticated"}},
		{Name: "system:serviceaccount:kube-system:controller", Groups: []string{"system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"}},
	}
	for _, name := range mentioned {
		all = append(all, harness.User{Name: name, Groups: []string{"system:authenticated"}}, harness.User{Name: "bob", Groups: []string{name, "system:authenticated"}})
	}
	return all
}

// stored returns an object as it is read from storage: with a resourceVersion.
func stored(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["resourceVersion"] = "1"
	out := maps.Clone(object)
	out["metadata"] = metadata
	return out
}
