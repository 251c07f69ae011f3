package oneline

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Of returns the text of an error on one line, as Text does.
func Of(err error) string { return Text(err.Error()) }

// Text returns a text on one line. Where cel-go draws an arrow below a rule, it quotes the rule from that
// place. It undoes the escaping of HTML in values.
func Text(said string) string {
	text := drawn.ReplaceAllStringFunc(strings.TrimSpace(said), undraw)
	return forHTML.Replace(strings.ReplaceAll(text, "\n", "; "))
}

// forHTML matches the escapes of encoding/json for HTML, and escaped backslashes, which do not begin one.
var forHTML = strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// drawn matches an error of cel-go (common/error.go): its message, the line of the rule, and dots up to an
// arrow.
var drawn = regexp.MustCompile(`ERROR: <input>:(\d+):(\d+): ([^\n]*)\n \| ([^\n]*)\n \| [^\n]*`)

// expected matches the end of a syntax error, a list of all tokens.
var expected = regexp.MustCompile(` expecting \{.*\}$`)

// shown is the number of quoted characters of a rule.
const shown = 40

func undraw(text string) string {
	parts := drawn.FindStringSubmatch(text)
	line, message, source := parts[1], expected.ReplaceAllString(parts[3], ""), []rune(parts[4])
	message = strings.ReplaceAll(message, "mismatched input '<EOF>'", "it ends too early")
	column, err := strconv.Atoi(parts[2])
	if err != nil || column < 1 || column > len(source)+1 {
		return text
	}
	where := "at the end"
	if rest := strings.TrimSpace(string(source[column-1:])); rest != "" {
		if cut := []rune(rest); len(cut) > shown {
			rest = string(cut[:shown]) + "…"
		}
		where = fmt.Sprintf("at %q", rest)
	}
	if line != "1" {
		where += " in line " + line
	}
	return message + ", " + where
}
