package declarative

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
type embeddedCheck struct{ site }

func compileEmbedded(c *compiler, n *node, s schemaSite) {
	if set, _ := extension[bool](c, s); !set {
		return
	}
	check := &embeddedCheck{site: s.site()}
	check.stage = embedded
	c.embeds = true
	n.on(check, view.Map)
}

func (c *embeddedCheck) check(w *walk, f *frame) {
	for _, part := range embeddedParts() {
		if e := part.wrong(w, f.val); e != nil && w.failed() {
			w.child(f, part.name, func(at *frame) { w.report(at, &c.site, *e) })
		}
	}
	v, ok := w.read.Field(f.val, "metadata")
	if !ok {
		return
	}
	at := field.NewPath("metadata")
	if f.step != toRoot {
		at = field.NewPath(w.field(f)).Child("metadata")
	}
	errs, unreadable := metadataErrors(v, at)
	if unreadable != nil && w.failed() {
		e := field.Error{Type: field.ErrorTypeInvalid, BadValue: v.JSON(), Detail: unreadable.Error()}
		w.child(f, "metadata", func(at *frame) { w.report(at, &c.site, e) })
	}
	for _, e := range errs {
		if w.failed() {
			w.keep(&site{origin: e.Origin, stage: c.stage}, *e)
		}
	}
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
func (p embeddedPart) wrong(w *walk, in view.View) *field.Error {
	v, ok := w.read.Field(in, p.name)
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

// metadataErrors validates metadata as that of any object. It is unreadable when it is
// no metadata at all.
func metadataErrors(v view.View, at *field.Path) (errs field.ErrorList, unreadable error) {
	data, err := utiljson.Marshal(v.JSON())
	var meta metav1.ObjectMeta
	if err == nil {
		err = utiljson.Unmarshal(data, &meta)
	}
	if err != nil {
		return nil, err
	}
	if meta.Name == "" {
		meta.Name = "name" // a resource that is embedded need not have one
	}
	segment := func(name string, prefix bool) []string {
		if prefix {
			return content.IsPathSegmentPrefix(name)
		}
		return content.IsPathSegmentName(name)
	}
	return metavalidation.ValidateObjectMeta(&meta, meta.Namespace != "", segment, at), nil
}
