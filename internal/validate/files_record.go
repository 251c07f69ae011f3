package validate

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/text/ciformats"
	"github.com/diffrun/diffrun/internal/text/errorjson"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// FileRecord is an object of a manifest with its result.
type FileRecord struct {
	File       string            `json:"file"`
	Line       int               `json:"line,omitempty"`
	APIVersion string            `json:"apiVersion,omitempty"`
	Kind       string            `json:"kind,omitempty"`
	Namespace  string            `json:"namespace,omitempty"`
	Name       string            `json:"name,omitempty"`
	Valid      bool              `json:"valid"`
	Errors     []FileRecordError `json:"errors"`
	// Fault is the reason why there is no verdict.
	Fault string `json:"fault,omitempty"`
	// Skipped is true if there is no schema and none is needed.
	Skipped bool `json:"skipped,omitempty"`
}

// FileRecordError is an error with its line and its text for people.
type FileRecordError struct {
	Line int `json:"line,omitempty"`
	*errorjson.Error
	Text string `json:"text"`
}

func (o fileOutcome) record(skipped bool) FileRecord {
	metadata, _ := o.document.Object["metadata"].(map[string]any)
	text := func(of map[string]any, key string) string {
		value, _ := of[key].(string)
		return value
	}
	made := FileRecord{
		File: o.file, Line: o.document.At(o.file, "").Line, Errors: []FileRecordError{}, Skipped: skipped,
		APIVersion: text(o.document.Object, "apiVersion"), Kind: text(o.document.Object, "kind"),
		Namespace: text(metadata, "namespace"), Name: text(metadata, "name"),
	}
	if o.fault != nil && !skipped {
		made.Fault = plaintext.Error(o.fault)
	}
	for _, err := range o.inFileOrder() {
		said := errorjson.New(err)
		said.Detail = metadataDetail(err)
		made.Errors = append(made.Errors, FileRecordError{o.document.At(o.file, err.Field).Line, said, errorText(err)})
	}
	made.Valid = made.Fault == "" && !skipped && len(made.Errors) == 0
	return made
}

// identity returns the kind and name of an object, such as "Deployment web", or "" if it has neither.
func identity(d documents.Document) string {
	metadata, _ := d.Object["metadata"].(map[string]any)
	kind, _ := d.Object["kind"].(string)
	name, _ := metadata["name"].(string)
	if generated, _ := metadata["generateName"].(string); name == "" && generated != "" {
		name = generated + "…"
	}
	switch {
	case kind == "":
		return name
	case name == "":
		return kind
	}
	return kind + " " + name
}

// FileFormats lists the formats of records.
func FileFormats() []string { return []string{"json", "jsonl", "junit", "sarif"} }

// WriteRecords writes records in a format.
func WriteRecords(w io.Writer, format, version string, result FilesResult, records []FileRecord) error {
	switch format {
	case "jsonl":
		for _, record := range records {
			if err := writeJSON(w, record); err != nil {
				return err
			}
		}
		return nil
	case "junit":
		return toJUnit(records).Write(w)
	case "sarif":
		return toSARIF(version, records).Write(w)
	case "json":
		if records == nil {
			records = []FileRecord{}
		}
		summary := map[string]int{
			"objects": result.Objects,
			"valid":   result.Valid,
			"invalid": result.Invalid,
			"faults":  result.Faults,
			"skipped": result.Skipped,
		}
		if result.SkippedFiles > 0 {
			summary["skippedFiles"] = result.SkippedFiles
		}
		return writeJSON(w, map[string]any{
			"tool": "diffrun validate", "version": version, "objects": records,
			"summary": summary,
		})
	}
	return fmt.Errorf("unknown format %q", format)
}

func writeJSON(w io.Writer, value any) error {
	var text json.RawMessage
	text, err := plaintext.JSON(value)
	if err != nil {
		return err
	}
	return plaintext.Fprintf(w, "%s\n", plaintext.Text(text))
}

// toJUnit returns a suite for each file with a test for each object.
func toJUnit(records []FileRecord) ciformats.JUnit {
	report := ciformats.JUnit{Name: "diffrun validate"}
	for _, record := range records {
		if last := len(report.Suites) - 1; last < 0 || report.Suites[last].File != record.File {
			report.Suites = append(report.Suites, ciformats.Suite{Name: record.File, File: record.File})
		}
		test := ciformats.Test{Name: record.title(), Class: record.File, Fault: record.Fault}
		for _, err := range record.Errors {
			test.Failures = append(test.Failures, ciformats.Failure{Text: fmt.Sprintf("%s:%d: %s", record.File, err.Line, err.Text)})
		}
		if record.Skipped {
			test.Skipped = "there is no schema of this kind"
		}
		suite := &report.Suites[len(report.Suites)-1]
		suite.Tests = append(suite.Tests, test)
	}
	return report
}

func (r FileRecord) title() string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	if r.Kind == "" && name == "" {
		return fmt.Sprintf("document in line %d", r.Line)
	}
	return r.APIVersion + " " + r.Kind + " " + name
}

// The rules of the SARIF of records.
const (
	invalidRule = "invalid"
	faultRule   = "no-verdict"
)

func toSARIF(version string, records []FileRecord) ciformats.SARIF {
	log := ciformats.SARIF{Version: version, Rules: []ciformats.Rule{
		{ID: invalidRule, Short: "the API server would reject the object", Help: "change the field as the message says",
			Level: ciformats.Error},
		{ID: faultRule, Short: "the object could not be validated", Help: "make the document readable, or add a schema of its kind",
			Level: ciformats.Error},
	}}
	for _, record := range records {
		for _, err := range record.Errors {
			log.Results = append(log.Results, ciformats.Result{
				Rule: invalidRule, Level: ciformats.Error, Message: record.title() + ": " + err.Text, File: record.File,
				Line: err.Line, Place: err.Field,
			})
		}
		if record.Fault != "" {
			log.Results = append(log.Results, ciformats.Result{
				Rule:    faultRule,
				Level:   ciformats.Error,
				Message: record.title() + ": " + record.Fault,
				File:    record.File,
				Line:    record.Line,
			})
		}
	}
	return log
}
