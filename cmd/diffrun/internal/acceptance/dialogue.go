package acceptance

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
)

// Dialogue asks a person about causes, on a terminal.
type Dialogue struct {
	In io.Reader
	// Print writes a part of a line, or lines.
	Print func(format string, args ...any)

	lines *bufio.Reader
	last  exceptionfile.Review
}

// Decision is what a person said about a cause that is accepted.
type Decision struct {
	Cause  *Cause
	Review exceptionfile.Review
}

// errEnded is the end of the input.
var errEnded = errors.New("the answers ended")

// Ask asks about each cause. It returns the accepted ones; quitting keeps those before.
func (d *Dialogue) Ask(all []*Cause) ([]Decision, error) {
	d.lines = bufio.NewReader(d.In)
	var accepted []Decision
	for i, cause := range all {
		d.show(i+1, len(all), cause)
		answer, err := d.choose(cause)
		switch {
		case err != nil:
			return nil, err
		case answer == "q":
			return accepted, nil
		case answer == "a":
			review, err := d.review()
			if err != nil {
				return nil, err
			}
			accepted = append(accepted, Decision{cause, review})
		}
	}
	return accepted, nil
}

// show describes a cause.
func (d *Dialogue) show(number, of int, cause *Cause) {
	first := cause.First
	d.Print("\n%d of %d  %s\n", number, of, cause.Title())
	native, declarative := first.Sides.Labels()
	width := max(len("declarative"), utf8.RuneCountInString(native), utf8.RuneCountInString(declarative))
	row := func(name, text string) { d.Print("  %-*s  %s\n", width, name, text) }
	row(native, says(first.Native))
	row(declarative, says(first.Declarative))
	row("case", first.Case+"  "+first.Source)
	if first.Why != "" {
		row("", first.Why)
	}
	row("covers", cause.Covers()+": "+join(distinct(cause.Cases)))
}

// says describes the error of a side.
func says(err *causes.Error) string {
	if err == nil {
		return "no such error"
	}
	return fmt.Sprintf("%s %s: %s", err.Field, string(err.Type), err.Detail)
}

// choose asks what to do with a cause: a, s or q.
func (d *Dialogue) choose(cause *Cause) (string, error) {
	for {
		d.Print("accept, skip, show the case, quit [a/s/c/q]? ")
		answer, err := d.line()
		if err != nil {
			return "", err
		}
		switch answer = strings.ToLower(answer[:min(1, len(answer))]); answer {
		case "a", "s", "q":
			return answer, nil
		case "c":
			for _, line := range caseText(cause.First.Source) {
				d.Print("  %s\n", line)
			}
		default:
			d.Print("answer with one of these letters\n")
		}
	}
}

// review asks for the texts of an exception. An empty answer is the one before.
func (d *Dialogue) review() (exceptionfile.Review, error) {
	review := d.last
	for _, of := range fieldsOf(&review) {
		before := *of.value
		for {
			d.Print("%s (%s)", of.name, of.hint)
			if before != "" {
				d.Print(" [%s]", before)
			}
			d.Print("? ")
			answer, err := d.line()
			if err != nil {
				return review, err
			}
			*of.value = cmp.Or(answer, before)
			if *of.value != "" && !placeholder.MatchString(*of.value) {
				break
			}
			d.Print("a text that nobody wrote is no review\n")
		}
	}
	d.last = review
	return review, nil
}

// line reads an answer.
func (d *Dialogue) line() (string, error) {
	text, err := d.lines.ReadString('\n')
	if errors.Is(err, io.EOF) && text == "" {
		return "", errEnded
	} else if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimSpace(text), nil
}

// caseText returns the lines of a case at a place, file and line: as far as they are indented more than its first one.
func caseText(source string) []string {
	file, number, _ := strings.Cut(source, ":")
	line := 0
	if _, err := fmt.Sscanf(number, "%d", &line); err != nil || line < 1 {
		return []string{"the report does not say where the case is"}
	}
	data, err := infile.ReadFile(file)
	if err != nil {
		return []string{fmt.Sprintf("%s cannot be read: %v", file, infile.Cause(err))}
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if line > len(lines) {
		return []string{fmt.Sprintf("%s has no line %d any more", file, line)}
	}
	end := line
	for end < len(lines) && (lines[end] == "" || indent(lines[end]) > indent(lines[line-1])) {
		end++
	}
	return lines[line-1 : end]
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
