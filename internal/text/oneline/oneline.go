package oneline

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Of gives the text of an error on one line, as Text does.
func Of(err error) string { return Text(err.Error()) }

// Text gives the text of an error on one line. What cel-go draws below a rule, an arrow
// at the place that is wrong, becomes the text that the rule goes on with from there.
// Values are shown as people write them, not as a page of HTML would have to.
func Text(said string) string {
	text := drawn.ReplaceAllStringFunc(strings.TrimSpace(said), undraw)
	return forHTML.Replace(strings.ReplaceAll(text, "\n", "; "))
}

// forHTML undoes what encoding/json does with three characters. A backslash that stands
// for itself begins none of them.
var forHTML = strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// drawn is one mistake as cel-go reports it (common/error.go): its message, the line of
// the rule, and dots up to an arrow.
var drawn = regexp.MustCompile(`ERROR: <input>:(\d+):(\d+): ([^\n]*)\n \| ([^\n]*)\n \| [^\n]*`)

// expected is the end of a message of the grammar, a list of all tokens that there are.
var expected = regexp.MustCompile(` expecting \{.*\}$`)

// shown is how much of a rule is quoted, in characters.
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
