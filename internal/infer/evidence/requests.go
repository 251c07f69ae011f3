package evidence

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
	"github.com/diffrun/diffrun/internal/object"
)

// Requests makes requests the objects of an inference: documents with the fields object, oldObject and request, as the
// expressions of a ValidatingAdmissionPolicy read them.
type Requests struct {
	// Objects is the evidence about the objects of the requests, and namespaced whether these are in namespaces.
	Objects    *Evidence
	Namespaced bool
	// Today is the definition with its rules, which refuse first.
	Today Validate
	// Deletes is true for deletions, which have no object; otherwise the requests create and update.
	Deletes bool
	// Names are the keys of labels and annotations by the names under which expressions read them.
	Names map[string]string
	// Rights are those of the user that the native validator asks for.
	Rights []Right
	// Readings are what the source says about the objects.
	Readings []*Reading
	// Root is the schema of the requests.
	Root *spec.Schema
}

// The fields of a request.
const (
	FieldObject    = "object"
	FieldOldObject = "oldObject"
	FieldRequest   = "request"
)

// requestDepth is how many fields lead to a value of a request that conditions may read: "object.metadata.labels.app".
const requestDepth = 4

// SubjectField returns the field with the object that errors are about.
func (r *Requests) SubjectField() string {
	if r.Deletes {
		return FieldOldObject
	}
	return FieldObject
}

// userDocument returns the document of a user.
func userDocument(u harness.User) map[string]any {
	groups := []any{}
	for _, group := range u.Groups {
		groups = append(groups, group)
	}
	return map[string]any{"username": u.Name, "groups": groups}
}

// Document returns the document of a request.
func (r *Requests) Document(in explore.Input, u harness.User) map[string]any {
	in.Object, in.Old = r.inNamespace(in.Object), r.inNamespace(in.Old)
	doc := map[string]any{FieldRequest: map[string]any{"userInfo": userDocument(u)}}
	if r.Deletes {
		doc[FieldOldObject] = in.Object
		return doc
	}
	doc[FieldObject] = in.Object
	if in.Old != nil {
		doc[FieldOldObject] = in.Old
	}
	return doc
}

