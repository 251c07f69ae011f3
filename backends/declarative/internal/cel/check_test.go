package cel

import "testing"

// checkedRules are expressions whose costs are estimated in special ways, and some that are wrong although
// they type-check.
func checkedRules() []string {
	return []string{
		"sets.contains(self.set, ['x'])", "self.set.distinct().size() > 0", "self.items.map(i, [i.port]).flatten().size() > 0",
		"lists.range(3).size() == 3",
		"self.set.slice(0, 1).size() == 1", "self.set.sort().size() == 1", "self.set.reverse().size() == 1",
		"self.items.sortBy(i, i.port).size() == 1",
		"self.s.isValid()", "self.s.isPrint()", "!self.s.isControl()", "self.s.isFormat('known')", "self.s.isFormat('unknown')",
		"self.s.validateFormat('known').size() == 0",
		"self.s.matches('(')", "self.s.matches(self.t)", "matches(self.s, 'a')", "matches('(', 'a')", "'('.matches(self.s)",
		"duration('x') > duration('1h')", "duration('2h') > duration('1h')", "timestamp('x') > timestamp('y')",
		"self.when > duration('1h')", "'%d'.format([self.i]) == '1'", "'%d'.format(['x']) == '1'",
		"[1, 'x'].size() == 2", "[1, 2.5].exists(x, x > 1)", "{'a': 1, 'b': 'c'}.size() == 2", "{'a': 1}.a == 1",
		"dyn(self.s) == 1", "[self.s, self.t].size() == 2",
		"self.i < 1.5", "self.i == 1.0", "self.s == 1", "self.missing", "self.i", "self.s.unknown()",
		"quantity('1').isLessThan(quantity('2'))", "isQuantity(self.s)",
		"ip(self.s).family() == 4", "cidr(self.s).ip() == ip('10.0.0.0')", "cidr('10.0.0.0/8').overlaps(self.s)",
		"ip(self.s).is4()", "isIP(self.s)", "url(self.s).getHost() == 'x'", "isURL(self.s)",
		"self.s.find('[0-9]+') == '1'", "self.s.findAll('[0-9]+').size() == 1", "self.items.isSorted()", "self.set.isSorted()",
		"self.set.min() == 'x'", "self.set.indexOf('x') == 1",
		"labelSelector({'matchLabels': self.labels}).matches(self.labels)", "self.labels.all(k, v, k != v)",
		"self.labels.transformMap(k, v, v + 'x').size() == 1",
		"self.s.replace('a', 'b') == 'b'", "self.s.substring(1, 2) == 'b'", "self.s.charAt(1) == 'b'",
		"self.set.join(',') == 'x'", "semver('1.2.3').major() == 1", "isSemver(self.s)",
		"string(self.i) == '1'", "int(self.s) == 1", "bytes(self.s).size() == 1", "type(self.i) == int", "oldSelf.s == self.s",
		"has(self.labels.a)", "self.one.name.size() > self.items[0].port",
		"optional.of(self.s).hasValue()", "optional.none().hasValue()", "self.?s.or(self.?t).hasValue()",
		"self.?one.name.orValue('x') == 'x'", "self.items[?0].?name.orValue('x') == 'x'",
		"self.b ? self.s == 'a' : self.t == 'b'", "(self.b ? self.s : self.t) == 'a'", "self.s + self.t == 'ab'",
		"self.set + self.set == self.set", "-self.i < 0", "!!self.b", "self.i % 2 == 0",
		"self.items.map(i, i.name) == ['a']", "self.items.filter(i, i.port > 1).map(i, i.name).all(n, n in self.set)",
		"size(self.items) * 2 > 3", "null == self.none", "self.none == null",
	}
}

// TestConversionsOfConstants: cel-go converts constants when it builds a program, so a rule with a conversion
// that fails has no program, wherever the conversion is.
func TestConversionsOfConstants(t *testing.T) {
	for _, tt := range []struct {
		rule, why string
		compiles  bool
	}{
		{"self.b || int('x') == 1", "no integer", false},
		{"self.b || int(double(9223372036854775807)) == 1", "beyond integers, after two conversions", false},
		{"self.b || duration(string(1)) > duration('1s')", "no unit", false},
		{"self.b || int(double(1)) == 1", "two conversions that are right", true},
		{"self.b || int(double(self.i)) == 1", "what is converted is not known", true},
	} {
		env := newEnv(t, nil)
		if p, mistakes := env.Compile(Rule{Rule: tt.rule}, thing()); (p != nil) != tt.compiles {
			t.Errorf("%s (%s): %v", tt.rule, tt.why, mistakes)
		}
	}
}
