package idl_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/kep4153"
	"github.com/diffrun/diffrun/userfile"
)

// sourcePackage is the package that source writes.
const sourcePackage = "example.com/source"

// source writes a module of one package with the dependencies of this module, and returns its directory.
func source(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"types.go": text}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = strings.Replace(string(data), "module github.com/diffrun/diffrun\n", "module "+sourcePackage+"\n", 1)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// mistakesByLine returns the messages of an error by the line of the file that they are about.
func mistakesByLine(t *testing.T, err error) map[int]string {
	t.Helper()
	found := map[int]string{}
	if err == nil {
		return found
	}
	var mistakes userfile.Mistakes
	if !errors.As(err, &mistakes) {
		t.Fatal(err)
	}
	for _, each := range mistakes {
		if found[each.Line] != "" {
			t.Errorf("two mistakes in line %d: %s; %s", each.Line, found[each.Line], each.Message)
		}
		found[each.Line] = each.Message
	}
	return found
}

// markerRow is a comment line above a field, and the mistake in it.
type markerRow struct{ why, marker, goType, want string }

// checkRows makes one package of all rows, with a field for each, and compares the mistakes.
func checkRows(t *testing.T, rows []markerRow, config idl.Config) {
	t.Helper()
	var text strings.Builder
	text.WriteString("package p\n\ntype Rows struct {\n")
	next, at := 4, make([]int, len(rows))
	for i, row := range rows {
		goType := row.goType
		if goType == "" {
			goType = "string"
		}
		at[i] = next
		next += strings.Count(row.marker, "\n") + 2
		fmt.Fprintf(&text, "\t// %s\n\tF%d %s `json:\"f%d,omitempty\"`\n", row.marker, i, goType, i)
	}
	text.WriteString("}\n\ntype Inner struct {\n\tA int32 `json:\"a,omitempty\"`\n\tB *string `json:\"b,omitempty\"`\n}\n")
	config.Dir, config.Roots = source(t, text.String()), roots(sourcePackage, "Rows")
	_, err := idl.Generate(config)
	found := mistakesByLine(t, err)
	for i, row := range rows {
		if got := found[at[i]]; got != row.want {
			t.Errorf("%s: // %s\n got  %q\n want %q", row.why, row.marker, got, row.want)
		}
		delete(found, at[i])
	}
	if len(found) > 0 {
		t.Errorf("mistakes in other lines: %v", found)
	}
}

func typos() []markerRow {
	return []markerRow{
		{"two letters swapped", "+minLenght=3", "", "unknown marker +minLenght; did you mean +minLength?"},
		{"a letter is missing", "+maxLegth=3", "", "unknown marker +maxLegth; did you mean +maxLength?"},
		{"a letter too many, in a short name", "+enumm=A", "", "unknown marker +enumm; did you mean +enum?"},
		{"upper case", "+Minimum=1", "int32", "unknown marker +Minimum; did you mean +minimum?"},
		{"lower case", `+validationrule="self.a > 0"`, "Inner", "unknown marker +validationrule; did you mean +validationRule?"},
		{"a plural", "+validationRules=\"self.a > 0\"", "Inner", "unknown marker +validationRules; did you mean +validationRule?"},
		{"a space after the plus sign", "+ minimum=1", "int32", "a marker has no space after the plus sign; did you mean +minimum=1?"},
		{"also without an argument", "+ required", "", "a marker has no space after the plus sign; did you mean +required?"},
		{"a space and a typo", "+ minimun=1", "int32", "unknown marker +minimun; did you mean +minimum?"},
		{"a space before the equals sign", "+minimum =1", "int32",
			"a marker has no space before the equals sign; did you mean +minimum=1?"},
		{"a colon for the equals sign", "+minimum:1", "int32", "+minimum:1 is not a marker; did you mean +minimum=1?"},
		{"a space for the equals sign", "+minimum 1", "int32", `+minimum: unexpected "1" after the name; write +minimum or ` +
			`+minimum=…, and nothing else on the line`},
		{"with prose after it no generator reads the marker", "+optional for now", "",
			`+optional: unexpected "for now" after the name; write +optional or +optional=…, and nothing else on the line`},
		{"an abbreviation", "+min=1", "int32", "unknown marker +min; did you mean +minimum?"},
		{"a typo after a prefix", "+items:maxLenght=3", "[]string", "unknown marker +items:maxLenght; did you mean +items:maxLength?"},
		{"an unknown name after a prefix", "+items:size=3", "[]string", "unknown marker +items:size; accepted after +items:…: "},
		{"a typo in the prefix", "+item:maxLength=3", "[]string", "unknown marker +item:maxLength; did you mean +items:maxLength?"},
		{"a typo below a field", "+.a:minimun=1", "Inner", "unknown marker +.a:minimun; did you mean +.a:minimum?"},
		{"a typo for keys", "+keys:patern=a", "map[string]string", "unknown marker +keys:patern; did you mean +keys:pattern?"},
		{"two plus signs", "++minLength=3", "", "a marker begins with one plus sign; did you mean +minLength=3?"},
		{"underscores", "+min_length=3", "", "unknown marker +min_length; did you mean +minLength?"},
		{"dashes", "+min-length=3", "", "unknown marker +min-length; did you mean +minLength?"},
		{"a tool's own marker", "+groupNmae=example.com", "", "unknown marker +groupNmae; did you mean +groupName?"},
		{"two plus signs before prose", "++ and more", "", ""},
		{"a marker of a different tool", "+genclient", "", ""},
		{"one that is near to ours: the table has it", "+k8s:openapi-gen=true", "", ""},
		{"a marker of an unknown tool", "+somebody:else=1", "", ""},
		{"prose that begins with a plus sign", "+ limits of all kinds are in the table below", "", ""},
		{"a table", "+-------+-------+", "", ""},
	}
}

