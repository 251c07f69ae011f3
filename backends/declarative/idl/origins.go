package idl

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/userfile"
)

// Origins says which line of a source or of an overlay made a place of a schema. The places are
// written as in the errors of declarative.Compile: "properties[spec].maximum",
// "definitions[NAME].properties[size].x-kubernetes-validations[0]". A field and a type have their
// own lines; a keyword or rule has the line of its marker.
type Origins map[string]userfile.Position

// At returns the line of a place, or of the longest part of it that has one.
func (o Origins) At(place string) (userfile.Position, bool) {
	for steps := fieldpath.Split(place); ; steps = steps[:len(steps)-1] {
		at, ok := o[place]
		if ok || len(steps) == 0 {
			return at, ok
		}
		last := steps[len(steps)-1]
		if last.Bracket {
			place = strings.TrimSuffix(place, "["+last.Text+"]")
		} else {
			place = strings.TrimSuffix(strings.TrimSuffix(place, last.Text), ".")
		}
	}
}

// originKey is the extension that carries, while schemas are made, the line of a keyword, whose
// name stands behind it, or of the schema itself. In a rule it is a key beside the others.
// [Origins] are collected from both, and the schemas that callers see have neither.
const originKey = "x-diffrun-origin "

// setOrigin notes the line of a keyword, or with no keyword that of the schema itself.
func setOrigin(s *spec.Schema, keyword string, at userfile.Position) {
	setExtension(s, originKey+keyword, at)
}

// noting applies a change to a target and notes the line of the marker at all that it changed in
// the target, and at the rules that it added to the struct around it.
func (t *Target) noting(do func(*Target) error) error {
	b := t.builder
	before, alternatives := b.keywordsOf(t.node), len(b.resolve(t.node).AllOf)
	undecided := t.field != nil && t.field.required == nil
	var err error
	b.notingRules(t.owner, t.at, func() {
		b.notingRules(t.node, t.at, func() { err = do(t) })
	})
	for keyword, value := range b.keywordsOf(t.node) {
		if !reflect.DeepEqual(before[keyword], value) {
			setOrigin(t.node, keyword, t.at)
		}
	}
	if undecided && t.field.required != nil {
		setOrigin(t.node, "required", t.at)
	}
	for i := alternatives; i < len(t.node.AllOf); i++ {
		for keyword := range keywords(&t.node.AllOf[i]) {
			setOrigin(&t.node.AllOf[i], keyword, t.at)
		}
	}
	return err
}

// notingRules notes a line at the rules that a change adds to a schema. The schema may be nil.
func (b *builder) notingRules(s *spec.Schema, at userfile.Position, change func()) {
	if s == nil {
		change()
		return
	}
	before := len(rulesOf(b.resolve(s)))
	change()
	for i := before; i < len(rulesOf(s)); i++ {
		stampRule(s, i, at)
	}
}

// stampRule gives a rule a line, unless it has one. Copies of a schema share their rules, so they
// are not changed in place.
func stampRule(s *spec.Schema, i int, at userfile.Position) {
	rules := slices.Clone(rulesOf(s))
	if rule, ok := rules[i].(map[string]any); ok && rule[originKey] == nil {
		rule = maps.Clone(rule)
		rule[originKey] = at
		rules[i] = rule
		setExtension(s, extValidations, rules)
	}
}

// noteApplied notes the line of a marker that controller-tools has applied at what it wrote.
func (t *Target) noteApplied(marker *Marker) {
	if strings.HasPrefix(marker.Name, crdmarkers.ValidationItemsPrefix) {
		if t.node.Items == nil || t.node.Items.Schema == nil {
			return
		}
		t = &Target{node: t.node.Items.Schema, builder: t.builder, at: t.at}
	}
	added, err := t.addition(marker.Name, marker.addition)
	if err != nil {
		return // controller-tools has reported it
	}
	for keyword := range keywords(added) {
		setOrigin(t.node, keyword, t.at)
	}
	for _, wrote := range rulesOf(added) {
		for i, each := range rulesOf(t.node) {
			if ruleText(each) == ruleText(wrote) {
				stampRule(t.node, i, t.at)
			}
		}
	}
}

