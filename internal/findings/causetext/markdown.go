package causetext

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/sidebyside"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// maxText limits the bytes of an error or a fault.
const maxText = 600

// Markdown returns a cause as a part that is folded or open. url returns the address of a source file,
// or "".
func Markdown(group *causes.Group, open bool, url func(source string) string) string {
	first := group.First
	what, sides := string(group.Kind), ""
	switch group.Kind {
	case causes.Fault:
		what, sides = "fault of "+first.Of, codeBlock("fault:", first.Text)
	case causes.Unmet:
		sides = codeBlock("unmet:", first.Text)
	case causes.Difference:
		what = fmt.Sprintf(`<a href="%s">%s</a> %s %s: %s`, ClassGlossary, group.Cause.Class, htmlCode(group.Cause.Kind),
			htmlCode(sidebyside.Place(group.Cause.Field)), html.EscapeString(ClassText(first.Sides, group.Cause.Class)))
		sides = markdownSides(first)
	}
	opening := "<details>"
	if open {
		opening = "<details open>"
	}
	where := CodeSpan(first.Case)
	if first.Source != "" && first.Source != first.Case {
		where += " at " + linked(first.Source, url)
	}
	var targets []string
	for _, target := range group.Targets {
		targets = append(targets, CodeSpan(target))
	}
	if len(targets) > 0 {
		where += ", in " + plaintext.List(targets)
	}
	return fmt.Sprintf("%s<summary><b>%d×</b> in %s: %s</summary>\n\n%sfirst: %s\n\n</details>\n\n",
		opening, group.Found, plaintext.Count(group.Cases, "case"), what, sides, where)
}

// linked returns a source, as a link if it has an address.
func linked(source string, url func(string) string) string {
	if address := url(source); address != "" && !strings.ContainsAny(address, " ()<>\n") {
		return "[" + CodeSpan(source) + "](" + address + ")"
	}
	return CodeSpan(source)
}

// markdownSides shows the two errors of a difference, one below the other.
func markdownSides(first causes.Example) string {
	firstName, secondName := first.Sides.Labels()
	width := max(utf8.RuneCountInString(firstName), utf8.RuneCountInString(secondName))
	side := func(sign, label string, err *causes.Error) string {
		text := sidebyside.NoError
		if err != nil {
			text = sidebyside.Place(err.Field) + ": " + err.String()
		}
		return sign + " " + label + strings.Repeat(" ", width-utf8.RuneCountInString(label)+2) + plaintext.Cut(text, maxText) + "\n"
	}
	text := "```diff\n" + side("-", firstName, first.Native) + side("+", secondName, first.Declarative) + "```\n\n"
	if first.Frequency != "" {
		text += string(plaintext.Markdown(first.Frequency)) + "\n\n"
	}
	return text
}

// CodeSpan returns a text that Markdown shows unchanged, without mentions or links.
func CodeSpan(text string) string { return string(plaintext.MarkdownCode(text)) }

// htmlCode is a code span within HTML.
func htmlCode(text string) string {
	return "<code>" + html.EscapeString(plaintext.Cut(text, plaintext.MaxCell)) + "</code>"
}

// codeBlock shows text from outside after a word, so that it cannot end the block.
func codeBlock(word, text string) string {
	return "```\n" + word + " " + plaintext.Cut(text, maxText) + "\n```\n\n"
}
