package policies

import (
	"encoding/json"
	"errors"
	"path/filepath"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
	"github.com/diffrun/diffrun/userfile"
)

// Load reads policies, bindings, parameters and namespaces, which may be in any file. The error is
// a userfile.Mistakes with all mistakes.
func Load(files []File, options Options) (*Set, error) {
	read := &content{unreadable: map[string]bool{}, namespaces: namespaces{}, authorized: options.Authorizer != nil}
	for _, file := range files {
		read.file(file)
	}
	read.bind(files)
	if err := read.mistakes.Err(); err != nil {
		return nil, err
	}
	return newSet(read, options), nil
}

// content holds the objects of the files.
type content struct {
	policies   []*policy
	unreadable map[string]bool // names of policies with mistakes
	incomplete bool            // a document cannot be read, so missing objects may be in it
	bindings   []*binding
	objects    []placed // of other kinds: parameters, perhaps
	scopes     map[schema.GroupKind]apiextensionsv1.ResourceScope
	namespaces namespaces
	authorized bool
	mistakes   userfile.Mistakes
	bound      []*hook
}

// placed is an object with its position.
type placed struct {
	file     string
	document documents.Document
	kind     schema.GroupVersionKind
}

// at returns the position of a field.
func (p placed) at(path string) userfile.Position { return p.document.At(p.file, path) }

func (p placed) object() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: p.document.Object}
}

// file reads the objects of a file.
func (c *content) file(file File) {
	for document := range documents.Manifest(filepath.ToSlash(file.Name), file.Data) {
		one := placed{file: file.Name, document: document}
		c.incomplete = c.incomplete || document.Err != nil
		if mistakes := (userfile.Mistakes)(nil); errors.As(document.Err, &mistakes) {
			c.mistakes = append(c.mistakes, mistakes...)
			continue
		}
		if document.Err != nil {
			c.mistakes.Addf(one.at(""), "%v", document.Err)
			continue
		}
		object := one.object()
		if one.kind = object.GroupVersionKind(); one.kind.Kind == "" || one.kind.Version == "" {
			c.mistakes.Addf(one.at(""), "an object with apiVersion and kind is wanted here: a ValidatingAdmissionPolicy, a ValidatingAdmissionPolicyBinding, a parameter or a Namespace")
			continue
		}
		c.sort(one)
	}
}

// sort reads an object by its kind.
func (c *content) sort(one placed) {
	switch group, kind := one.kind.Group, one.kind.Kind; {
	case group == admissionregistrationv1.GroupName && kind == "ValidatingAdmissionPolicy":
		c.policy(one)
	case group == admissionregistrationv1.GroupName && kind == "ValidatingAdmissionPolicyBinding":
		c.binding(one)
	case group == admissionregistrationv1.GroupName && (kind == "MutatingAdmissionPolicy" || kind == "MutatingAdmissionPolicyBinding"):
		c.mistakes.Addf(one.at("kind"), "a %s changes objects; only validating policies are evaluated, so take it out of the list", kind)
	case group == "" && kind == "Namespace":
		c.namespace(one)
	case group == apiextensionsv1.GroupName && kind == "CustomResourceDefinition":
		c.definition(one)
	default:
		c.objects = append(c.objects, one)
	}
}

// decode fills a typed object. It adds the mistakes, including unknown fields, and reports whether
// there are none.
func (c *content) decode(one placed, out any) bool {
	before := len(c.mistakes)
	data, err := json.Marshal(one.document.Object)
	var unknown []error
	if err == nil {
		unknown, err = kjson.UnmarshalStrict(data, out)
	}
	if err != nil {
		path := ""
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
			path = wrong.Field
		}
		c.mistakes.Addf(one.at(path), "no %s: %v", one.kind.Kind, jsonerrors.Of(err, "the document"))
	}
	for _, err := range unknown {
		in := kjson.FieldError(nil)
		if errors.As(err, &in) {
			c.mistakes.Addf(one.at(in.FieldPath()), "a %s has no field %s", one.kind.Kind, in.FieldPath())
			continue
		}
		c.mistakes.Addf(one.at(""), "%v", err)
	}
	return len(c.mistakes) == before
}

// namespace reads a Namespace.
func (c *content) namespace(one placed) {
	namespace := &corev1.Namespace{}
	if !c.decode(one, namespace) {
		return
	}
	switch {
	case namespace.Name == "":
		c.mistakes.Addf(one.at("metadata"), "metadata.name: a value is missing")
		return
	case c.namespaces.has(namespace.Name):
		c.mistakes.Addf(one.at("metadata.name"), "a second Namespace %q", namespace.Name)
		return
	}
	c.namespaces.add(namespace)
}

// definition records the scope of a kind, which parameters may have.
func (c *content) definition(one placed) {
	group, _, _ := unstructured.NestedString(one.document.Object, "spec", "group")
	kind, _, _ := unstructured.NestedString(one.document.Object, "spec", "names", "kind")
	scope, _, _ := unstructured.NestedString(one.document.Object, "spec", "scope")
	if c.scopes == nil {
		c.scopes = map[schema.GroupKind]apiextensionsv1.ResourceScope{}
	}
	c.scopes[schema.GroupKind{Group: group, Kind: kind}] = apiextensionsv1.ResourceScope(scope)
}
