package idl

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/gengo/v2/codetags"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
)

// Stage is how far a validation of Kubernetes has come. validation-gen marks those that the
// API server does not enforce yet with +k8s:alpha and +k8s:beta.
type Stage int

// The stages; each has those before it.
const (
	// StageBeta has what the API server enforces by default. It is the zero value.
	StageBeta Stage = iota
	// StageStable leaves the payloads of +k8s:beta out.
	StageStable
	// StageAlpha has all.
	StageAlpha
)

// StageNames lists the words for stages, the narrowest first.
func StageNames() []string { return []string{"stable", "beta", "alpha"} }

// StageNamed gives the stage of a word, one of StageNames.
func StageNamed(word string) (Stage, bool) {
	at := slices.Index(StageNames(), word)
	if at < 0 {
		return StageBeta, false
	}
	return []Stage{StageStable, StageBeta, StageAlpha}[at], true
}

func (s Stage) has(wrapper string) bool {
	return s == StageAlpha || s == StageBeta && wrapper == "k8s:beta"
}

// k8sTags is the dialect of validation-gen: the tags "+k8s:…" in k8s.io/api v0.36.
type k8sTags struct {
	kep     Dialect // writes what both dialects have
	stage   Stage
	enabled []string
	tags    map[string]k8sTag
}

// k8sTag is a row of the dialect's table.
type k8sTag struct {
	payload payload
	on      []Kind // kinds of value that it can be about; empty for all
	site    site
	remark  bool // no validation of its own
	apply   func(*Target, codetags.Tag) error
}

// payload is what stands behind the equals sign of a tag.
type payload int

const (
	noPayload payload = iota
	valuePayload
	tagPayload
)

// NewK8s makes the dialect of upstream's validation tags. Of validations that are not stable it
// takes those of the stage, and of +k8s:ifEnabled and +k8s:ifDisabled those that hold when the
// options are enabled that Reading names, and no others.
func NewK8s(reading Reading) (Dialect, error) {
	kep, err := NewKEP4153()
	if err != nil {
		return nil, err
	}
	k := &k8sTags{kep: kep, stage: reading.Stage, enabled: reading.Options}
	k.tags = map[string]k8sTag{}
	for _, rows := range []map[string]k8sTag{k.wrappers(), k.valueTags(), k.fieldTags(), k.unionTags(), k.inexpressibleTags()} {
		maps.Copy(k.tags, rows)
	}
	return k, nil
}

// Names implements Dialect.
func (k *k8sTags) Names() []string { return slices.Sorted(maps.Keys(k.tags)) }

func (k *k8sTags) namespace() string { return "k8s:" }

// Parse implements Dialect.
func (k *k8sTags) Parse(text string) (*Marker, error) {
	name, _ := marker.SplitName(text)
	if _, known := k.tags[name]; !known || !strings.HasPrefix(text, "+k8s:") {
		return nil, nil
	}
	tag, err := codetags.Parse(strings.TrimPrefix(text, "+"))
	if err != nil {
		return nil, fmt.Errorf("+%s: %w", name, err)
	}
	if err := k.check(tag); err != nil {
		return nil, err
	}
	return &Marker{
		Name: tag.String(), Short: behindStages(tag).Name, Repeats: true, Declares: !k.isRemark(tag), First: behindStages(tag).Name == opaqueType,
		Apply: func(t *Target) error { return k.apply(t, tag) },
	}, nil
}

// isStage reports whether a tag says only when the tag behind it is taken.
func isStage(tag codetags.Tag) bool {
	return tag.ValueTag != nil && slices.Contains([]string{"k8s:alpha", "k8s:beta", "k8s:ifEnabled", "k8s:ifDisabled"}, tag.Name)
}

func behindStages(tag codetags.Tag) codetags.Tag {
	for isStage(tag) {
		tag = *tag.ValueTag
	}
	return tag
}

// check reports tags that do not exist, and payloads that do not fit, at any depth.
func (k *k8sTags) check(tag codetags.Tag) error {
	row, known := k.tags[tag.Name]
	switch {
	case !known:
		return marker.NewVocabulary(k.Names(), nil).Unknown(tag.Name)
	case row.payload == noPayload && tag.ValueType != codetags.ValueTypeNone:
		return fmt.Errorf("+%s takes no value, got %q", tag.Name, tag.Value)
	case row.payload == valuePayload && (tag.ValueType == codetags.ValueTypeNone || tag.ValueType == codetags.ValueTypeTag):
		return fmt.Errorf("+%s needs a value: +%s=…", tag.Name, tag.Name)
	case row.payload == tagPayload && tag.ValueTag == nil:
		return fmt.Errorf("+%s needs a tag behind it: +%s(…)=+k8s:…", tag.Name, tag.Name)
	case tag.ValueTag != nil:
		return k.check(*tag.ValueTag)
	}
	return nil
}

func (k *k8sTags) isRemark(tag codetags.Tag) bool {
	if tag.ValueTag != nil {
		return k.isRemark(*tag.ValueTag)
	}
	return k.tags[tag.Name].remark
}

