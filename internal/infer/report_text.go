package infer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/infer/search"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// json returns the report as JSON.
func (r *Report) json() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(r)
	return out.Bytes(), err
}

// Text returns the report for people.
func (r *Report) Text() string {
	var out strings.Builder
	line := func(format string, args ...any) { out.WriteString(plaintext.Sprintf(format, args...) + "\n") }
	if len(r.Sites) == 0 && r.Compared == 0 {
		line("%s: nothing was compared", r.Target)
	} else if len(r.Sites) == 0 && len(r.Cases) > 0 {
		line("%s: the exploration found no error that %s lacks; %s", r.Target, r.schema(),
			plaintext.Count(len(r.Cases), "case")+map[bool]string{true: " has one", false: " have one each"}[len(r.Cases) == 1])
	} else if len(r.Sites) == 0 {
		line("%s: %s reported no error that %s lacks", r.Target, r.native(), r.schema())
	} else {
		line("%s: %d of %d errors that %s lacks are proven by rules, %d in part, %d not", r.Target,
			r.Count(proposal.Proven), len(r.Sites), r.schema(), r.Count(proposal.InPart), r.Count(proposal.NotExpressed))
	}
	if !r.Complete {
		line("The time was up before everything was tried; run the command again to go on, or increase --duration.")
	}
	if n := len(r.Unproven); n > 0 {
		line("%s not proven: only this report has %s.", plaintext.Count(n, "rule")+map[bool]string{true: " is", false: " are"}[n == 1],
			map[bool]string{true: "it", false: "them"}[n == 1])
	}
	if r.Resumed > 0 {
		line("The run went on from %s of an earlier one.", plaintext.Count(r.Resumed, "input"))
	}
	if r.Faults != nil {
		first, rest, _ := strings.Cut(r.Faults.First, "\n")
		line("! A validator failed on %s, which therefore say nothing: %s", plaintext.Count(r.Faults.Count, "input"), first)
		for more := range strings.Lines(rest) {
			line("    %s", strings.TrimRight(more, "\n"))
		}
		r.exampleText(line, "first", r.Faults.Input)
	}
	r.casesText(line)
	for _, s := range r.Sites {
		out.WriteString("\n")
		r.siteText(line, s)
	}
	if len(r.UnseenSources) > 0 {
		line("")
		line("The source makes more errors. No object that was tried had one of them that %s lacks:", r.schema())
		r.readText(line, "", r.UnseenSources)
	}
	r.strictText(&out, line)
	line("")
	line("%s", r.comparedText())
	line("%s", evidence.Tally(r.Answers).Text(r.native()))
	if r.Masked > 0 {
		line("%s has %s more, only on objects that %s refuses for other reasons.", contract.Capital(r.native()),
			plaintext.Count(r.Masked, "error"), r.schema())
	}
	if r.Undecoded > 0 {
		line("%s could not decode values of a wrong type, in %s; minimum and maximum keep numbers within int32.",
			contract.Capital(r.native()), plaintext.Count(r.Undecoded, "error"))
	}
	if r.Dropped > 0 {
		line("%s refuted then, and then taken out of the proposal.",
			plaintext.Count(r.Dropped, "rule")+map[bool]string{true: " was", false: " were"}[r.Dropped == 1])
		if r.RefusedByDropped > 0 {
			line("Without them, the proposal refuses none of the %s that they refused.", plaintext.Count(r.RefusedByDropped, "input"))
		}
	}
	return out.String()
}

// native and schema return the two sides for sentences.
func (r *Report) native() string { return r.Sides.Title(contract.NativeName) }
func (r *Report) schema() string { return r.Sides.Title(contract.DeclarativeName) }

// mostCasesShown is how many cases the text names.
const mostCasesShown = 10

// casesText names the cases of the suite with an error that the schema lacks.
func (r *Report) casesText(line func(string, ...any)) {
	if len(r.Cases) > 0 {
		line("%s refuses, and %s accepts:", contract.Capital(r.native()), r.schema())
	}
	for _, c := range r.Cases[:min(len(r.Cases), mostCasesShown)] {
		line("    %s  %s  %s", c.Operation, c.ID, c.Error)
	}
	if more := len(r.Cases) - mostCasesShown; more > 0 {
		line("    and %s", plaintext.Count(more, "more case"))
	}
}

