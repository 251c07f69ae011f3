package rundiff

import (
	"fmt"
	"io"
	"strings"

	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

const (
	// maxMarkdown is below the number of characters that GitHub allows in a comment.
	maxMarkdown = 60_000
	// maxCauses limits the causes of a section, and openCauses those of them that are not folded.
	maxCauses  = 50
	openCauses = 5
)

// markdown writes the comparison as a comment on a pull request: what is new, and counts of the rest.
func (c *Comparison) markdown(w io.Writer, runs Runs) error {
	outcome, fails := c.outcome()
	sign := "✓"
	if fails {
		sign = "✗"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "## %s diffrun: %s\n\n%s\n\n", sign, outcome, c.sentence(runs))
	for _, lack := range runs.lacks() {
		out.WriteString("* " + causetext.CodeSpan(lack) + "\n")
	}
	if len(runs.lacks()) > 0 {
		out.WriteString("\n")
	}
	if len(c.NewProblems) > 0 {
		out.WriteString("### " + problemsTitle + "\n\n")
		shown, more := plaintext.First(c.NewProblems)
		for _, problem := range shown {
			out.WriteString("* " + causetext.CodeSpan(plaintext.Line(problem)) + "\n")
		}
		if more > 0 {
			out.WriteString("* " + plaintext.More(more) + "\n")
		}
		out.WriteString("\n")
	}
	url := func(source string) string { return causetext.SourceURL(runs.New.SourceURL, source) }
	for _, section := range c.sections() {
		all := section.groups.Sorted()
		if len(all) == 0 {
			continue
		}
		out.WriteString("### " + section.title + "\n\n")
		for i, group := range all {
			part := causetext.Markdown(group, section.isNew && i < openCauses, url)
			if i == maxCauses || out.Len()+len(part) > maxMarkdown {
				out.WriteString(c.left(len(all)-i, runs))
				break
			}
			out.WriteString(part)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// left counts causes that are left out, and says where they are.
func (c *Comparison) left(n int, runs Runs) string {
	text := plaintext.More(n) + " causes"
	if causetext.IsLink(runs.New.RunURL) && !strings.ContainsAny(runs.New.RunURL, " ()<>\n") {
		return text + "; [the job](" + runs.New.RunURL + ") has all that it wrote\n\n"
	}
	return text + "; -o json and -o html have all\n\n"
}
