package equivalence

// kind returns the kind of a rule; the keys of the kinds exclude each other.
func (b *ruleBuilder) kind() string {
	kind, given := kindWording, 0
	for _, key := range []struct {
		kind  string
		given bool
	}{
		{kindHides, !b.entry.Hides.IsZero()},
		{kindJoins, b.entry.Joins != nil},
		{kindRepeats, b.entry.Repeats != nil},
	} {
		if key.given {
			kind = key.kind
			given++
		}
	}
	if given > 1 {
		b.addf("hides, joins and repeats exclude each other")
	}
	if kind != kindWording {
		b.only(kind)
	}
	return kind
}

// only rejects the keys that are for wordings.
func (b *ruleBuilder) only(kind string) {
	for _, key := range []struct {
		name  string
		given bool
	}{
		{"text", b.entry.Text != ""},
		{"nativeField", b.entry.NativeField != ""},
		{"declarativeField", b.entry.DeclarativeField != ""},
		{"unordered", len(b.entry.Unordered) > 0},
		{"schema", len(b.entry.Schema) > 0},
		{"value", b.entry.Value != ""},
		{"amount", b.entry.Amount != noAmount},
		{"separator", b.entry.Separator != "" && kind != kindJoins},
	} {
		if key.given {
			b.addf("%s has no place in a rule with %s", key.name, kind)
		}
	}
}

// sameText checks a rule about errors that differ only in their field.
func (b *ruleBuilder) sameText(rule *Rule) {
	if b.entry.Text != sameText {
		b.addf("text is %q; accepted: %s", b.entry.Text, sameText)
	}
	if b.entry.Native != nil || b.entry.Declarative != nil {
		b.addf("text: %s takes the place of native and declarative", sameText)
	}
	if b.entry.NativeField == "" {
		b.addf("text: %s needs nativeField and declarativeField; errors with the same text at the same field are equal without a rule",
			sameText)
	}
	if rule.NativeType != rule.DeclarativeType {
		b.addf("text: %s is about one type, or, without type, about any", sameText)
	}
}

// oneSide compiles the pattern of a rule about errors of one side.
func (b *ruleBuilder) oneSide(rule *Rule, of sideName) {
	rule.of = of
	if of == nativeSide {
		rule.native.detail = b.detail("native", b.entry.Native, rule.NativeType)
	} else {
		rule.declarative.detail = b.detail("declarative", b.entry.Declarative, rule.NativeType)
	}
	if b.entry.Native != nil && b.entry.Declarative != nil {
		b.addf("%s is about errors of one side; give either native or declarative", rule.Kind)
	}
	if !b.failed {
		b.breadth(rule, nil)
	}
}

// hides reads the fields that an error hides. Its pattern is under the name of the side that it stops.
func (b *ruleBuilder) hides(rule *Rule) {
	of := nativeSide
	if b.entry.Native == nil && b.entry.Declarative != nil {
		of = declarativeSide
	}
	b.oneSide(rule, of)
	rule.hides = b.entry.Hides.fieldPattern
	if rule.field.IsZero() && !rule.hidesBelow() {
		rule.field = rule.hides
	}
	switch {
	case rule.hidesBelow() && !rule.field.below:
	case len(rule.hides.steps) == 0:
		b.addf("hides names the root, and so everything; name the part that is not looked at")
	case rule.hides.below || rule.field.below:
		b.addf("hides covers everything below; leave the %s out", subtree)
	default:
		for _, step := range rule.hides.steps[rule.sharedSteps():] {
			if anyItem(step) {
				b.addf("hides %s has a [*] that field %s does not have at the same place, so the items could not be distinguished",
					rule.hides, rule.field)
				break
			}
		}
	}
}

// joins reads how a side joins several errors.
func (b *ruleBuilder) joins(rule *Rule) {
	rule.of = *b.entry.Joins
	rule.separator = b.entry.Separator
	if rule.separator == "" {
		b.addf("separator is missing; it is the text between the joined texts, such as '; '")
	}
	rule.native.detail = b.detail("native", b.entry.Native, rule.NativeType)
	rule.declarative.detail = b.detail("declarative", b.entry.Declarative, rule.NativeType)
	if b.failed {
		return
	}
	b.breadth(rule, []string{partGroup})
	b.looseGroups(rule)
	for _, of := range []sideName{nativeSide, declarativeSide} {
		if groups := rule.pattern(of).groups(); len(groups) != 1 || groups[0] != partGroup {
			b.addf("%s must have the group (?P<%s>…) and no other with a name: on the side that joins for all texts, on the other for one",
				of, partGroup)
		}
	}
}

// repeats reads which errors a side reports more than once.
func (b *ruleBuilder) repeats(rule *Rule) { b.oneSide(rule, *b.entry.Repeats) }