// TestArguments: the argument of a marker is understood or is a mistake.
func TestArguments(t *testing.T) {
	checkRows(t, []markerRow{
		{"numbers as text", `+minLength="3"`, "", `+minLength: expected integer, got "\"3\""`},
		{"words for numbers", "+minLength=three", "", `+minLength: expected integer, got "three"`},
		{"a fractional length", "+minLength=3.5", "", `+minLength: expected integer, got "3.5"`},
		{"two equals signs", "+minLength==3", "", `+minLength: expected integer, got "="`},
		{"two markers on a line", "+minLength=3 +maxLength=5", "", `+minLength: extra arguments provided: "+maxLength=5"`},
		{"a comment after a marker", "+minLength=3 // least", "", `+minLength: extra arguments provided: "// least"`},
		{"booleans of other languages", "+nullable=True", "*string", `+nullable: accepts true and false, got "True"`},
		{"trailing spaces do not matter", "+minLength=3   ", "", ""},
		{"quotes without an end", `+pattern="^a`, "", "+pattern: literal not terminated"},
		{"a key that no rule has", `+validationRule="self != ''",mesage="x"`, "",
			`+validationRule: unknown argument "mesage"; accepted: except, field, fieldPath, message, messageExpression, only, ` +
				`optionalOldSelf, reason, rule`},
		{"brackets of other languages", "+enum=[A;B]", "",
			`+enum: write +enum=A;B or +enum={"A","B"}: a bracket is a part of a value here`},
		{"a hole in an enum", "+enum=A;;B", "", `+enum: there is no value between two semicolons; the empty text is ""`},
		{"the empty text is a value", `+enum={"A",""}`, "", ""},
		{"a duplicate value", "+enum=A;B;A", "", "+enum: the value A is listed twice"},
		{"no plus sign, in a namespace", "kubebuilder:validation:MinLength=3", "", "a marker begins with a plus sign; " +
			"did you mean +kubebuilder:validation:MinLength=3?"},
		{"a different sign", "@k8s:optional", "", "a marker begins with a plus sign; did you mean +k8s:optional?"},
		{"prose about a marker", "kubebuilder:validation:MinLength is not enough here", "", ""},
		{"prose about a word", "required", "", ""},
		{"a key of XValidation", `+kubebuilder:validation:XValidation:rule="self != ''",mesage="x"`, "",
			`+kubebuilder:validation:XValidation: unknown argument "mesage"; accepted: fieldPath, message, messageExpression, ` +
				`optionalOldSelf, reason, rule`},
		{"a rule without its key", `+kubebuilder:validation:XValidation:"self != ''"`, "",
			`+kubebuilder:validation:XValidation: expected argument name, got "\"self != ''\""`},
	}, idl.Config{})
}

func TestTypos(t *testing.T) {
	rows := typos()
	parser, err := kep4153.New()
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if strings.HasSuffix(rows[i].want, ": ") {
			rows[i].want += strings.Join(parser.Names(), ", ")
		}
	}
	checkRows(t, rows, idl.Config{Dialects: []idl.Dialect{idl.CustomDialect(parser)}})
}

// TestIgnoreUnknown: unknown markers are ignored on request, as by other generators.
func TestIgnoreUnknown(t *testing.T) {
	rows := typos()
	for i := range rows {
		rows[i].want = ""
	}
	checkRows(t, rows, idl.Config{Reading: idl.Reading{IgnoreUnknown: true}})
}

