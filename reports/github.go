package reports

import (
	"fmt"
	"io"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// github writes annotations: commands in the log of a job. GitHub shows them beside the lines of a
// change, but only a few for each step. So each cause is one annotation, and the rest is counted.
type github struct {
	out    io.Writer
	shard  string
	judged judged
	groups causes.Groups
}

// githubShown is how many annotations of a level GitHub shows for a step.
const githubShown = 10

func newGitHub(w io.Writer, _ Options) Reporter { return &github{out: w} }

func (g *github) Begin(header Header) error {
	g.shard, g.judged.gate, g.groups.Gate = header.Shard, header.FailOn, header.FailOn
	return nil
}

func (g *github) Result(r harness.Result) error {
	g.judged.add(r)
	g.groups.Add(r)
	return nil
}

func (g *github) End(footer Footer) error {
	var all []plaintext.Annotation
	problems := footer.Problems
	if footer.Incomplete {
		problems = append([]string{"the run ended before all cases were compared"}, problems...)
	}
	for _, problem := range problems {
		file, line := placeOf(problem)
		all = append(all, plaintext.Annotation{Level: plaintext.ErrorLevel, File: file, Line: line, Title: "diffrun: problem of the run", Lines: []string{problem}})
	}
	for _, group := range g.groups.Sorted() {
		all = append(all, annotationOf(group, g.judged.gate))
	}
	shown, left := map[plaintext.AnnotationLevel]int{}, g.groups.More
	for _, annotation := range all {
		if shown[annotation.Level] == githubShown {
			left++
			continue
		}
		shown[annotation.Level]++
		if err := write(g.out, "GitHub", annotation.String(), "\n"); err != nil {
			return err
		}
	}
	notice := plaintext.Annotation{Level: plaintext.NoticeLevel, Title: "diffrun", Lines: []string{sentence(footer, "")}}
	if footer.Summary.Inputs > 0 {
		notice.Lines = append([]string{effectSentence(footer.Summary)}, notice.Lines...)
	}
	if narrowed := narrowedSentence(g.shard, footer); narrowed != "" {
		notice.Lines = append([]string{narrowed}, notice.Lines...)
	}
	if allows := g.judged.allowedSentence(); allows != "" {
		notice.Lines = append(notice.Lines, allows)
	}
	for _, left := range leftOutTexts(footer.LeftOut) {
		notice.Lines = append(notice.Lines, "Left out: "+left+", which has no such target.")
	}
	if left > 0 {
		notice.Lines = append(notice.Lines, plaintext.More(left)+" annotations; -o json=FILE keeps all")
	}
	return write(g.out, "GitHub", notice.String(), "\n")
}

// annotationOf returns the annotation of a cause, at its first case.
func annotationOf(group *causes.Group, gate harness.Gate) plaintext.Annotation {
	first := group.First
	made := plaintext.Annotation{Level: plaintext.ErrorLevel, Title: "diffrun: " + string(group.What)}
	made.File, made.Line = sourceOf(first.Source)
	found := fmt.Sprintf("%d× in %s, first in %s", group.Found, count(group.Cases, "case"), first.Case)
	switch group.What {
	case causes.Fault:
		made.Title += " of the " + first.Of
		made.Lines = []string{first.Text, found}
	case causes.Unmet:
		made.Lines = []string{first.Text, found}
	case causes.Difference:
		if !group.Effect.ChangesVerdict() && len(gate) == 0 {
			made.Level = plaintext.WarningLevel
		}
		made.Title = fmt.Sprintf("diffrun: %s at %s of %s", group.Cause.Class, place(group.Cause.Field), group.Cause.Kind)
		if group.Effect != "" {
			made.Title += ", effect " + string(group.Effect)
		}
		firstName, secondName := first.Sides.Names()
		made.Lines = []string{
			firstName + ": " + sideLine(first.Native, fieldOf(first)), secondName + ": " + sideLine(first.Declarative, fieldOf(first)), found,
		}
	}
	if group.Allowed {
		made.Level = plaintext.WarningLevel
		made.Title += ", allowed by " + gateFlag(gate)
	}
	return made
}

// fieldOf returns the field of the errors of an example. If they differ, it is the native one.
func fieldOf(example causes.Example) string {
	if example.Native != nil {
		return example.Native.Field
	}
	return example.Declarative.Field
}