func ruleText(rule any) any {
	written, _ := rule.(map[string]any)
	return written["rule"]
}

func rulesOf(s *spec.Schema) []any {
	rules, _ := s.Extensions[extValidations].([]any)
	return rules
}

// keywordsOf returns the keywords of a schema and of what it refers to.
func (b *builder) keywordsOf(s *spec.Schema) map[string]any {
	all := keywords(b.resolve(s))
	maps.Copy(all, keywords(s))
	return all
}

// keywords returns the keywords of a schema alone that markers set, other than rules.
func keywords(s *spec.Schema) map[string]any {
	all := map[string]any{}
	for name, value := range map[string]any{
		"minimum": s.Minimum, "maximum": s.Maximum, "multipleOf": s.MultipleOf, "exclusiveMinimum": s.ExclusiveMinimum, "exclusiveMaximum": s.ExclusiveMaximum,
		"minLength": s.MinLength, "maxLength": s.MaxLength, "pattern": s.Pattern, "format": s.Format, "enum": s.Enum,
		"minItems": s.MinItems, "maxItems": s.MaxItems, "uniqueItems": s.UniqueItems,
		"minProperties": s.MinProperties, "maxProperties": s.MaxProperties,
		"nullable": s.Nullable, "default": s.Default, "title": s.Title,
	} {
		if of := reflect.ValueOf(value); of.IsValid() && !of.IsZero() {
			all[name] = value
		}
	}
	for name, value := range s.Extensions {
		if name != extValidations && !strings.HasPrefix(name, originKey) {
			all[name] = value
		}
	}
	return all
}

// collect takes the lines out of a schema and all below it. The place is that of the schema.
func (o Origins) collect(s *spec.Schema, place string) {
	kept := spec.Extensions{}
	for name, value := range s.Extensions {
		keyword, isOrigin := strings.CutPrefix(name, originKey)
		at, ok := value.(userfile.Position)
		switch {
		case !isOrigin || !ok:
			kept[name] = value
		case keyword == "":
			o[place] = at
		default:
			o[inPlace(place, keyword)] = at
		}
	}
	o.collectRules(kept, place)
	if s.Extensions != nil {
		s.Extensions = kept
	}
	for name, property := range s.Properties {
		o.collect(&property, inPlace(place, "properties["+name+"]"))
		s.Properties[name] = property
	}
	for i, name := range s.Required { // presence has its line at the field
		if at, ok := o.At(inPlace(place, "properties["+name+"].required")); ok {
			o[inPlace(place, fmt.Sprintf("required[%d]", i))] = at
		}
	}
	for i := range s.AllOf {
		o.collect(&s.AllOf[i], inPlace(place, fmt.Sprintf("allOf[%d]", i)))
	}
	if s.Items != nil && s.Items.Schema != nil {
		o.collect(s.Items.Schema, inPlace(place, "items"))
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		o.collect(s.AdditionalProperties.Schema, inPlace(place, "additionalProperties"))
	}
}

// collectRules takes the lines out of rules.
func (o Origins) collectRules(extensions spec.Extensions, place string) {
	rules, ok := extensions[extValidations].([]any)
	if !ok {
		return
	}
	plain := slices.Clone(rules)
	for i, each := range plain {
		rule, _ := each.(map[string]any)
		if at, ok := rule[originKey].(userfile.Position); ok {
			o[inPlace(place, fmt.Sprintf("%s[%d]", extValidations, i))] = at
			rule = maps.Clone(rule)
			delete(rule, originKey)
			plain[i] = rule
		}
	}
	extensions[extValidations] = plain
}

func inPlace(place, step string) string {
	if place == "" {
		return step
	}
	return place + "." + step
}

// keywordNamed returns the keyword that a marker sets which controller-tools has applied and does
// not apply to a schema alone.
func keywordNamed(marker string) string {
	return map[string]string{
		"default": "default", "nullable": "nullable", "required": "required", "kubebuilder:validation:Required": "required",
		"listType": extListType, "listMapKey": extListMapKeys, "mapType": extMapType, "structType": extMapType,
	}[marker]
}
