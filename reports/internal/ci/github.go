package ci

import (
	"fmt"
	"io"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// github writes annotations: commands in the log of a job. GitHub shows them beside the lines of a
// change, but only a few for each step. So each cause is one annotation, and the rest is counted.
type github struct {
	out    io.Writer
	judged summary.Judged
	groups causes.Groups
}

// githubShown is how many annotations of a level GitHub shows for a step.
const githubShown = 10

// NewGitHub returns a reporter that writes the annotations of GitHub Actions to w.
func NewGitHub(w io.Writer) summary.Reporter { return &github{out: w} }

func (g *github) Begin(header summary.Header) error {
	g.judged.Gate, g.groups.Gate = header.Gate, header.Gate
	return nil
}

func (g *github) Result(r harness.Result) error {
	g.judged.Add(r)
	g.groups.Add(r)
	return nil
}

func (g *github) End(footer summary.Footer) error {
	var all []plaintext.Annotation
	problems := footer.Problems
	if footer.Incomplete {
		problems = append([]string{"the run ended before all cases were compared"}, problems...)
	}
	for _, problem := range problems {
		all = append(all, causetext.Problem(problem))
	}
	for _, group := range g.groups.Sorted() {
		all = append(all, causetext.Annotation(group, g.judged.Gate))
	}
	shown, left := map[plaintext.AnnotationLevel]int{}, g.groups.More
	for _, annotation := range all {
		if shown[annotation.Level] == githubShown {
			left++
			continue
		}
		shown[annotation.Level]++
		if err := g.write(annotation); err != nil {
			return err
		}
	}
	notice := plaintext.Annotation{Level: plaintext.NoticeLevel, Title: "diffrun", Lines: []string{summary.Line(footer, 0)}}
	if footer.Summary.Inputs > 0 {
		notice.Lines = append([]string{summary.EffectSentence(footer.Summary)}, notice.Lines...)
	}
	if narrowed := summary.NarrowedSentence(footer); narrowed != "" {
		notice.Lines = append([]string{narrowed}, notice.Lines...)
	}
	if allows := g.judged.AllowedSentence(); allows != "" {
		notice.Lines = append(notice.Lines, allows)
	}
	for _, left := range summary.LeftOutTexts(footer.LeftOut) {
		notice.Lines = append(notice.Lines, "Left out: "+left+", which has no such target.")
	}
	if left > 0 {
		notice.Lines = append(notice.Lines, plaintext.More(left)+" annotations; -o json=FILE keeps all")
	}
	return g.write(notice)
}

func (g *github) write(annotation plaintext.Annotation) error {
	if _, err := io.WriteString(g.out, annotation.String()+"\n"); err != nil {
		return fmt.Errorf("writing the GitHub report: %w", err)
	}
	return nil
}
