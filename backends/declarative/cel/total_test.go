package cel

import (
	"strings"
	"testing"
)

// sure is a shape whose fields are of the types that they are said to be, with some that
// are required, some that have defaults, and some that nothing is known of.
func sure() *Shape {
	size := func(n int64) *int64 { return &n }
	text := &Shape{Kind: String, Sure: true, Bound: size(10)}
	whole := &Shape{Kind: Int, Sure: true}
	maybe := &Shape{Kind: String, Sure: true, Nullable: true, Bound: size(10)}
	inner := &Shape{Kind: Object, Name: "sure.inner", Sure: true, Fields: []Field{
		{Name: "name", Shape: text, Required: true}, {Name: "type", Shape: text, Defaulted: true}, {Name: "port", Shape: whole},
		{Name: "names", Shape: &Shape{Kind: List, Sure: true, Elem: text, Bound: size(3)}, Defaulted: true},
	}}
	return &Shape{Kind: Object, Name: "sure", Sure: true, Fields: []Field{
		{Name: "name", Shape: text, Required: true}, {Name: "other", Shape: text}, {Name: "count", Shape: whole, Required: true},
		{Name: "more", Shape: whole}, {Name: "maybe", Shape: maybe, Required: true}, {Name: "inner", Shape: inner}, {Name: "must", Shape: inner, Required: true},
		{Name: "items", Shape: &Shape{Kind: List, Sure: true, Elem: inner, Bound: size(4)}, Required: true},
		{Name: "few", Shape: &Shape{Kind: List, Sure: true, Elem: inner, Bound: size(4)}},
		{Name: "nulls", Shape: &Shape{Kind: List, Sure: true, Elem: maybe, Bound: size(3)}, Required: true},
		{Name: "labels", Shape: &Shape{Kind: Map, Sure: true, Elem: text, Bound: size(3)}, Required: true},
		{Name: "gaps", Shape: &Shape{Kind: Map, Sure: true, Elem: maybe, Bound: size(3)}, Required: true},
		{Name: "any", Shape: &Shape{Kind: Dyn, Sure: true, Bound: size(10)}, Required: true}, {Name: "ratio", Shape: &Shape{Kind: Double, Sure: true}, Required: true},
		{Name: "on", Shape: &Shape{Kind: Bool, Sure: true}, Required: true}, {Name: "wait", Shape: &Shape{Kind: Duration}, Required: true},
		{Name: "unsure", Shape: &Shape{Kind: String, Bound: size(10)}, Required: true}, {Name: "zero", Shape: text, Required: true, StripsZero: true},
		{Name: "long", Shape: &Shape{Kind: String, Sure: true}, Required: true}, {Name: "lots", Shape: &Shape{Kind: List, Sure: true, Elem: text}, Required: true},
	}}
}

