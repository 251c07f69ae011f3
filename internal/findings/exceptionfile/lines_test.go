package exceptionfile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
)

// forms are files with the same meaning that are written differently.
func forms() map[string]func(string) string {
	ends := func(end string) func(string) string {
		return func(text string) string { return strings.ReplaceAll(text, "\n", end) }
	}
	return map[string]func(string) string{
		"as it is":                    func(text string) string { return text },
		"lines of Windows":            ends("\r\n"),
		"lines of old Macintoshs":     ends("\r"),
		"a byte order mark":           func(text string) string { return "\ufeff" + text },
		"both":                        func(text string) string { return "\ufeff" + ends("\r\n")(text) },
		"entries that are set in":     func(text string) string { return strings.TrimRight(indented(text), " ") },
		"set in, of Windows":          func(text string) string { return ends("\r\n")(strings.TrimRight(indented(text), " ")) },
		"with an end":                 func(text string) string { return text + "...\n" },
		"with a beginning and an end": func(text string) string { return "---\r\n" + ends("\r\n")(text) + "...\r\n# the end\r\n" },
		"a character that ends lines": func(text string) string { return strings.Replace(text, "why not", "\"why\u2028  not\"", 1) },
	}
}

func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

// TestFormOfFile: a new entry is written in the style of the others, and all others stay unchanged, byte for
// byte.
func TestFormOfFile(t *testing.T) {
	added := []exceptionfile.Difference{{Subject: deploymentOf("v1", "CREATE"), Class: difference.TooStrict,
		Declarative: required("spec.b", "")}}
	last := []exceptionfile.Difference{
		{Subject: deploymentOf("v1", "CREATE"), Class: difference.TooStrict, Declarative: required("spec.zz", "")},
	}
	unsorted := strings.Replace(sortedFile, "id: z\n", "id: A0\n", 1)
	for name, form := range forms() {
		for what, before := range map[string]string{"between": sortedFile, "at the end": unsorted} {
			content, ids, err := exceptionfile.Add("exceptions.yaml", []byte(form(before)), added, review(), today())
			if err != nil {
				t.Errorf("%s, %s: %v", name, what, err)
				continue
			}
			removed, err := exceptionfile.Apply("exceptions.yaml", content, []exceptionfile.Edit{{ID: ids[0], Remove: true}}, today())
			if d := cmp.Diff(form(before), string(removed)); err != nil || d != "" {
				t.Errorf("%s, %s: added and removed again, %v (-want +got):\n%s", name, what, err, d)
			}
			if strings.Contains(form(before), "\r\n") && strings.Count(string(content), "\r\n") != strings.Count(string(content), "\n") ||
				name == "lines of old Macintoshs" && strings.Contains(string(content), "\n") {
				t.Errorf("%s, %s: lines end in two ways:\n%q", name, what, content)
			}
			for _, edit := range []exceptionfile.Edit{{ID: "a", MaxHits: 3}, {ID: ids[0], Expires: "2028-01-01", MaxHits: 7}} {
				edited, err := exceptionfile.Apply("exceptions.yaml", content, []exceptionfile.Edit{edit}, today())
				if err != nil || strings.Contains(form(before), "\r\n") &&
					strings.Count(string(edited), "\r\n") != strings.Count(string(edited), "\n") {
					t.Errorf("%s, %s: edited, %v:\n%q", name, what, err, edited)
				}
			}
		}
		if _, _, err := exceptionfile.Add("exceptions.yaml", []byte(form(sortedFile)), last, review(), today()); err != nil {
			t.Errorf("%s: at the end: %v", name, err)
		}
	}
}

// TestFormThatCannotBeKept: the mistake has the file and the line.
func TestFormThatCannotBeKept(t *testing.T) {
	found := []exceptionfile.Difference{{Subject: deploymentOf("v1", "CREATE"), Class: difference.TooStrict,
		Declarative: required("spec.b", "")}}
	const inBrackets = "# one\n[{id: a, target: v1 Pod, class: too-loose, field: spec.a, why: why, owner: me, issue: " +
		"'https://example.com', expires: 2027-06-30}]\n"
	for _, tt := range []struct{ why, before, want string }{
		{"the list is in brackets", inBrackets, "exceptions.yaml:2: the list is in brackets, which can only be edited by hand; " +
			"begin each entry with a dash on a line of its own"},
		{"a merge was not finished", strings.Replace(sortedFile, "- id: z", "<<<<<<< HEAD\n- id: z\n=======\n- id: y\n>>>>>>> theirs", 1),
			`exceptions.yaml:13: a merge conflict begins here ("<<<<<<< HEAD"); keep the right lines, and delete those that begin ` +
				`with <<<<<<<, ======= and >>>>>>>`},
		{"nor was one with Windows line endings",
			strings.ReplaceAll(strings.Replace(sortedFile, "why: why not", "why: |\n<<<<<<< HEAD\n    a\n=======\n    b\n>>>>>>> theirs",
				1),
				"\n", "\r\n"), `exceptions.yaml:8: a merge conflict begins here ("<<<<<<< HEAD"); keep the right lines, ` +
				`and delete those that begin with <<<<<<<, ======= and >>>>>>>`},
	} {
		if _, _, err := exceptionfile.Add("exceptions.yaml", []byte(tt.before), found, review(), today()); err == nil ||
			err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
	}
}