// apply changes a target as a tag says.
func (k *k8sTags) apply(t *Target, tag codetags.Tag) error {
	row := k.tags[tag.Name]
	if row.site == onFields && !t.isField() {
		return fmt.Errorf("+%s is for fields", tag.Name)
	}
	if kind := t.Kind(); len(row.on) > 0 && !slices.Contains(row.on, kind) {
		return fmt.Errorf("+%s is for %s; this is %s", tag.Name, plurals(row.on), article(kind))
	}
	return row.apply(t, tag)
}

// wrappers are the tags whose payload is another tag.
func (k *k8sTags) wrappers() map[string]k8sTag {
	return map[string]k8sTag{
		"k8s:alpha":      {payload: tagPayload, apply: k.applyStage},
		"k8s:beta":       {payload: tagPayload, apply: k.applyStage},
		"k8s:ifEnabled":  {payload: tagPayload, apply: k.applyOption(true)},
		"k8s:ifDisabled": {payload: tagPayload, apply: k.applyOption(false)},
		"k8s:subfield":   {payload: tagPayload, on: []Kind{KindStruct}, apply: k.applySubfield},
		"k8s:eachVal":    {payload: tagPayload, on: []Kind{KindList, KindMap}, apply: k.applyEachVal},
		"k8s:eachKey":    {payload: tagPayload, on: []Kind{KindMap}, apply: k.applyEachKey},
		"k8s:item":       {payload: tagPayload, on: []Kind{KindList}, apply: k.applyItem},
		"k8s:member":     {payload: tagPayload, site: onFields, apply: k.applyMember},
	}
}

var kubernetesVersion = regexp.MustCompile(`^1\.\d+$`)

func (k *k8sTags) applyStage(t *Target, tag codetags.Tag) error {
	if since, ok := tag.NamedArg("since"); ok && !kubernetesVersion.MatchString(since.Value) {
		return fmt.Errorf("+%s: since is a version as 1.36, got %q", tag.Name, since.Value)
	}
	if !k.stage.has(tag.Name) {
		return nil
	}
	return k.apply(t, *tag.ValueTag)
}

func (k *k8sTags) applyOption(enabled bool) func(*Target, codetags.Tag) error {
	return func(t *Target, tag codetags.Tag) error {
		option, ok := tag.PositionalArg()
		if !ok {
			return fmt.Errorf("+%s needs the name of an option: +%s(Name)=+k8s:…", tag.Name, tag.Name)
		}
		if slices.Contains(k.enabled, option.Value) != enabled {
			return nil
		}
		return k.apply(t, *tag.ValueTag)
	}
}

// takes reports whether a wrapper has an effect with the stage and the options of the dialect.
func (k *k8sTags) takes(tag codetags.Tag) bool {
	option, _ := tag.PositionalArg()
	switch tag.Name {
	case "k8s:alpha", "k8s:beta":
		return k.stage.has(tag.Name)
	case "k8s:ifEnabled":
		return slices.Contains(k.enabled, option.Value)
	case "k8s:ifDisabled":
		return !slices.Contains(k.enabled, option.Value)
	}
	return true
}

func (k *k8sTags) applySubfield(t *Target, tag codetags.Tag) error {
	name, ok := tag.PositionalArg()
	if !ok {
		return fmt.Errorf("+k8s:subfield needs the JSON name of a field: +k8s:subfield(name)=+k8s:…")
	}
	return t.builder.descend(t, []string{"." + name.Value}, func(below *Target) error { return k.apply(below, *tag.ValueTag) })
}

func (k *k8sTags) applyEachVal(t *Target, tag codetags.Tag) error {
	step := "items"
	if t.Kind() == KindMap {
		step = "values"
	}
	return t.builder.descend(t, []string{step}, func(below *Target) error { return k.apply(below, *tag.ValueTag) })
}

func (k *k8sTags) applyEachKey(t *Target, tag codetags.Tag) error {
	c, err := k.condition(*tag.ValueTag, "key")
	if err != nil || c == nil {
		return err
	}
	rule := c.rule()
	rule["rule"] = fmt.Sprintf("self.all(key, %s)", c.holds)
	addRule(t.Schema(), rule)
	return nil
}

// inexpressible is a tag that no schema can say.
type inexpressible struct{ why string }

func (i *inexpressible) Error() string { return i.why }

func (k *k8sTags) inexpressibleTags() map[string]k8sTag {
	no := func(why string) k8sTag {
		return k8sTag{payload: noPayload, apply: func(_ *Target, tag codetags.Tag) error {
			return &inexpressible{fmt.Sprintf("+%s: %s", tag.Name, why)}
		}}
	}
	remark := func(takes payload) k8sTag {
		return k8sTag{payload: takes, remark: true, apply: func(*Target, codetags.Tag) error { return nil }}
	}
	return map[string]k8sTag{
		"k8s:customUnique": no("hand-written code decides which items are the same; a schema of the list type cannot be told to leave duplicates alone"),
		// Which requests a type is for is no question of which values are valid.
		"k8s:isSubresource":       remark(valuePayload),
		"k8s:supportsSubresource": remark(valuePayload),
		"k8s:enumExclude":         remark(noPayload), // read where the enum is
	}
}

// asInexpressible tells a tag that cannot be expressed from a mistake.
func asInexpressible(err error) (*inexpressible, bool) {
	var no *inexpressible
	return no, errors.As(err, &no)
}
