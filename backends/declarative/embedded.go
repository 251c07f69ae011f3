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
	var set bool
	if s.extension(c, &set); !set {
		return
	}
	check := &embeddedCheck{site: s.site()}
	check.stage = embedded
	c.embeds = true
	n.on(check, view.Map)
}

func (c *embeddedCheck) check(w *walk, f *frame) {
	c.part(w, f, "apiVersion", func(v view.View) string {
		if _, err := schema.ParseGroupVersion(v.Str()); err != nil {
			return err.Error()
		}
		return ""
	})
	c.part(w, f, "kind", func(v view.View) string {
		if msgs := validation.IsDNS1035Label(strings.ToLower(v.Str())); len(msgs) > 0 {
			return "may have mixed case, but should otherwise match: " + strings.Join(msgs, ",")
		}
		return ""
	})
	if meta, ok := w.read.Field(f.val, "metadata"); ok {
		c.metadata(w, f, meta)
	}
}

// part checks apiVersion or kind.
func (c *embeddedCheck) part(w *walk, f *frame, name string, wrong func(view.View) string) {
	v, ok := w.read.Field(f.val, name)
	e := field.Error{Type: field.ErrorTypeInvalid}
	switch {
	case !ok:
		e = field.Error{Type: field.ErrorTypeRequired, BadValue: ""}
	case v.Kind() != view.String:
		e.Detail = "must be a string"
	case v.Str() == "":
		e.Detail = "must not be empty"
	default:
		if e.Detail = wrong(v); e.Detail == "" {
			return
		}
	}
	if !w.failed() {
		return
	}
	if ok {
		e.BadValue = v.JSON()
	}
	w.child(f, name, func(at *frame) { w.report(at, &c.site, e) })
}

func (c *embeddedCheck) metadata(w *walk, f *frame, v view.View) {
	data, err := utiljson.Marshal(v.JSON())
	var meta metav1.ObjectMeta
	if err == nil {
		err = utiljson.Unmarshal(data, &meta)
	}
	if err != nil {
		if w.failed() {
			e := field.Error{Type: field.ErrorTypeInvalid, BadValue: v.JSON(), Detail: err.Error()}
			w.child(f, "metadata", func(at *frame) { w.report(at, &c.site, e) })
		}
		return
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
	at := field.NewPath("metadata")
	if f.step != toRoot {
		at = field.NewPath(w.field(f)).Child("metadata")
	}
	for _, e := range metavalidation.ValidateObjectMeta(&meta, meta.Namespace != "", segment, at) {
		if w.failed() {
			w.keep(&site{origin: e.Origin, stage: c.stage}, *e)
		}
	}
}
