package cel

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// ruleGenerator writes rules on a thing. Most of them type-check.
type ruleGenerator struct {
	r     *rand.Rand
	names []string // of variables of loops
	kinds []string
}

// expr writes an expression of a kind from one of its templates. {KIND} is replaced by an expression of that
// kind.
func (a *ruleGenerator) expr(kind string, depth int) string {
	all := grammar()[kind]
	options := all[0]
	if depth > 0 {
		options = slices.Concat(all[0], all[1])
	}
	if len(a.names) > 0 && a.r.IntN(8) == 0 {
		if at := a.r.IntN(len(a.names)); a.kinds[at] == kind {
			return a.names[at]
		}
	}
	return a.fill(options[a.r.IntN(len(options))], depth-1)
}

// fill writes the nested expressions of a template. <VAR:KIND> begins the scope of a variable, which ends
// with the template.
func (a *ruleGenerator) fill(template string, depth int) string {
	outer := len(a.names)
	var b strings.Builder
	for {
		at := strings.IndexAny(template, "{<")
		if at < 0 {
			break
		}
		closing := map[byte]string{'{': "}", '<': ">"}[template[at]]
		end := strings.Index(template[at:], closing)
		if end < 0 || !isWord(template[at+1:at+end]) {
			b.WriteString(template[:at+1])
			template = template[at+1:]
			continue
		}
		b.WriteString(template[:at])
		word := template[at+1 : at+end]
		if closing == "}" {
			b.WriteString(a.expr(word, depth))
		} else {
			const letters = "xyzvw"
			name := string(letters[len(a.names)%len(letters)])
			a.names, a.kinds = append(a.names, name), append(a.kinds, word)
			b.WriteString(name)
		}
		template = template[at+end+1:]
	}
	b.WriteString(template)
	a.names, a.kinds = a.names[:outer], a.kinds[:outer]
	return b.String()
}