// totalRules are rules on what sure describes. needs are the fields that have to be set.
func totalRules() []struct {
	rule  string
	total bool
	needs string
	why   string
} {
	return []struct {
		rule  string
		total bool
		needs string
		why   string
	}{
		{"self.name == 'a'", true, "", "what is required is there"},
		{"self.other == 'a'", false, "", "no such key"},
		{"has(self.other) && self.other == 'a'", true, "", "asked for before"},
		{"self.other == 'a' && has(self.other)", true, "", "asked for behind: && makes up for the error where there is none"},
		{"!has(self.other) || self.other == 'a'", true, "", "an alternative"},
		{"self.other == 'a' || !has(self.other)", true, "", "likewise, behind"},
		{"has(self.other) || self.other == 'a'", false, "", "the error is where it is not there"},
		{"has(self.other) ? self.other == 'a' : self.on", true, "", "a condition"},
		{"has(self.other) ? self.on : self.other == 'a'", false, "", "the wrong way round"},
		{"self.on || has(self.other) ? self.other == 'a' : true", false, "", "one of two does not say which"},
		{"(self.on && has(self.other) || has(self.other)) && self.other == 'a'", true, "", "both of two do"},
		{"!(!has(self.other) || self.on) && self.other == 'a'", true, "", "not not"},
		{"(has(self.other) ? true : false) && self.other == 'a'", true, "", "false alone is impossible"},
		{"(has(self.other) ? self.on : true) && self.other == 'a'", false, "", "true where there is none"},
		{"has(self.inner.port) && self.inner.port == 1", false, "", "what it is in may not be there"},
		{"has(self.inner) && has(self.inner.port) && self.inner.port == 1", true, "", "both asked for"},
		{"has(self.inner) && self.must.port == 1", false, "", "another"},
		{"self.must.type == 'a'", true, "must.type", "a default"},
		{"has(self.must.type) && self.must.type == 'a'", true, "", "a default that is asked for"},
		{"self.items.all(i, i.type == self.name)", true, "items.@items.type", "a default in items"},
		{"self.items.all(i, i.port == 1)", false, "", "no such key in an item"},
		{"self.items.all(i, has(i.port) && self.items.exists(j, has(j.port) && i.port == j.port))", true, "", "two variables"},
		{"self.items.all(i, self.items.exists(j, has(j.port) && i.port == j.port))", false, "", "asked of the other"},
		{"self.items.all(i, has(i.port)) && self.items.all(i, i.port == 1)", false, "", "what one loop knows, another does not"},
		{"self.items.all(i, has(i.port) && self.items.exists(i, i.port == 1))", false, "", "a variable of the same name is another"},
		{"self.items.exists_one(i, i.name == 'a') && self.items.map(i, i.name).exists(n, n == 'a')", true, "", "other macros"},
		{"self.items.filter(i, has(i.port)).all(i, i.port == 1)", false, "", "what a filter knows is forgotten"},
		{"self.items.map(i, has(i.port), i.port).size() > 0", true, "", "a map with a filter knows it"},
		{"self.items.filter(i, i.type == 'a').size() > 1", true, "items.@items.type", "a filter"},
		{"self.items[0].name == 'a'", false, "", "an index"},
		{"size(self.items) > 0 && self.items[0].name == 'a'", true, "", "so many are there"},
		{"self.items.size() > 0 && self.items[1].name == 'a'", false, "", "so many may not"},
		{"self.items.size() != 2 || self.items[1].name == 'a'", true, "", "just as many"},
		{"self.items.size() < 2 || self.items[1].name == 'a'", true, "", "no fewer"},
		{"self.items.size() <= 2 || self.items[2].name == 'a'", true, "", "more"},
		{"2 <= self.items.size() && self.items[1].type == 'a'", true, "items.@items.type", "the other way round"},
		{"0 == self.items.size() || self.items[0].name == 'a'", false, "", "nothing follows from a size that is another"},
		{"1 < self.few.size() && self.few[1].name == 'a'", false, "", "the list may not be there"},
		{"self.items.size() > 0 && self.few[0].name == 'a'", false, "", "another list"},
		{"self.items.size() - 1 >= 0 && self.items[self.items.size() - 1].name == 'a'", false, "", "an index that is computed"},
		{"self.labels['a'] == 'b'", false, "", "a key"},
		{"'a' in self.labels && self.labels['a'] == 'b'", true, "", "a key that is there"},
		{"has(self.labels.a) && self.labels['a'] == 'b'", true, "", "asked for as a field"},
		{"'a.b' in self.labels && self.labels['a.b'] == 'b'", true, "", "a key that is no name"},
		{"'a.b' in self.labels && self.labels['a'] == 'b'", false, "", "another key"},
		{"self.name in self.labels && self.labels[self.name] == 'b'", true, "", "a key of the object"},
		{"self.name in self.labels && self.labels[self.unsure] == 'b'", false, "", "another"},
		{"self.labels.all(k, self.labels[k] == 'a')", true, "", "the key of a loop"},
		{"self.labels.all(k, self.gaps[k] == 'a')", false, "", "the key of another map"},
		{"self.gaps.all(k, self.gaps[k] == 'a')", false, "", "null is a value there"},
		{"self.count + 1 > 0", false, "", "an overflow"},
		{"size(self.name) + size(self.items) - 1 > 0", true, "", "what cannot overflow"},
		{"(self.on ? size(self.items) : 0) + 1 > 0", true, "", "nor one of two"},
		{"self.count * 2 > 0 || self.count / 1 > 0 || self.count % 2 > 0 || -self.count > 0", false, "", "other arithmetic"},
		{"self.count > 1 && self.name < 'a'", true, "", "an order"},
		{"self.ratio > 1.0", false, "", "not a number has none"},
		{"self.ratio == 1.0 && self.any == 'a' && self.any == 80 && self.on == true", true, "", "equality of scalars"},
		{"self.maybe == 'a'", false, "", "null is not set"},
		{"has(self.maybe) && self.maybe == 'a'", true, "", "what is not null"},
		{"self.nulls.all(n, n == 'a')", false, "", "items that are null"},
		{"self.must == self.must", false, "", "equality of objects looks at everything in them"},
		{"self.items == []", false, "", "of lists, too"},
		{"self.name in ['a', 'b'] && !('c' in ['a'])", true, "", "a list of the rule"},
		{"self.lots.exists(x, x in self.must.names)", false, "", "any number of them: the cost"},
		{"'a' in self.must.names", true, "must.names", "a list of the object"},
		{"self.any > 1", false, "", "a type that is not known"},
		{"!self.any || self.on", false, "", "likewise, and no bool"},
		{"self.name.startsWith('a') && self.name.contains(self.name) && self.name.endsWith('a')", true, "", "functions of texts"},
		{"self.name.matches('^a$')", true, "", "a pattern"},
		{"self.name.matches(self.name)", false, "", "a pattern of the object"},
		{"self.name.split('/')[0].size() > 1", false, "", "the estimate of split is too small"},
		{"self.name + 'a' == self.name.lowerAscii().trim()", true, "", "texts that are joined"},
		{"int(self.name) > 1", false, "", "a conversion"},
		{"isURL(self.name) && url(self.name).getHost() == ''", false, "", "a parser"},
		{"isQuantity(self.name) || isIP(self.name) || isCIDR(self.name)", true, "", "what asks whether something can be parsed"},
		{"duration(self.name) > duration('1s')", false, "", "a parser"},
		{"has(self.wait)", false, "", "data of the wrong type is an error also to ask for"},
		{"self.unsure == 'a'", false, "", "the schema does not say that it is a text"},
		{"self.zero == 'a'", false, "", "a zero counts as not set"},
		{"self.long == 'a'", true, "", "a text without a bound, beside one that has"},
		{"self.long == self.long + 'a' || self.long.contains('a')", false, "", "there is no bound on what it costs"},
		{"self.?other.orValue('a') == 'a'", false, "", "optionals"},
		{"type(self.any) == string", false, "", "types"},
		{"dyn(self.name) == 1", false, "", "dyn"},
		{"self.count == oldSelf.count", false, "", "what looks at oldSelf runs always"},
	}
}

// TestTotals: which rules are said not to break, and what they need.
func TestTotals(t *testing.T) {
	env, err := NewEnv(Config{PerCall: 1_000_000, Formats: func(string, string) ([]string, bool) { return nil, false }})
	if err != nil {
		t.Fatal(err)
	}
	s := sure()
	for _, tt := range totalRules() {
		p, mistakes := env.Compile(Rule{Rule: tt.rule}, s)
		if len(mistakes) > 0 {
			t.Errorf("%s: %v", tt.rule, mistakes)
			continue
		}
		total, ok := p.Total()
		var needs []string
		for _, way := range total.Needs {
			needs = append(needs, strings.Join(way, "."))
		}
		if ok != tt.total || strings.Join(needs, " ") != tt.needs {
			t.Errorf("%s: total is %v and needs %q, should be %v and %q (%s)", tt.rule, ok, needs, tt.total, tt.needs, tt.why)
		}
		if ok && (total.Effort < 2 || total.Cost < 1) {
			t.Errorf("%s: is said to be of no effort or cost (%+v)", tt.rule, total)
		}
	}
}
