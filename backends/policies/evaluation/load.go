package evaluation

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
	"github.com/diffrun/diffrun/userfile"
)

// Load reads ValidatingAdmissionPolicies with their bindings, parameters and namespaces, which may be
// in any file. The error is a userfile.Mistakes with all mistakes.
func Load(files []File, options Options) (*Set, error) {
	read, err := readFiles(files, options, validatingKind)
	if err != nil {
		return nil, err
	}
	return setOf(newBound(read, options), options.Resources, options.Authorizer), nil
}

// LoadMutations does the same for MutatingAdmissionPolicies.
func LoadMutations(files []File, options Options) (*Mutations, error) {
	read, err := readFiles(files, options, mutatingKind)
	if err != nil {
		return nil, err
	}
	return mutationsOf(newBound(read, options), newTypeConverters(options.Resources), options.Authorizer), nil
}

// The kinds of policies.
const (
	validatingKind = fielderror.OriginPolicy
	mutatingKind   = fielderror.OriginMutatingPolicy
)

func readFiles(files []File, options Options, kind string) (*content, error) {
	read := &content{wanted: kind, unreadable: map[string]bool{}, namespaces: namespaces{}}
	for _, file := range files {
		read.mixed = file.Mixed
		read.file(file)
	}
	read.bind(files)
	return read, read.mistakes.Err()
}

// content holds the objects of the files.
type content struct {
	wanted     string // the kind of the policies
	mixed      bool   // policies of the other kind in the file are loaded elsewhere
	policies   []*policy
	unreadable map[string]bool // names of policies with mistakes
	incomplete bool            // a document cannot be read, so missing objects may be in it
	bindings   []*binding
	objects    []placed // of other kinds: parameters, perhaps
	scopes     map[schema.GroupKind]apiextensionsv1.ResourceScope
	namespaces namespaces
	mistakes   userfile.Mistakes
	warnings   userfile.Mistakes
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
			c.mistakes.Addf(one.at(""), "expected an object with apiVersion and kind: a %[1]s, a %[1]sBinding, a parameter or a Namespace",
				c.wanted)
			continue
		}
		c.sort(one)
	}
}

// sort reads an object by its kind.
func (c *content) sort(one placed) {
	switch group, kind := one.kind.Group, one.kind.Kind; {
	case group == admissionregistrationv1.GroupName && kind == c.wanted:
		c.policy(one)
	case group == admissionregistrationv1.GroupName && kind == c.wanted+"Binding":
		c.binding(one)
	case group == admissionregistrationv1.GroupName && isPolicyKind(kind):
		c.otherPolicy(one)
	case group == "" && kind == "Namespace":
		c.namespace(one)
	case group == apiextensionsv1.GroupName && kind == "CustomResourceDefinition":
		c.definition(one)
	default:
		c.objects = append(c.objects, one)
	}
}

// isPolicyKind reports whether a kind is one of policies or bindings.
func isPolicyKind(kind string) bool {
	of := strings.TrimSuffix(kind, "Binding")
	return of == validatingKind || of == mutatingKind
}

// otherPolicy reports a policy, or a binding, of the other kind.
func (c *content) otherPolicy(one placed) {
	switch {
	case c.mixed:
	case c.wanted == validatingKind:
		c.mistakes.Addf(one.at("kind"), "a %s changes objects, and policies are those that refuse them; name the file under "+
			"mutate: {policies: […]} of the same side", one.kind.Kind)
	default:
		c.mistakes.Addf(one.at("kind"), "a %s refuses objects, and mutate is for policies that change them; name the file under "+
			"policies of the same side", one.kind.Kind)
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
