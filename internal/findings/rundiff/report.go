package rundiff

import (
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "json", "markdown", "github", "html"} }

// Runs are the runs that were compared.
type Runs struct{ Old, New Run }

// Run is one of two runs.
type Run struct {
	// Name is the name of its report.
	Name string
	// Lacks lists what the run did not compare, or compared differently from the other run, one line
	// each.
	Lacks []string
	// SourceURL is the address of its source files, with {file} and {line}, and RunURL that of the job of
	// CI that made it. Both may be empty.
	SourceURL, RunURL string
}

// Write writes the comparison in a format.
func (c *Comparison) Write(w io.Writer, format string, runs Runs) error {
	switch format {
	case "json":
		return c.json(w, runs)
	case "markdown":
		return c.markdown(w, runs)
	case "github":
		return c.github(w, runs)
	case "html":
		return c.html(w, runs)
	}
	return c.text(w, runs)
}

// section is a part of a comparison.
type section struct {
	title  string
	groups *causes.Groups
	// isNew is true for findings that fail the comparison.
	isNew bool
}

// problemsTitle is the title of NewProblems.
const problemsTitle = "new problems of the run"

func (c *Comparison) sections() []section {
	return []section{
		{"new", &c.New, true},
		{"changed: same class and field, different messages", &c.Changed, false},
		{"gone", &c.Gone, false},
	}
}

// outcome summarizes the comparison in a few words, and reports whether it fails.
func (c *Comparison) outcome() (text string, fails bool) {
	switch {
	case c.Nothing():
		return "nothing was compared: the runs have no input in common", true
	case c.NewFaults > 0:
		return "new faults", true
	case len(c.New.Sorted()) > 0:
		return "new differences", true
	case c.Worse > 0:
		return "verdicts change that did not", true
	case len(c.NewProblems) > 0:
		return problemsTitle, true
	case c.Incomplete:
		return "the new run is incomplete", true
	}
	return "nothing is new", false
}

// lacks returns what both runs lack, one line each.
func (r Runs) lacks() []string {
	var all []string
	for _, run := range []Run{r.Old, r.New} {
		for _, lack := range run.Lacks {
			all = append(all, plaintext.Line(run.Name)+": "+plaintext.Line(lack))
		}
	}
	return all
}

func (c *Comparison) text(w io.Writer, runs Runs) error {
	out := plaintext.NewPrinter(w)
	for _, section := range c.sections() {
		all := section.groups.Sorted()
		if len(all) == 0 {
			continue
		}
		out.Printf("%s\n", section.title)
		shown, more := plaintext.First(all)
		for _, group := range shown {
			printGroup(out, group)
		}
		if more > 0 {
			out.Printf("  %s\n", plaintext.More(more))
		}
		out.Printf("\n")
	}
	if len(c.NewProblems) > 0 {
		out.Printf("%s\n", problemsTitle)
		for _, problem := range c.NewProblems {
			out.Printf("  %s\n", problem)
		}
		out.Printf("\n")
	}
	for _, run := range []Run{runs.Old, runs.New} {
		for _, lack := range run.Lacks {
			out.Printf("%s: %s\n", run.Name, lack)
		}
	}
	if c.Nothing() {
		out.Printf("Nothing was compared: the runs have no input in common.\n")
	}
	out.Printf("%s\n", c.sentence(runs))
	return out.Flush()
}

func printGroup(out *plaintext.Printer, group *causes.Group) {
	first := group.First
	out.Printf("  %d× in %s  ", group.Found, plaintext.Count(group.Cases, "case"))
	switch group.Kind {
	case causes.Difference:
		out.Printf("%s  %s  %s", group.Cause.Class, group.Cause.Kind, group.Cause.Field)
		if group.Effect != "" {
			out.Printf("  effect: %s", group.Effect)
		}
		out.Printf("\n")
		firstName, secondName := first.Sides.Labels()
		width := max(utf8.RuneCountInString(firstName), utf8.RuneCountInString(secondName), shortLabel) + 2
		printSide(out, width, firstName, first.Native)
		printSide(out, width, secondName, first.Declarative)
	case causes.Fault:
		out.Printf("fault of %s\n        %s\n", first.Of, first.Text)
	default:
		out.Printf("%s\n        %s\n", group.Kind, first.Text)
	}
	out.Printf("        first in %s", first.Case)
	if first.Source != "" && first.Source != first.Case {
		out.Printf(" (%s)", first.Source)
	}
	out.Printf("\n")
}