// Read returns the objects and the user of a document. It returns false if it is no request: a change may have taken out
// what every request has.
func (r *Requests) Read(doc map[string]any) (in explore.Input, u harness.User, ok bool) {
	in.Object, _ = doc[FieldObject].(map[string]any)
	in.Old, _ = doc[FieldOldObject].(map[string]any)
	if r.Deletes {
		in.Object, in.Old = in.Old, nil
	}
	if name, _ := object.Of("metadata", "name").Get(in.Object); in.Object == nil || in.Object["kind"] == nil || name == nil || name == "" {
		return in, u, false
	}
	in.Object, in.Old = r.inNamespace(in.Object), r.inNamespace(in.Old)
	if in.Old != nil { // as the API server does with the path of the request
		in.Old = Stored(in.Old)
		in.Object = Stored(in.Object)
		before, _ := in.Old["metadata"].(map[string]any)
		for _, name := range []string{"name", "namespace"} {
			var as any = object.Absence{}
			if value, has := before[name]; has {
				as = value
			}
			in.Object = object.Of("metadata", name).Put(in.Object, as)
		}
	}
	info, _ := object.Of(FieldRequest, "userInfo").Get(doc)
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
func (r *Requests) inNamespace(object map[string]any) map[string]any {
	if object == nil || !r.Namespaced {
		return object
	}
	at := Place{"metadata", "namespace"}.Path()
	if namespace, _ := at.Get(object); namespace != nil && namespace != "" {
		return object
	}
	return at.Put(object, "default")
}

// CaseOf returns the case of an input of the inference.
func (e *Evidence) CaseOf(in explore.Input) harness.Case {
	if e.Requests == nil {
		return asking.Case(e.Target.Like, in)
	}
	objects, u, _ := e.Requests.Read(in.Object)
	c := asking.Case(e.Target.Like, objects)
	if e.Requests.Deletes {
		c.Deletes = true
	}
	c.User = &u
	c.Cluster = append(slices.Clip(c.Cluster), e.Requests.cluster(in.Object)...)
	return c
}

// operationOf returns the operation of an input of the inference.
func (e *Evidence) operationOf(in explore.Input) admissionv1.Operation {
	isUpdate := in.IsUpdate()
	if e.Requests != nil {
		_, isUpdate = in.Object[FieldOldObject]
	}
	switch {
	case e.Requests != nil && e.Requests.Deletes:
		return admissionv1.Delete
	case isUpdate:
		return admissionv1.Update
	}
	return admissionv1.Create
}

// IsRequest reports whether an input can be sent.
func (e *Evidence) IsRequest(in explore.Input) bool {
	if e.Requests == nil {
		return true
	}
	_, _, ok := e.Requests.Read(in.Object)
	return ok
}

// Decode fills in the document of a sample as policies see it.
func (r *Requests) Decode(s *Sample) bool { return r.decode(s, r.Objects.Decode) }

// decode fills in the document of a sample whose objects are decoded by a function.
func (r *Requests) decode(s *Sample, by func(*Sample) bool) bool {
	in, u, ok := r.Read(s.Object)
	if !ok {
		return false
	}
	objects := &Sample{Input: in}
	if !by(objects) {
		return false
	}
	decoded := explore.Input{Object: objects.Decoded, Old: objects.DecodedOld}
	s.Decoded = r.Document(decoded, u)
	operation := "CREATE"
	switch {
	case r.Deletes:
		operation = "DELETE"
	case in.Old != nil:
		operation = "UPDATE"
	}
	request := s.Decoded[FieldRequest].(map[string]any)
	request["operation"] = operation
	return r.decodeRights(request, s, decoded.Object, u)
}

// canBeStored reports whether the old object of a request is one that can be in the cluster.
func (r *Requests) canBeStored(in explore.Input) bool {
	objects, _, ok := r.Read(in.Object)
	if r.Deletes {
		objects = explore.Input{Object: objects.Object, Old: objects.Object}
	}
	return ok && r.Objects.CanBeStored(objects) && r.Objects.CreatedToday(objects.Old)
}

// Refuses returns the errors of the definition with its rules.
func (r *Requests) Refuses() Validate {
	return func(ctx context.Context, object, _ map[string]any) field.ErrorList {
		if r.Deletes {
			return nil
		}
		now, _ := object[FieldObject].(map[string]any)
		old, _ := object[FieldOldObject].(map[string]any)
		return r.Today(ctx, now, old)
	}
}

// Schema returns the schema of the requests about objects of a schema. Labels and annotations have a field for each key that
// samples have: no schema of a definition declares them.
func (r *Requests) Schema(root *spec.Schema, samples []*Sample) *spec.Schema {
	text := *spec.StringProperty()
	texts := *spec.ArrayProperty(&text)
	metadata := objectOf(map[string]spec.Schema{"name": text, "namespace": text, "finalizers": texts})
	for name, of := range metadataRead(r.Readings) {
		metadata.Properties[name] = of
	}
	r.Names = map[string]string{}
	for _, of := range []string{labels, annotations} {
		keys := map[string]spec.Schema{}
		for _, key := range keysRead(r.Readings, of) {
			if name, ok := cel.Escape(key); ok {
				keys[key], r.Names[name] = text, key
			}
		}
		for _, s := range samples {
			found, _ := object.Of("metadata", of).Get(s.Object)
			fields, _ := found.(map[string]any)
			for _, key := range SortedKeys(fields) {
				if name, ok := cel.Escape(key); ok && len(keys) < MostKeys {
					keys[key], r.Names[name] = text, key
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
	out := objectOf(map[string]spec.Schema{FieldRequest: request, FieldOldObject: about}, FieldRequest, r.SubjectField())
	if !r.Deletes {
		out.Properties[FieldObject] = about
	}
	r.Root = &out
	return &out
}

// MostKeys bounds the labels and the annotations that conditions may read.
const MostKeys = 12

func objectOf(properties map[string]spec.Schema, required ...string) spec.Schema {
	return spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"object"}, Properties: properties, Required: required}}
}

// OrdinaryUser is a user without rights, unless a request says otherwise.
const OrdinaryUser = "alice"

// Users are the senders of the requests that are asked about: an administrator first, as every case has.
func Users(mentioned []string) []harness.User {
	all := []harness.User{
		{Name: "diffrun", Groups: []string{"system:masters"}},
		{Name: OrdinaryUser, Groups: []string{"system:authenticated"}},
		{Name: "system:serviceaccount:kube-system:controller", Groups: []string{
			"system:serviceaccounts",
			"system:serviceaccounts:kube-system",
			"system:authenticated",
		}},
	}
	for _, name := range mentioned {
		all = append(all, harness.User{Name: name, Groups: []string{"system:authenticated"}},
			harness.User{Name: "bob", Groups: []string{name, "system:authenticated"}})
	}
	return all
}

// Stored returns an object as it is read from storage: with a resourceVersion.
func Stored(of map[string]any) map[string]any {
	return object.Of("metadata", "resourceVersion").Put(of, "1")
}
