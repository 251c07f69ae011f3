package rundiff

import (
	"io"

	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// annotationsShown is how many annotations of a level GitHub shows for a step.
const annotationsShown = 10

// github writes an annotation for each new problem and cause, and a notice that sums up.
func (c *Comparison) github(w io.Writer, runs Runs) error {
	out := plaintext.NewAnnotationWriter(w)
	var all []plaintext.Annotation
	for _, problem := range c.NewProblems {
		all = append(all, causetext.Problem(problem))
	}
	for _, group := range c.New.Sorted() {
		all = append(all, causetext.Annotation(group, nil))
	}
	shown, left := map[plaintext.AnnotationLevel]int{}, c.New.More
	for _, annotation := range all {
		annotation.Title += ", new"
		if shown[annotation.Level]++; shown[annotation.Level] > annotationsShown {
			left++
			continue
		}
		if _, err := io.WriteString(out, annotation.String()+"\n"); err != nil {
			return err
		}
	}
	notice := plaintext.Annotation{Level: plaintext.NoticeLevel, Title: "diffrun compare", Lines: []string{c.sentence(runs)}}
	if c.Nothing() {
		notice.Level = plaintext.ErrorLevel
	}
	notice.Lines = append(notice.Lines, runs.lacks()...)
	if left > 0 {
		notice.Lines = append(notice.Lines, plaintext.More(left)+" annotations; -o json has all")
	}
	_, err := io.WriteString(out, notice.String()+"\n")
	return err
}
