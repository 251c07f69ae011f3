package keyword

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// itemsCheck is the keywords minItems and maxItems; nil is no bound.
type itemsCheck struct {
	min, max         *int64
	minSite, maxSite Site
}

// CompileItems compiles minItems and maxItems.
func CompileItems(s Source) {
	p := s.Schema()
	if p.MinItems != nil || p.MaxItems != nil {
		s.On(&itemsCheck{min: p.MinItems, minSite: s.Site("minItems"), max: p.MaxItems, maxSite: s.Site("maxItems")}, view.List)
	}
	if p.AdditionalItems != nil {
		s.Mistakef("additionalItems", "", "is not supported, as in a CRD: use one schema for all items")
	}
	if p.Items != nil && p.Items.Schema == nil {
		s.Mistakef("items", "", "must be one schema for all items, as in a CRD")
	}
}

func (c *itemsCheck) Check(s Subject) {
	size := int64(s.Reader().Len(s.Value()))
	if c.min != nil && size < *c.min && s.Failed(&c.minSite) {
		invalid(s, &c.minSite, openapierrors.TooFewItems(s.Path(), "body", *c.min, size))
	}
	if c.max != nil && size > *c.max && s.Failed(&c.maxSite) {
		invalid(s, &c.maxSite, openapierrors.TooManyItems(s.Path(), "body", *c.max, size))
	}
}

// uniqueCheck is the keyword uniqueItems.
type uniqueCheck struct{ site Site }

// CompileUnique compiles uniqueItems.
func CompileUnique(s Source) {
	if s.Schema().UniqueItems {
		s.On(&uniqueCheck{site: s.Site("uniqueItems")}, view.List)
	}
}

func (c *uniqueCheck) Check(s Subject) {
	for range s.Duplicates(nil, view.AsValues) {
		if s.Failed(&c.site) {
			invalid(s, &c.site, openapierrors.DuplicateItems(s.Path(), "body"))
		}
		return
	}
}

const (
	listType    = "x-kubernetes-list-type"
	listMapKeys = "x-kubernetes-list-map-keys"
)

// CompileListType compiles x-kubernetes-list-type and x-kubernetes-list-map-keys. It returns the
// keys of a list of type map. refers is true if the schema has a $ref.
func CompileListType(s Source, refers bool) (mapKeys []string) {
	typ, keys := s.Text(listType), s.Texts(listMapKeys)
	if typ == "" && len(keys) == 0 {
		return nil
	}
	if typ != "map" && len(keys) > 0 {
		s.Mistakef(listMapKeys, keys, "goes only with x-kubernetes-list-type: map")
	}
	if typ != "" && !slices.Equal(s.Schema().Type, []string{"array"}) && !refers {
		s.Mistakef(listType, typ, "goes only with type: array")
		return nil
	}
	site := s.Site(listType)
	site.Stage = ListTypes
	switch typ {
	case "", "atomic":
	case "set":
		s.On(&listTypeCheck{site: site}, view.List)
	case "map":
		if len(keys) == 0 {
			s.Mistakef(listMapKeys, keys, "must name at least one key for x-kubernetes-list-type: map")
			return nil
		}
		s.On(&listTypeCheck{site: site, keys: keys}, view.List)
		return keys
	default:
		s.Mistakef(listType, typ, "unknown list type; accepted are atomic, map, set")
	}
	return nil
}

// listTypeCheck is x-kubernetes-list-type: map or, without keys, set.
type listTypeCheck struct {
	site Site
	keys []string
}

func (c *listTypeCheck) Check(s Subject) {
	if i, found := c.noObject(s); found {
		if s.Failed(&c.site) {
			v, _ := s.Reader().At(s.Value(), i)
			s.ReportItem(i, &c.site, field.Error{
				Type: field.ErrorTypeInvalid, BadValue: v.JSON(),
				Detail: "must be an object for an array of list-type map",
			})
		}
		return
	}
	if s.Reader().Len(s.Value()) < 2 {
		return // without the memory that the loop takes
	}
	for i := range s.Duplicates(c.keys, view.AsText) {
		if s.Failed(&c.site) {
			v, _ := s.Reader().At(s.Value(), i)
			e := field.Error{Type: field.ErrorTypeDuplicate, BadValue: v.JSON()}
			if c.keys != nil {
				e.BadValue = keyValue(s.Reader(), v, c.keys)
			}
			s.ReportItem(i, &c.site, e)
		}
	}
}

// noObject finds the first item of a list by keys that is neither an object nor null.
func (c *listTypeCheck) noObject(s Subject) (index int, found bool) {
	read, list := s.Reader(), s.Value()
	for i := 0; c.keys != nil && i < read.Len(list); i++ {
		v, _ := read.At(list, i)
		if k := v.Kind(); k != view.Map && k != view.Null {
			return i, true
		}
	}
	return 0, false
}

// keyValue returns the keys of an item with their values, for the error.
func keyValue(read *view.Reader, item view.View, keys []string) map[string]any {
	value := map[string]any{}
	for _, name := range keys {
		if v, ok := read.Field(item, name); ok {
			value[name] = v.JSON()
		}
	}
	return value
}
