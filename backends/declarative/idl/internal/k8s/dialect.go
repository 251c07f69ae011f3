package k8s

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/gengo/v2/codetags"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/kep4153"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
)

// dialect is the dialect of validation-gen: the tags "+k8s:…" in k8s.io/api v0.37.
type dialect struct {
	Options
	kep  target.Dialect // applies markers that both dialects have
	tags map[string]definition
}

// Options select the validations that are not stable.
type Options struct {
	Alpha, Beta bool
	// Enabled lists the enabled options of +k8s:ifEnabled and +k8s:ifDisabled.
	Enabled []string
}

// definition defines a tag of the dialect.
type definition struct {
	payload payload
	on      []target.Kind // kinds of value it can constrain; empty for all
	onField bool          // it may be written on fields only
	remark  bool          // it describes structure and is not a validation
	apply   func(*target.Target, codetags.Tag) error
}

// payload is the text after the equals sign of a tag.
type payload int

const (
	noPayload payload = iota
	valuePayload
	tagPayload
)

// New returns the dialect of upstream's validation tags.
func New(options Options) (target.Dialect, error) {
	kep, err := kep4153.New()
	if err != nil {
		return nil, err
	}
	k := &dialect{Options: options, kep: kep, tags: map[string]definition{}}
	for _, rows := range []map[string]definition{k.wrappers(), k.valueTags(), k.fieldTags(), k.unionTags(), k.inexpressibleTags()} {
		maps.Copy(k.tags, rows)
	}
	return k, nil
}

// Names implements Dialect.
func (k *dialect) Names() []string { return slices.Sorted(maps.Keys(k.tags)) }

// Namespace implements Dialect.
func (k *dialect) Namespace() string { return "k8s:" }

// Parse implements Dialect.
func (k *dialect) Parse(text string) (*target.Marker, error) {
	name, _ := marker.SplitName(text)
	if _, known := k.tags[name]; !known || !strings.HasPrefix(text, "+k8s:") {
		return nil, nil
	}
	if name == withoutLint {
		text, _, _ = strings.Cut(text, " ") // words follow
	}
	tag, err := codetags.Parse(strings.TrimPrefix(text, "+"))
	if err != nil {
		return nil, fmt.Errorf("+%s: %w", name, err)
	}
	if err := k.check(tag); err != nil {
		return nil, err
	}
	return &target.Marker{
		Name: tag.String(), Short: behindConditions(tag).Name, Group: groupOf(behindConditions(tag).Name), Repeats: true,
		Declares: !k.isRemark(tag), First: behindConditions(tag).Name == opaqueType,
		Apply: func(t *target.Target) error { return k.apply(t, tag) },
	}, nil
}

// groupOf returns the group of the markers of KEP-4153 that a tag belongs to: an overlay that says which type a list
// has replaces the tags about it.
func groupOf(name string) string {
	if name == "k8s:listType" || name == "k8s:listMapKey" {
		return "listType"
	}
	return ""
}

// withoutLint is a tag for the linter of validation-gen.
const withoutLint = "k8s:validation-gen-nolint"

// isCondition reports whether a tag only decides whether the tag after it applies.
func isCondition(tag codetags.Tag) bool {
	return tag.ValueTag != nil && slices.Contains([]string{"k8s:alpha", "k8s:beta", "k8s:ifEnabled", "k8s:ifDisabled"}, tag.Name)
}

func behindConditions(tag codetags.Tag) codetags.Tag {
	for isCondition(tag) {
		tag = *tag.ValueTag
	}
	return tag
}

// check reports unknown tags and wrong payloads at any depth.
func (k *dialect) check(tag codetags.Tag) error {
	row, known := k.tags[tag.Name]
	switch {
	case !known:
		return marker.NewVocabulary(k.Names(), nil).Unknown(tag.Name)
	case row.payload == noPayload && tag.ValueType != codetags.ValueTypeNone:
		return fmt.Errorf("+%s takes no value, got %q", tag.Name, tag.Value)
	case row.payload == valuePayload && (tag.ValueType == codetags.ValueTypeNone || tag.ValueType == codetags.ValueTypeTag):
		return fmt.Errorf("+%s needs a value: +%s=…", tag.Name, tag.Name)
	case row.payload == tagPayload && tag.ValueTag == nil:
		return fmt.Errorf("+%s needs a tag after it: +%s(…)=+k8s:…", tag.Name, tag.Name)
	case tag.ValueTag != nil:
		return k.check(*tag.ValueTag)
	}
	return nil
}

func (k *dialect) isRemark(tag codetags.Tag) bool {
	if tag.ValueTag != nil {
		return k.isRemark(*tag.ValueTag)
	}
	return k.tags[tag.Name].remark
}

