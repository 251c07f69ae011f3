package mutate

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// TextOptions control how much Text writes.
type TextOptions struct {
	// All also lists mutants that no input violates or reaches, or that do not compile.
	All bool
}

// Text writes the score and the mutants that survived, for people.
func (r Report) Text(w io.Writer, opts TextOptions) error {
	out := plaintext.NewPrinter(w)
	out.Printf("%s\n", r.score())
	if note := r.narrowedNote(); note != "" {
		out.Printf("%s\n", note)
	}
	if n := r.Count(Survived); n > 0 {
		out.Printf("\n")
	}
	listed := []Status{Survived}
	if opts.All {
		listed = append(listed, NotViolated, NotReached, Invalid)
	}
	for _, status := range listed {
		of := r.With(status)
		if len(of) == 0 {
			continue
		}
		out.Printf("%s: %d\n", titles()[status], len(of))
		for _, m := range of {
			out.Printf("  %s\n    %s\n", m.name(), m.where())
		}
	}
	if !opts.All && r.Count(NotViolated)+r.Count(NotReached) > 0 {
		out.Printf("\n-v lists mutants that no input violates or reaches; \"diffrun coverage\" lists it by target.\n")
	}
	return out.Flush()
}

// score returns the outcomes of the mutants in one line.
func (r Report) score() plaintext.Text {
	count := func(of Status) plaintext.Text { return plaintext.Text(plaintext.Number(r.Count(of))) }
	text := plaintext.Sprintf("%s, %s: %s killed, %s survived, %s not violated, %s not reached",
		plaintext.Text(plaintext.Count(r.Inputs, "input")), plaintext.Text(plaintext.Count(len(r.Mutants), "mutant")),
		count(Killed), count(Survived), count(NotViolated), count(NotReached))
	if n := r.Count(Invalid); n > 0 {
		text += plaintext.Sprintf(", %d invalid", n)
	}
	if r.Unfinished > 0 {
		text += plaintext.Sprintf("; %d not run, because the run was interrupted", r.Unfinished)
	}
	if r.isSample() {
		text += plaintext.Sprintf("; a sample of %d with --seed %d", r.Of, r.Seed)
	}
	return plaintext.Text(text)
}

// isSample reports whether the seed chose some of the mutants.
func (r Report) isSample() bool { return len(r.Mutants)+r.Unfinished < r.Of }

// narrowedNote returns a note that the run was narrowed, or "".
func (r Report) narrowedNote() string {
	if len(r.Narrowed) == 0 {
		return ""
	}
	return "The run was narrowed, so other cases may kill more: " + strings.Join(r.Narrowed, "; ") + "."
}

// titles returns the headings of lists of mutants.
func titles() map[Status]string {
	return map[Status]string{
		Killed:      "killed",
		Survived:    "survived: inputs violate these, but no comparison would change if they were weaker",
		NotViolated: "no input violates these",
		NotReached:  "no input reaches these",
		Invalid:     "the schema does not compile without these",
	}
}

// name returns the field and what was weakened.
func (m Mutant) name() string {
	name := m.Change
	if m.Path != "" {
		name = m.Path + ": " + name
	}
	if m.Within != "" {
		name += " (in " + m.Within + ")"
	}
	return name
}

// where returns the targets that have the keyword, and how many inputs violate it.
func (m Mutant) where() string {
	where := m.Targets[0]
	if m.Line != "" {
		where = m.Line + ", " + where
	}
	if more := len(m.Targets) - 1; more > 0 {
		where += " and " + strconv.Itoa(more) + " more"
	}
	if m.Violations > 0 {
		where += "; violated by " + plaintext.Count(m.Violations, "input")
	}
	if m.Why != "" {
		where += "; " + m.Why
	}
	return where
}

// byKeyword counts mutants by keyword and status. The keywords are sorted.
func (r Report) byKeyword() (keywords []string, counts map[string]map[Status]int) {
	counts = map[string]map[Status]int{}
	for _, m := range r.Mutants {
		if counts[m.Keyword] == nil {
			counts[m.Keyword] = map[Status]int{}
			keywords = append(keywords, m.Keyword)
		}
		counts[m.Keyword][m.Status]++
	}
	slices.Sort(keywords)
	return keywords, counts
}