// TestPlaces: a marker in a place where it is not read is a mistake.
func TestPlaces(t *testing.T) {
	const unread = " is not read here; write it on its own line in the // comment directly above a type or a field that is in the JSON"
	for _, row := range []struct {
		why, text string
		want      map[int]string
	}{
		{"at the end of a field's line", "package p\n\ntype Root struct {\n\tA int32 `json:\"a\"` // +minimum=1\n}\n",
			map[int]string{4: "+minimum=…" + unread}},
		{"below the last field", "package p\n\ntype Root struct {\n\tA int32 `json:\"a\"`\n\t// +minimum=1\n}\n",
			map[int]string{5: "+minimum=…" + unread}},
		{"three comments above a field", "package p\n\ntype Root struct {\n\t// +minimum=1\n\n\t// b\n\n\t// c\n\tA int32 " +
			"`json:\"a\"`\n}\n",
			map[int]string{4: "+minimum=…" + unread}},
		{"in a comment above a comment, of a field without a doc comment",
			"package p\n\ntype Root struct {\n\t// +minimum=1\n\n\t// b\n\n\tA int32 `json:\"a\"`\n}\n",
			map[int]string{4: "+minimum=…" + unread}},
		{"in the one comment above a field without a doc comment it is read",
			"package p\n\ntype Root struct {\n\t// +minimum=1\n\n\tA int32 `json:\"a\"`\n}\n", map[int]string{}},
		{"on a constant", "package p\n\ntype Root struct{}\n\n// +minLength=1\nconst A = \"a\"\n",
			map[int]string{5: "+minLength=…" + unread}},
		{"on a constant that an enum leaves out", "package p\n\ntype Root struct{}\n\n// +k8s:enumExclude\nconst A = \"a\"\n",
			map[int]string{}},
		{"on a method", "package p\n\ntype Root struct{}\n\n// +minProperties=1\nfunc (Root) F() {}\n",
			map[int]string{5: "+minProperties=…" + unread}},
		{"on an import", "package p\n\n// +minProperties=1\nimport _ \"fmt\"\n\ntype Root struct{}\n",
			map[int]string{3: "+minProperties=…" + unread}},
		{"on a field without JSON", "package p\n\ntype Root struct {\n\t// +minimum=1\n\tA int32 `json:\"-\"`\n}\n",
			map[int]string{4: "+minimum=…" + unread}},
		{"on an unexported field", "package p\n\ntype Root struct {\n\t// +minimum=1\n\ta int32\n}\n",
			map[int]string{4: "+minimum=…" + unread}},
		{"on a variable", "package p\n\n// +required\nvar a int32\n\ntype Root struct{}\n", map[int]string{3: "+required" + unread}},
		{"on the package", "// +required\npackage p\n\ntype Root struct{}\n",
			map[int]string{1: "+required is above the package clause, where markers are not read; move it to a type or a field"}},
		{"in a block comment", "package p\n\ntype Root struct {\n\t/* the a\n\t * +minimum=1\n\t */\n\tA int32 `json:\"a\"`\n}\n",
			map[int]string{5: "+minimum=… is in a /* comment, where markers are not read; use a // comment"}},
		{"a typo on a type that no root reaches", "package p\n\ntype Root struct{}\n\n// +minPropertis=1\ntype Other struct{}\n",
			map[int]string{5: "unknown marker +minPropertis; did you mean +minProperties?"}},
		{"all at once", "package p\n\ntype Root struct {\n\t// +Minimum=1\n\tA int32 `json:\"a\"`\n\t// +minLenght=1\n\t// " +
			"+maximum=a\n\tB string `json:\"b\"`\n}\n",
			map[int]string{
				4: "unknown marker +Minimum; did you mean +minimum?",
				6: "unknown marker +minLenght; did you mean +minLength?",
				7: `+maximum: expected integer or float, got "a"`,
			}},
		{"in the body of a function it is ignored", "package p\n\ntype Root struct{}\n\nfunc f() {\n\t// +minimum=1\n}\n",
			map[int]string{}},
		{"fields of an anonymous struct are read", "package p\n\ntype Root struct {\n\tA struct {\n\t\t// +minimum=1\n\t\tB " +
			"int32 `json:\"b\"`\n\t} `json:\"a\"`\n}\n", map[int]string{}},
	} {
		t.Run(row.why, func(t *testing.T) {
			_, err := idl.Generate(idl.Config{Dir: source(t, row.text), Roots: roots(sourcePackage, "Root")})
			if diff := cmp.Diff(row.want, mistakesByLine(t, err)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