// apply applies a tag to a target.
func (k *dialect) apply(t *target.Target, tag codetags.Tag) error {
	row := k.tags[tag.Name]
	if row.onField && !t.IsField() {
		return fmt.Errorf("+%s is for fields", tag.Name)
	}
	if kind := t.Kind(); len(row.on) > 0 && !slices.Contains(row.on, kind) {
		return fmt.Errorf("+%s is for %s; this is %s", tag.Name, target.Plurals(row.on), kind.Article())
	}
	return row.apply(t, tag)
}

// wrappers returns the tags whose payload is a tag.
func (k *dialect) wrappers() map[string]definition {
	return map[string]definition{
		"k8s:alpha":      {payload: tagPayload, apply: k.applyStage},
		"k8s:beta":       {payload: tagPayload, apply: k.applyStage},
		"k8s:ifEnabled":  {payload: tagPayload, apply: k.applyOption},
		"k8s:ifDisabled": {payload: tagPayload, apply: k.applyOption},
		"k8s:subfield":   {payload: tagPayload, on: []target.Kind{target.KindStruct}, apply: k.applySubfield},
		"k8s:eachVal":    {payload: tagPayload, on: []target.Kind{target.KindList, target.KindMap}, apply: k.applyEachVal},
		"k8s:eachKey":    {payload: tagPayload, on: []target.Kind{target.KindMap}, apply: k.applyEachKey},
		"k8s:item":       {payload: tagPayload, on: []target.Kind{target.KindList}, apply: k.applyItem},
		"k8s:ifMode":     {payload: tagPayload, onField: true, apply: k.applyMember},
		"k8s:member":     {payload: tagPayload, onField: true, apply: k.applyMember}, // its name until 1.36
	}
}

var kubernetesVersion = regexp.MustCompile(`^1\.\d+$`)

func (k *dialect) applyStage(t *target.Target, tag codetags.Tag) error {
	if since, ok := tag.NamedArg("since"); ok && !kubernetesVersion.MatchString(since.Value) {
		return fmt.Errorf("+%s: since is a version as 1.36, got %q", tag.Name, since.Value)
	}
	if !k.takes(tag) {
		return nil
	}
	return k.apply(t, *tag.ValueTag)
}

func (k *dialect) applyOption(t *target.Target, tag codetags.Tag) error {
	if _, ok := tag.PositionalArg(); !ok {
		return fmt.Errorf("+%s needs the name of an option: +%s(Name)=+k8s:…", tag.Name, tag.Name)
	}
	if !k.takes(tag) {
		return nil
	}
	return k.apply(t, *tag.ValueTag)
}

// takes reports whether a wrapper has an effect with the stage and the options of the dialect.
func (k *dialect) takes(tag codetags.Tag) bool {
	option, _ := tag.PositionalArg()
	switch tag.Name {
	case "k8s:alpha":
		return k.Alpha
	case "k8s:beta":
		return k.Alpha || k.Beta
	case "k8s:ifEnabled":
		return slices.Contains(k.Enabled, option.Value)
	case "k8s:ifDisabled":
		return !slices.Contains(k.Enabled, option.Value)
	}
	return true
}

func (k *dialect) applySubfield(t *target.Target, tag codetags.Tag) error {
	name, ok := tag.PositionalArg()
	if !ok {
		return fmt.Errorf("+k8s:subfield needs the JSON name of a field: +k8s:subfield(name)=+k8s:…")
	}
	return t.Below([]string{"." + name.Value}, func(below *target.Target) error { return k.apply(below, *tag.ValueTag) })
}

func (k *dialect) applyEachVal(t *target.Target, tag codetags.Tag) error {
	step := "items"
	if t.Kind() == target.KindMap {
		step = "values"
	}
	return t.Below([]string{step}, func(below *target.Target) error { return k.apply(below, *tag.ValueTag) })
}

func (k *dialect) applyEachKey(t *target.Target, tag codetags.Tag) error {
	c, err := k.condition(*tag.ValueTag, "key")
	if err != nil || c == nil {
		return err
	}
	rule := c.rule()
	rule["rule"] = fmt.Sprintf("self.all(key, %s)", c.holds)
	target.AddRule(t.Schema(), rule)
	return nil
}

func (k *dialect) inexpressibleTags() map[string]definition {
	no := func(why string) definition {
		return definition{payload: noPayload, apply: func(_ *target.Target, tag codetags.Tag) error {
			return &target.Inexpressible{Why: fmt.Sprintf("+%s: %s", tag.Name, why)}
		}}
	}
	remark := func(takes payload) definition {
		return definition{payload: takes, remark: true, apply: func(*target.Target, codetags.Tag) error { return nil }}
	}
	return map[string]definition{
		"k8s:customValidation": no("the validation is a hand-written function"),
		"k8s:customUnique": no("hand-written code decides which items are the same; a schema of the list type cannot be " +
			"told to leave duplicates alone"),
		// The requests that a type is for do not affect which values are valid.
		"k8s:isSubresource":       remark(valuePayload),
		"k8s:supportsSubresource": remark(valuePayload),
		"k8s:enumExclude":         remark(noPayload), // read where the enum is
		withoutLint:               remark(noPayload),
	}
}
