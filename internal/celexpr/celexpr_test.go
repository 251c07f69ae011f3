package celexpr_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

func TestString(t *testing.T) {
	for _, row := range []struct{ why, text, want string }{
		{"spaces and needless parentheses go", "( self.a  <5)||(self.b)", "self.a < 5 || self.b"},
		{"a text in single quotes", `self.a == "x"`, "self.a == 'x'"},
		{"a text that has one", `self.a == "it's"`, `self.a == "it's"`},
		{"a pattern", `self.matches('^a\\.b$')`, `self.matches(r'^a\.b$')`},
		{"a negated macro", "!self.all(x, x > 1)", "!self.all(x, x > 1)"},
		{"a negated call", "!(sets.contains(self.a, self.b))", "!sets.contains(self.a, self.b)"},
		{"a negated index", "!self.a['b']", "!self.a['b']"},
		{"a negated junction", "!(self.a || self.b)", "!(self.a || self.b)"},
		{"a macro in a macro", "self.a.filter(x, !x.b.exists(y, y in ['c'])).size() > 0", "self.a.filter(x, !x.b.exists(y, " +
			"y in ['c'])).size() > 0"},
		{"results of a choice", "has(self.a) ? self.a < 1 : self.b.all(x, x)", "has(self.a) ? (self.a < 1) : self.b.all(x, x)"},
		{"optional fields", "self.?a.?b.orValue('') == self[?'c'].orValue('')", "self.?a.?b.orValue('') == self[?'c'].orValue('')"},
		{"a map, a list, and an escaped name", "{'a': [1, -2.5]} == self.__namespace__", "{'a': [1, -2.5]} == self.__namespace__"},
		{"one line", "self." + strings.Repeat("a", 90) + " && self.b", "self." + strings.Repeat("a", 90) + " && self.b"},
	} {
		got := celexpr.String(celexpr.Parse(row.text))
		if got != row.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", row.why, row.text, got, row.want)
		}
		if again := celexpr.Parse(got); again == nil || celexpr.String(again) != got {
			t.Errorf("%s: %s is not read back", row.why, got)
		}
	}
}

func TestBuild(t *testing.T) {
	self := celexpr.Name("self")
	ports := celexpr.Field(self, "spec", "ports")
	port := celexpr.Field(celexpr.Name("p"), "namespace")
	e := celexpr.Or(
		celexpr.Not(celexpr.Has(ports)),
		celexpr.Method(ports, operators.All, celexpr.Name("p"), celexpr.And(
			celexpr.Call(operators.In, port, celexpr.List(celexpr.Literal("a"), celexpr.Literal("b"))),
			celexpr.Call(operators.LessEquals, celexpr.Call("size", port), celexpr.Literal(int64(63))),
		)),
	)
	const want = "!has(self.spec.ports) || self.spec.ports.all(p, p.__namespace__ in ['a', 'b'] && size(p.__namespace__) <= 63)"
	if got := celexpr.String(e); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTakenApart(t *testing.T) {
	e := celexpr.Parse("has(self.a) && size(self.a) > 1 && self.b.size() == 2")
	operands := celexpr.OperandsOf(e, operators.LogicalAnd)
	if len(operands) != 3 {
		t.Fatalf("%d operands", len(operands))
	}
	if path := celexpr.PathOf(celexpr.HasOf(operands[0])); strings.Join(path, "/") != "self/a" {
		t.Errorf("has() of %s", path)
	}
	for _, operand := range operands[1:] {
		if celexpr.PathOf(celexpr.SizeOf(operand.AsCall().Args()[0])) == nil {
			t.Errorf("no size in %s", celexpr.String(operand))
		}
	}
	renamed := celexpr.Replace(e, func(e celexpr.Expr) celexpr.Expr {
		if e.AsIdent() == "self" {
			return celexpr.Name("object")
		}
		return nil
	})
	if got := celexpr.String(renamed); got != "has(object.a) && size(object.a) > 1 && object.b.size() == 2" ||
		strings.Contains(celexpr.String(e), "object") {
		t.Errorf("renamed: %s, before: %s", got, celexpr.String(e))
	}
}

func TestMutations(t *testing.T) {
	for _, row := range []struct {
		why, text string
		want      []string
	}{
		{"operators, bounds and operands", "self.a < 5 && self.b", []string{
			"self.b",
			"self.a < 5",
			"self.a <= 5 && self.b",
			"self.a < 4 && self.b",
			"self.a < 6 && self.b",
		}},
		{"a guard of another operand stays", "has(self.a) && self.a == 'x'",
			[]string{"has(self.a)", "has(self.a) && self.a != 'x'", "has(self.a) && self.a == 'xx'"}},
		{"members of a list", "self.a in ['b', 'c']", []string{
			"self.a in ['c']",
			"self.a in ['b']",
			"self.a in ['bx', 'c']",
			"self.a in ['b', 'cx']",
		}},
		{"any item for all, and characters for bytes", "self.all(x, bytes(x).size() > 1)", []string{
			"self.exists(x, bytes(x).size() > 1)", "self.all(x, bytes(x).size() >= 1)", "self.all(x, x.size() > 1)",
			"self.all(x, bytes(x).size() > 0)", "self.all(x, bytes(x).size() > 2)",
		}},
		{"presence alone", "has(self.a)", []string{"!has(self.a)"}},
	} {
		e := celexpr.Parse(row.text)
		var got []string
		for _, change := range celexpr.Mutations(e) {
			got = append(got, celexpr.String(change.In(e)))
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %s\ngot  %q\nwant %q", row.why, row.text, got, row.want)
		}
	}
}