// comparedText says what was asked about, and what the proposal does on it.
func (r *Report) comparedText() string {
	asked := fmt.Sprintf("%s explored, %d asked to tell hypotheses apart", plaintext.Count(r.Explored, "input"), r.Asked)
	if r.Compared == 0 {
		return asked + "; the proposal was not compared with " + r.native() + "."
	}
	return asked + fmt.Sprintf("; the proposal was compared on %d, %d of them new: %s with it admits %d that %s refuses, "+
		"and its rules refuse %d that it accepts.",
		r.Compared, r.Compared-r.Known, r.schema(), r.Admits, r.native(), r.Refuses)
}

func (r *Report) siteText(line func(string, ...any), s proposal.Site) {
	sign := map[proposal.Status]string{proposal.Proven: "✓", proposal.InPart: "~", proposal.NotExpressed: "✗"}[s.Status]
	field := s.Field
	if s.Operation != "" {
		field += "  on " + s.Operation
	}
	line("%s %s  %s  %s  %s", sign, field, s.Type, s.Detail, "("+string(s.Status)+")")
	if s.Source != "" {
		line("    made at %s", s.Source)
	}
	r.readText(line, s.Source, s.Read)
	for _, rule := range s.Rules {
		line("    %s", rule)
	}
	if len(s.Rules) > 0 {
		equivalent := ""
		if s.Equivalent > 0 {
			equivalent = "; " + plaintext.Count(s.Equivalent, "more mutant") + " made no difference on any object"
		}
		if s.Decided > 0 {
			differ := map[bool]string{true: " differs", false: " differ"}[s.Decided == 1]
			equivalent += "; " + plaintext.Count(s.Decided, "mutant") + differ + " only on objects with other errors, so the source decides"
		}
		line("    %d refused and %d accepted objects agree, after %d hypotheses; they tell the %s from %s%s", s.RefusedNear,
			s.AcceptedNear, s.Tried,
			plaintext.Plural(len(s.Rules), "rule"), plaintext.Count(s.Told, "mutant"), equivalent)
	}
	if s.Varied != nil && len(s.Varied.Fields) > 0 {
		line("    %s", s.Varied.Text())
	}
	if s.OtherWords > 0 {
		line("    both refuse, with different messages, on %s", plaintext.Count(s.OtherWords, "input"))
	}
	if s.Why != "" {
		line("    %s", s.Why)
	}
	if len(s.Rules) == 0 && s.Tried > 0 {
		line("    %d hypotheses were tried", s.Tried)
	}
	if s.Differs != nil {
		r.exampleText(line, "smallest", s.Differs)
	}
}

// readText shows what the source says about errors of a line, or others.
func (r *Report) readText(line func(string, ...any), source string, of []proposal.ReadSite) {
	for _, read := range of {
		if read.Source != source {
			line("    read at %s", read.Source)
		}
		line("    refuses %s", read.Refuses)
		for _, unread := range read.Unread {
			line("      unread: %s", unread)
		}
		if read.Outcome != "" && read.Outcome != search.ReadExplains {
			line("      this reading %s", read.Outcome)
		}
		if read.Accepted != nil {
			r.exampleText(line, "  accepted", read.Accepted)
		}
	}
}

func (*Report) exampleText(line func(string, ...any), what string, of *evidence.Example) {
	for _, one := range []struct {
		what   string
		object map[string]any
	}{{what, of.Object}, {"before", of.Old}} {
		if one.object == nil {
			continue
		}
		data, err := json.Marshal(one.object)
		if err != nil {
			data = fmt.Append(nil, err)
		}
		line("    %s: %s", one.what, plaintext.Cut(string(data), plaintext.MaxLine))
	}
	if of.User != nil {
		line("    sent by %q of the groups %q", of.User.Name, of.User.Groups)
	}
	if len(of.Cluster) > 0 {
		line("    with %s in the cluster", plaintext.Count(len(of.Cluster), "other object"))
	}
}

func (r *Report) strictText(out *strings.Builder, line func(string, ...any)) {
	for _, isNew := range []bool{true, false} {
		title := "Rules of today's schema that " + r.native() + " lacks. They refuse objects that it accepts:"
		if isNew {
			title = "Proposed rules that refuse what " + r.native() + " accepts. Do not use them unchanged:"
		}
		for _, s := range r.Strict {
			if s.New != isNew {
				continue
			}
			if title != "" {
				out.WriteString("\n")
				line("%s", title)
				title = ""
			}
			line("  %s (%s)", s.Error, plaintext.Count(s.Count, "input"))
			r.exampleText(line, "smallest", s.Smallest)
		}
	}
}
