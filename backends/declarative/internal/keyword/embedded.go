package keyword

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// embeddedCheck is x-kubernetes-embedded-resource: apiVersion and kind must be
// there and be such, and metadata is validated like that of any object.
type embeddedCheck struct{ site Site }

const embeddedResource = "x-kubernetes-embedded-resource"

// CompileEmbedded compiles x-kubernetes-embedded-resource.
func CompileEmbedded(s Source) {
	if !s.Flag(embeddedResource) {
		return
	}
	check := &embeddedCheck{site: s.Site(embeddedResource)}
	check.site.Stage = Embedded
	s.On(check, view.Map)
}

func (c *embeddedCheck) Check(s Subject) {
	for _, part := range embeddedParts() {
		if e := part.wrong(s.Reader(), s.Value()); e != nil && s.Failed() {
			s.ReportEntry(part.name, &c.site, *e)
		}
	}
	v, ok := s.Reader().Field(s.Value(), "metadata")
	if !ok {
		return
	}
	meta, unreadable := readMetadata(v)
	if unreadable != nil {
		if s.Failed() {
			s.ReportEntry("metadata", &c.site, field.Error{Type: field.ErrorTypeInvalid, BadValue: v.JSON(), Detail: unreadable.Error()})
		}
		return
	}
	s.ReportAs(&c.site, func(at *field.Path) field.ErrorList { return metadataErrors(meta, at.Child("metadata")) })
}

// embeddedPart is apiVersion or kind: what its text must be.
type embeddedPart struct {
	name string
	must func(text string) (why string)
}

func embeddedParts() [2]embeddedPart {
	return [...]embeddedPart{{"apiVersion", wrongGroupVersion}, {"kind", wrongKind}}
}

func wrongGroupVersion(text string) string {
	if _, err := schema.ParseGroupVersion(text); err != nil {
		return err.Error()
	}
	return ""
}

func wrongKind(text string) string {
	if msgs := validation.IsDNS1035Label(strings.ToLower(text)); len(msgs) > 0 {
		return "may have mixed case, but should otherwise match: " + strings.Join(msgs, ",")
	}
	return ""
}

// wrong is the error of the part in an object, or nil.
func (p embeddedPart) wrong(read *view.Reader, in view.View) *field.Error {
	v, ok := read.Field(in, p.name)
	e := &field.Error{Type: field.ErrorTypeInvalid}
	switch {
	case !ok:
		return &field.Error{Type: field.ErrorTypeRequired, BadValue: ""}
	case v.Kind() != view.String:
		e.Detail = "must be a string"
	case v.Str() == "":
		e.Detail = "must not be empty"
	default:
		if e.Detail = p.must(v.Str()); e.Detail == "" {
			return nil
		}
	}
	e.BadValue = v.JSON()
	return e
}

// readMetadata reads the metadata of an object.
func readMetadata(v view.View) (*metav1.ObjectMeta, error) {
	data, err := utiljson.Marshal(v.JSON())
	if err != nil {
		return nil, err
	}
	var meta metav1.ObjectMeta
	if err := utiljson.Unmarshal(data, &meta); err != nil {
		return nil, err
	}
	return &meta, nil
}

// metadataErrors validates metadata as that of any object. An embedded resource need not
// have a name.
func metadataErrors(meta *metav1.ObjectMeta, at *field.Path) field.ErrorList {
	if meta.Name == "" {
		meta.Name = "name"
	}
	segment := func(name string, prefix bool) []string {
		if prefix {
			return content.IsPathSegmentPrefix(name)
		}
		return content.IsPathSegmentName(name)
	}
	return metavalidation.ValidateObjectMeta(meta, meta.Namespace != "", segment, at)
}
