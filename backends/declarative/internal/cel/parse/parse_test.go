package parse_test

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/debug"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/parse"
)

func language(t testing.TB) (*parse.Language, *cel.Env) {
	t.Helper()
	env := environment.MustBaseEnvSet(version.MajorMinor(1, 35)).StoredExpressionsEnv()
	l, err := parse.NewLanguage(env)
	if err != nil {
		t.Fatal(err)
	}
	return l, env
}

// agree compares the parser with cel-go's on one text. It reports whether the text was parsed here.
func agree(t *testing.T, l *parse.Language, env *cel.Env, text string) bool {
	t.Helper()
	got, ok := l.Parse(text)
	if !ok {
		return false
	}
	want, issues := env.ParseSource(common.NewTextSource(text))
	if issues.Err() != nil {
		t.Fatalf("%q is parsed, but cel-go says %v", text, issues.Err())
	}
	if a, b := debug.ToDebugString(got.Expr()), debug.ToDebugString(want.NativeRep().Expr()); a != b {
		t.Fatalf("%q is parsed as\n%s\nand by cel-go as\n%s", text, a, b)
	}
	seen := map[int64]bool{}
	got.Expr().RenumberIDs(func(id int64) int64 {
		if id == 0 || seen[id] {
			t.Fatalf("%q: the number %d is given twice", text, id)
		}
		seen[id] = true
		return id
	})
	return true
}

// expressions are typical of rules, or easily parsed wrong.
func expressions() []string {
	return []string{
		"true", "self", "self.a.b", "self.a[0].b['c']", "!self.a", "!!self.a", "!!!self.a", "-self.a", "- 1", "-1", "--1",
		"1-1", "1 - -1", "-1.5e3", ".5", "1.", "1e3",
		"a && b", "a || b && c || d", "a && b && c && d && e", "a || b || c", "a ? b : c ? d : e", "a || b ? c || d : e",
		"(a ? b : c) ? d : e",
		"1 + 2 * 3 - 4 % 5 / 6", "a < b == c", "x in [1, 2, 3]", "!(x in y)", "a == b in c", "1 < 2 < 3",
		"has(self.a)", "has(self)", "has(self.a.b) && !has(self.c)", "self.all(x, x > 0)", "self.exists(x, x.y == 'z')",
		"self.exists_one(x, x > 0)",
		"self.map(x, x.a)", "self.map(x, x.b, x.a)", "self.filter(x, x > 1).size() == 1", "self.all(x, self.exists(y, x == y))",
		"self.all(1, true)", "self.all(x)",
		"self.all(i, v, i > v)", "self.transformList(i, v, v)", "self.a.?b.orValue('x')", "self[?'a'].hasValue()",
		"self.?a.optMap(x, x + 1)", "optional.of(1).optFlatMap(x, x)",
		`'it''s'`, `'a\'b'`, `"a\"b\n\t\\"`, `r'\d+'`, `R"\d"`, `b'x'`, `br'x'`, `''`, `""`, `'''x'''`, `'\u0041'`, `'\x41'`,
		`'é'`, "'a\nb'", "'`?\\?'", `r''`, `r'''a'''`, `r"""^(\*\.)?[a-z"]+$"""`, `r''''''`, `r''''a'''`, `r'''a''''`,
		`r'''a`, "r'''a\nb'''", "r'''a\r\nb'''", `R"""a\""""`,
		"{}", "{'a': 1, 'b': 2}", "{'a': 1,}", "[]", "[1,]", "[?a]", "Msg{}", "a.b{c: 1}", "a.b.c()",
		"format.dns1123Label().validate(self)",
		"a.in", "in", "package", "a.package", "self.__namespace__", ".a", "a.`b`", "1u", "0x1F", "0x", "123abc",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808",
		"a // comment", "a /* b */", "a b", "a.", "(a", "a)", "[a", "{a}", "a ? b", "a &", "&&", "", " ", "\ta\n",
		"a.b(c, d)(e)", "-1.size()", "-x.size()", "!-1", "-!a", "1 .size()", "1.5.size()",
		"self.map(x, x).map(y, y).all(z, z)", "null == self", "duration('1h') > self.d", "cel.bind(x, 1, x)",
		"sets.contains([1], [1])", "ip.isCanonical('1.1.1.1')",
		strings.Repeat("(", 40) + "a" + strings.Repeat(")", 40), strings.Repeat("(", 260) + "a" + strings.Repeat(")", 260),
		"a" + strings.Repeat(".b", 40), "a" + strings.Repeat(".b", 300),
		"a" + strings.Repeat(" + 1", 300), "a" + strings.Repeat(" && a", 300), strings.Repeat("!", 300) + "a",
		strings.Repeat("a ? b : ", 60) + "c",
	}
}

// TestUsualExpressions: usual expressions must be parsed here; otherwise nothing is gained.
func TestUsualExpressions(t *testing.T) {
	l, env := language(t)
	for _, text := range []string{
		"self.a.b == 'c' || !has(self.d)", "self.all(x, x.y in ['a', 'b'] ? x.z > 1 : -x.z < -15)",
		"self.?a[?0].orValue({'x': 1}).size() >= 2",
		`self.matches(r'^\d+$') && "a\n" != self`, `self.matches(r"""^[a-z"]+$""")`,
		"self.transformList(i, v, i > 0, v).exists_one(x, x == null)",
	} {
		if !agree(t, l, env, text) {
			t.Errorf("%q is left to cel-go", text)
		}
	}
}

// TestRandomTokens: whatever the sequence of tokens, an expression that is parsed here is parsed as by
// cel-go.
func TestRandomTokens(t *testing.T) {
	l, env := language(t)
	words := []string{
		"self", "a", "b", "x", ".", ".", "?", ":", "(", ")", "(", ")", "[", "]", "{", "}", ",", "&&", "||", "!", "-", "+",
		"*", "%", "==", "<", "in",
		"1", "2.5", "'s'", "true", "null", "has(self.a)", "all(x, ", "map(y, ", ".?", "[?", "size()", " ",
	}
	r := rand.New(rand.NewSource(1))
	parsed := 0
	for range 60_000 {
		var b strings.Builder
		for range 1 + r.Intn(9) {
			b.WriteString(words[r.Intn(len(words))])
		}
		if agree(t, l, env, b.String()) {
			parsed++
		}
	}
	if parsed < 500 {
		t.Errorf("only %d of the texts are expressions", parsed)
	}
}

// FuzzParse: each expression is parsed as by cel-go, or left to it.
func FuzzParse(f *testing.F) {
	l, env := language(f)
	for _, text := range expressions() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { agree(t, l, env, text) })
}
