package scaffold

import (
	"regexp"
	"strings"
)

// placeholder replaces an action of a template in the text.
const placeholder = "diffrun-template"

// action matches an action of a Go template that ends on its line.
var action = regexp.MustCompile(`\{\{.*?\}\}`)

// mapping matches an action that writes a mapping or list after a key.
var mapping = regexp.MustCompile(`:\s*\{\{-?[^{}]*\b(nindent|toYaml)\b.*\}\}\s*$`)

// literalBraces matches the action with which templates write braces.
var literalBraces = regexp.MustCompile("\\{\\{-?\\s*[\"`](\\{\\{|\\}\\})[\"`]\\s*-?\\}\\}")

// withoutActions returns a template of YAML without its actions, with the same number of lines. A line of
// actions alone becomes empty, an action that writes a mapping null, and an action in a value the
// placeholder. All branches of conditions remain.
func withoutActions(text string) string {
	var out strings.Builder
	open := false // an action that began on an earlier line
	for line := range strings.SplitAfterSeq(text, "\n") {
		end := ""
		if strings.HasSuffix(line, "\n") {
			line, end = strings.TrimSuffix(line, "\n"), "\n"
		}
		if open {
			_, rest, closed := strings.Cut(line, "}}")
			if !closed {
				out.WriteString(end)
				continue
			}
			line, open = rest, false
		}
		line = literalBraces.ReplaceAllString(line, placeholder)
		if strings.TrimSpace(action.ReplaceAllString(line, "")) == "" {
			line = ""
		}
		line = action.ReplaceAllString(mapping.ReplaceAllString(line, ":"), placeholder)
		if before, _, opens := strings.Cut(line, "{{"); opens {
			line, open = before, true
		}
		out.WriteString(line + end)
	}
	return out.String()
}