// shortLabel is the number of characters of a short name of a side. All short ones share a width.
const shortLabel = len("declarative")

func printSide(out *plaintext.Printer, width int, name string, err *causes.Error) {
	if err == nil {
		out.Printf("        %-*sno such error\n", width, name)
		return
	}
	out.Printf("        %-*s%s: %s\n", width, name, err.Field, err.String())
}

// sentence returns the summary.
func (c *Comparison) sentence(runs Runs) string {
	text := fmt.Sprintf("%s of both runs: %s new, %s changed, %s gone", plaintext.Count(c.Both, "input"),
		plaintext.Number(found(&c.New)), plaintext.Number(found(&c.Changed)), plaintext.Number(found(&c.Gone)))
	if c.Worse > 0 {
		text += fmt.Sprintf("; the verdict changes for %s where it did not before", plaintext.Count(c.Worse, "input"))
	}
	if c.OnlyOld > 0 {
		text += fmt.Sprintf("; %s only in %s", plaintext.Count(c.OnlyOld, "input"), plaintext.Line(runs.Old.Name))
	}
	if c.OnlyNew > 0 {
		text += fmt.Sprintf("; %s only in %s", plaintext.Count(c.OnlyNew, "input"), plaintext.Line(runs.New.Name))
	}
	return text + "."
}

func found(groups *causes.Groups) int {
	n := groups.More
	for _, group := range groups.Sorted() {
		n += group.Found
	}
	return n
}

// document is the JSON of a comparison.
type document struct {
	Tool string `json:"tool"`
	Old  string `json:"old"`
	New  string `json:"new"`
	// OldLacks and NewLacks list what a run did not compare.
	OldLacks []string `json:"oldLacks"`
	NewLacks []string `json:"newLacks"`
	// NewProblems are those that only the new run has.
	NewProblems []string `json:"newProblems"`
	Inputs      inputs   `json:"inputs"`
	Fails       bool     `json:"fails"`
	Worse       int      `json:"worse"`
	Added       findings `json:"added"`
	Changed     findings `json:"changed"`
	Gone        findings `json:"gone"`
}

type inputs struct {
	Both    int `json:"both"`
	OnlyOld int `json:"onlyOld"`
	OnlyNew int `json:"onlyNew"`
}

type findings struct {
	Found  int     `json:"found"`
	Causes []cause `json:"causes"`
}

type cause struct {
	ID          string   `json:"id"`
	What        string   `json:"what"`
	Class       string   `json:"class"`
	Effect      string   `json:"effect"`
	Kind        string   `json:"kind"`
	Field       string   `json:"field"`
	Found       int      `json:"found"`
	Inputs      int      `json:"inputs"`
	Cases       int      `json:"cases"`
	Targets     []string `json:"targets"`
	FirstCase   string   `json:"firstCase"`
	FirstSource string   `json:"firstSource"`
	Native      string   `json:"native"`
	Declarative string   `json:"declarative"`
	Text        string   `json:"text"`
}

func (c *Comparison) json(w io.Writer, runs Runs) error {
	text, err := plaintext.JSON(document{
		Tool: "diffrun compare", Old: runs.Old.Name, New: runs.New.Name, OldLacks: append([]string{}, runs.Old.Lacks...),
		NewLacks: append([]string{}, runs.New.Lacks...), NewProblems: append([]string{}, c.NewProblems...),
		Inputs: inputs{c.Both, c.OnlyOld, c.OnlyNew}, Fails: c.Fails(), Worse: c.Worse,
		Added: newFindings(&c.New), Changed: newFindings(&c.Changed), Gone: newFindings(&c.Gone),
	})
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

func newFindings(groups *causes.Groups) findings {
	made := findings{Found: found(groups), Causes: []cause{}}
	for _, g := range groups.Sorted() {
		made.Causes = append(made.Causes, cause{
			ID: g.ID, What: string(g.Kind), Class: string(g.Cause.Class), Effect: string(g.Effect), Kind: g.Cause.Kind,
			Field: g.Cause.Field,
			Found: g.Found, Inputs: g.Inputs, Cases: g.Cases, Targets: append([]string{}, g.Targets...),
			FirstCase: g.First.Case, FirstSource: g.First.Source, Native: errorText(g.First.Native),
			Declarative: errorText(g.First.Declarative), Text: g.First.Text,
		})
	}
	return made
}

// errorText returns the text of an error, or "" for nil.
func errorText(err *causes.Error) string {
	if err == nil {
		return ""
	}
	return err.Field + ": " + err.String()
}