func isWord(s string) bool {
	for _, c := range s {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

// grammar has, for each kind of expression, the templates without and with nested expressions.
func grammar() map[string][2][]string {
	return map[string][2][]string{
		"bool": {
			{"true", "false", "self.b", "oldSelf.b", "has(self.s)", "has(self.one.name)", "has(self.labels.app)",
				"!has(self.items)", "has(self.zero)", "'a' in self.labels"},
			{"{bool} && {bool}", "{bool} || {bool}", "!{bool}", "!!{bool}", "!({bool})", "({bool})", "{bool} ? {bool} : {bool}",
				"{int} == {int}", "{int} < {int}", "{int} >= {num}", "{num} > {num}", "{text} == {text}", "{text} != {text}",
				"{text} <= {text}", "{dyn} == {text}", "{dyn} == {int}", "{any} == {any}", "{any} != {any}", "{text} in {texts}",
				"{int} in {ints}", "{text} in {map}", "{texts} == {texts}", "{map} == {map}", "{thing} == {thing}", "{things} == {things}",
				"{text}.startsWith({text})", "{text}.endsWith({text})", "{text}.contains({text})", "{text}.matches('^[a-z]+$')",
				"{text}.matches(r'\\d')", "{text}.matches({text})", "matches({text}, 'a|b')", "{dyn}.matches('x')",
				"{texts}.all(<text>, {bool})", "{texts}.exists(<text>, {bool})", "{things}.exists_one(<thing>, {bool})",
				"{ints}.all(<int>, {bool})", "{map}.all(<text>, {bool})", "{map}.exists(<text>, <text>, {bool})",
				"{things}.all(<int>, <thing>, {bool})",
				"{texts}.existsOne(<int>, <text>, {bool})", "{opt}.hasValue()", "{opt} == {opt}", "type({dyn}) == int",
				"type({dyn}) == string", "type({text}) == string", "isQuantity({text})", "{quantity}.isLessThan({quantity})",
				"{quantity} == {quantity}",
				"{duration} < {duration}", "{duration} == self.when", "isIP({text})", "isCIDR({text})", "ip({text}).isLoopback()",
				"cidr('10.0.0.0/8').containsIP({text})", "{texts}.isSorted()", "{ints}.isSorted()",
				"format.dns1123Label().validate({text}).hasValue()",
				"{text}.isFormat('known')", "{text}.isPrint()", "sets.contains({texts}, {texts})", "isURL({text})",
				"isSemver({text})", "labelSelector(self.sel).matches({map})", "{listoflist}.size() == {int}", "bool({text})",
				"dyn({int}) == dyn({text})",
				"{int} == {text}", "{bool} == {bool}", "cel.bind(<int>, {int}, {bool})"},
		},
		"int": {
			{"1", "0", "-1", "-7", "self.i", "self.one.port", "size(self.s)", "self.zero", "9223372036854775807", "3", "oldSelf.i"},
			{"{int} + {int}", "{int} - {int}", "{int} * {int}", "{int} / {int}", "{int} % {int}", "-{int}", "({int})",
				"{text}.size()", "size({texts})", "{texts}.size()", "{map}.size()", "{things}.size()", "{bool} ? {int} : {int}",
				"{thing}.port",
				"{ints}[{int}]", "{ints}.sum()", "{ints}.min()", "{text}.indexOf({text})", "{texts}.indexOf({text})", "int({text})",
				"int({num})", "int({dyn})", "{duration}.getSeconds()", "{quantity}.sign()", "ip({text}).family()",
				"{opt}.orValue('x').size()"},
		},
		"num": {
			{"1.5", "-0.5", "1e3", "self.d", "2.0"},
			{"{num} + {num}", "{num} * {num}", "-{num}", "double({int})", "double({text})", "{bool} ? {num} : {num}",
				"{quantity}.asApproximateFloat()"},
		},
		"text": {
			{"''", "'a'", "\"b\"", "'abc'", "self.s", "self.t", "self.none", "self.one.name", "self.labels.app",
				"self.labels['app']", "r'\\d+'", "'\\'\\n'", "'\u00e9'", "oldSelf.s", "'1Gi'", "'10.0.0.1'", "'1h'", "self.items[0].name"},
			{"{text} + {text}", "({text})", "{bool} ? {text} : {text}", "{thing}.name", "{texts}[{int}]", "{map}[{text}]",
				"string({int})", "string({dyn})", "string({num})", "string({bool})", "{text}.lowerAscii()", "{text}.trim()",
				"{text}.replace({text}, {text})",
				"{text}.substring({int})", "{text}.substring({int}, {int})", "{text}.charAt({int})", "{texts}.join()",
				"{texts}.join({text})", "{texts}.max()", "{opt}.orValue({text})", "{opt}.value()", "{text}.split({text})[{int}]",
				"{text}.find('[0-9]+')",
				"'%s'.format([{text}])", "string({quantity})", "string({duration})", "{text}.upperAscii().trim()", "url({text}).getHost()"},
		},
		"dyn": {
			{"self.any", "oldSelf.any", "dyn(1)", "dyn('x')"},
			{"({dyn})", "dyn({int})", "dyn({text})", "{bool} ? {dyn} : {dyn}", "dyn({texts})"},
		},
		"any": {
			{"self", "null", "self.none", "self.sel", "self.missing", "self.labels", "self.d"},
			{"{int}", "{text}", "{bool}", "{num}", "{dyn}", "{thing}", "{texts}", "{opt}", "{map}", "{duration}", "{quantity}"},
		},
		"texts": {
			{"self.set", "['a']", "[]", "['x', 'y']", "self.set.map(i, i)", "oldSelf.set"},
			{"[{text}]", "[{text}, {text}]", "{texts} + {texts}", "{texts}.filter(<text>, {bool})", "{texts}.map(<text>, {text})",
				"{things}.map(<thing>, {text})", "{things}.map(<thing>, {bool}, {text})", "{map}.map(<text>, {text})", "{texts}.distinct()",
				"{texts}.slice({int}, {int})", "{text}.split({text})", "{texts}.transformList(<int>, <text>, {text})",
				"{map}.transformList(<text>, <text>, {bool}, {text})", "{texts}.sort()", "{texts}.reverse()",
				"{texts}.map(<text>, [{text}]).flatten()",
				"{things}.sortBy(<thing>, {text}).map(<thing>, {text})", "{bool} ? {texts} : {texts}", "{text}.findAll('a')", "[?{opt}]"},
		},
		"ints": {
			{"[1, 2]", "[]", "[3]", "lists.range(3)", "self.items.map(i, i.port)"},
			{"[{int}]", "[{int}, {int}]", "{ints} + {ints}", "{ints}.filter(<int>, {bool})", "{things}.map(<thing>, {int})",
				"{texts}.map(<text>, {int})", "{ints}.distinct()", "{things}.map(<thing>, [{int}]).flatten()"},
		},
		"listoflist": {{"[[1]]", "[['a'], []]"}, {"[{texts}, {texts}]", "{texts}.map(<text>, {texts})"}},
		"thing": {
			{"self.one", "self.items[0]", "oldSelf.one"},
			{"{things}[{int}]", "{bool} ? {thing} : {thing}", "self.?one.orValue({thing})"},
		},
		"things": {
			{"self.items", "oldSelf.items"},
			{"{things}.filter(<thing>, {bool})", "{things} + {things}", "[{thing}]", "{bool} ? {things} : {things}"},
		},
		"map": {
			{"self.labels", "{}", "oldSelf.labels", "self.sel.matchLabels"},
			{"{'a': {text}}", "{{text}: {text}, 'b': {text}}", "{map}.transformMap(<text>, <text>, {text})",
				"{bool} ? {map} : {map}", "self.?labels.orValue({map})"},
		},
		"opt": {
			{"self.?s", "self.?one.name", "self.?labels[?'app']", "optional.none()", "self.items[?0].?name", "oldSelf.?s"},
			{"optional.of({text})", "self.?one.?name", "{texts}[?{int}]", "{map}[?{text}]", "{opt}.or({opt})",
				"{opt}.optMap(<text>, {text})", "{opt}.optFlatMap(<text>, {opt})", "{texts}.first()", "optional.ofNonZeroValue({text})"},
		},
		"quantity": {
			{"quantity('1Gi')", "quantity('1')"},
			{"quantity({text})", "quantity(string({int}))", "{quantity}.add({quantity})", "{quantity}.sub({int})"},
		},
		"duration": {
			{"duration('1h')", "self.when", "duration('x')"},
			{"duration({text})", "{duration} + {duration}", "{duration} - {duration}",
				"timestamp({text}) - timestamp('2020-01-01T00:00:00Z')"},
		},
	}
}

// misspell replaces a piece of a rule, so that the rule is wrong or has a different meaning.
func (a *ruleGenerator) misspell(rule string) string {
	from := []string{"'", "(", ")", " ", ".", "self", "==", "&&", "[", "1", "?", "size", ", ", "{", "-"}
	to := []string{
		"'",
		"(",
		")",
		" ",
		".",
		"self",
		"oldSelf",
		"in",
		"==",
		"||",
		"[",
		"]",
		"1",
		"1u",
		"?",
		"{",
		"}",
		"-",
		"!",
		"null",
		"b'x'",
		"package",
		"//",
		"x",
		".?",
		"[?",
		"0x1",
		"'''",
		"\\",
		"1.",
		"has(",
		"as",
		"\n",
	}
	piece := from[a.r.IntN(len(from))]
	if n := strings.Count(rule, piece); n > 0 {
		at := 0
		for range 1 + a.r.IntN(n) {
			at += strings.Index(rule[at:], piece) + 1
		}
		return rule[:at-1] + to[a.r.IntN(len(to))] + rule[at-1+len(piece):]
	}
	return rule
}
