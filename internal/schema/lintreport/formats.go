package lintreport

import (
	"io"

	"github.com/diffrun/diffrun/internal/schema/lint"
	"github.com/diffrun/diffrun/internal/text/ciformats"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// tool names the program that wrote a document.
const tool = "diffrun schema lint"

// document is the JSON of a report.
type document struct {
	Tool     string            `json:"tool"`
	Version  string            `json:"version"`
	Summary  documentSummary   `json:"summary"`
	Findings []documentFinding `json:"findings"`
	Needs    []documentNeed    `json:"needs,omitempty"`
}

type documentSummary struct {
	Schemas int `json:"schemas"`
	// Policies counts the files with policies.
	Policies int `json:"policies,omitempty"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	Hidden   int `json:"hidden"`
	Accepted int `json:"accepted"`
	Excepted int `json:"excepted"`
	Foreign  int `json:"foreign"`
	// Skipped counts the files without a schema or a policy.
	Skipped int `json:"skipped,omitempty"`
}

type documentFinding struct {
	Lint     string        `json:"lint"`
	Severity lint.Severity `json:"severity"`
	Of       string        `json:"of"`
	Versions []string      `json:"versions,omitempty"`
	File     string        `json:"file"`
	Line     int           `json:"line,omitempty"`
	Place    string        `json:"place"`
	What     string        `json:"what"`
	Why      string        `json:"why"`
	Do       string        `json:"do"`
}

// documentNeed is a definition that old releases of Kubernetes refuse.
type documentNeed struct {
	Of       string   `json:"of"`
	Versions []string `json:"versions,omitempty"`
	// Release is the oldest one that accepts it.
	Release string `json:"release"`
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Place   string `json:"place"`
	What    string `json:"what"`
}

// JSON writes the report as one JSON document. ReadBaseline reads it.
func (r *Report) JSON(w io.Writer, version string) error {
	d := document{Tool: tool, Version: version, Summary: documentSummary{
		Schemas: r.Schemas, Policies: r.Policies, Errors: r.count(lint.Error), Warnings: r.count(lint.Warning), Infos: r.count(lint.Info),
		Hidden: r.Hidden, Accepted: r.Accepted, Excepted: r.Excepted, Foreign: r.Foreign, Skipped: len(r.Skipped),
	}, Findings: []documentFinding{}}
	for _, f := range r.Findings {
		d.Findings = append(d.Findings, documentFinding{
			Lint: f.Lint, Severity: f.Severity, Of: f.Of, Versions: f.Versions, File: f.Position.File, Line: f.Position.Line,
			Place: f.At, What: f.What, Why: f.Why, Do: f.Do,
		})
	}
	for _, n := range r.Needs {
		d.Needs = append(d.Needs, documentNeed{
			Of: n.Of, Versions: n.Versions, Release: n.Release, File: n.Position.File, Line: n.Position.Line, Place: n.At, What: n.What,
		})
	}
	text, err := plaintext.JSON(d)
	if err != nil {
		return err
	}
	return plaintext.Fprintf(w, "%s\n", plaintext.Text(text))
}

// SARIF writes the report as SARIF 2.1.0.
func (r *Report) SARIF(w io.Writer, version string) error {
	log := ciformats.SARIF{Version: version}
	for _, l := range lint.All() {
		log.Rules = append(log.Rules, ciformats.Rule{ID: l.Name, Short: l.Why, Help: l.Do, Level: level(l.Severity)})
	}
	for _, f := range r.Findings {
		log.Results = append(log.Results, ciformats.Result{
			Rule: f.Lint, Level: level(f.Severity), Message: wholeSchema(f.At) + ": " + f.What + ": " + f.Why,
			File: f.Position.File, Line: f.Position.Line,
			Place: f.At, Identity: f.Lint + "\n" + f.Of + "\n" + f.At + "\n" + f.What,
		})
	}
	return log.Write(w)
}

func level(s lint.Severity) ciformats.Level {
	switch s {
	case lint.Error:
		return ciformats.Error
	case lint.Warning:
		return ciformats.Warning
	}
	return ciformats.Note
}

func (r *Report) count(s lint.Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}
