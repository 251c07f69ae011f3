package ciformats

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Level is how serious a result is.
type Level string

// The levels of SARIF.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
)

// Rule is a kind of result.
type Rule struct {
	ID string
	// Short describes what the rule finds, and Help what to do about it.
	Short, Help string
	Level       Level
}

// Result is a finding.
type Result struct {
	// Rule is the ID of a rule.
	Rule    string
	Level   Level
	Message string
	// File and Line are the position. Line 0 means the whole file. The file is optional.
	File string
	Line int
	// Place is the path in the object or schema, such as "spec.replicas".
	Place string
	// Declared are the places in schemas that declare the violated rule.
	Declared []Declared
	// Identity identifies the result in later runs, after lines have moved. The default is the
	// message, the file and the place.
	Identity string
}

// Declared is a place in a schema, with its file and line if known.
type Declared struct {
	Place string
	File  string
	Line  int
}

// SARIF is the log of one run of diffrun.
type SARIF struct {
	// Version is the version of diffrun.
	Version string
	Rules   []Rule
	Results []Result
}

const information = "https://github.com/diffrun/diffrun"

// Write writes the log as indented JSON.
func (s SARIF) Write(w io.Writer) error {
	log, err := s.Begin(w)
	if err != nil {
		return err
	}
	for _, result := range s.Results {
		if err := log.Result(result); err != nil {
			return err
		}
	}
	return log.End()
}

// SARIFLog is a log that is being written, one result after the other.
type SARIFLog struct {
	out     io.Writer
	rules   []Rule
	results int
}

// The indentation of the keys of a run, and of its results.
const sarifRunIndent, sarifResultIndent = "      ", "        "

// Begin writes the part of a log before the results. It does not write s.Results.
func (s SARIF) Begin(w io.Writer) (*SARIFLog, error) {
	tool := sarifTool{
		Driver: sarifDriver{Name: "diffrun", Version: plaintext.Escape(s.Version), InformationURI: information, Rules: []sarifRule{}},
	}
	for _, rule := range s.Rules {
		tool.Driver.Rules = append(tool.Driver.Rules, sarifRule{
			ID: rule.ID, ShortDescription: sarifText(rule.Short), Help: sarifText(rule.Help),
			DefaultConfiguration: sarifConfiguration{Level: rule.Level},
		})
	}
	encoded, err := json.MarshalIndent(tool, sarifRunIndent, "  ")
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(w, `{
  "$schema": %q,
  "version": "2.1.0",
  "runs": [
    {
      "tool": %s,
      "results": [`, sarifSchema, encoded)
	return &SARIFLog{out: w, rules: s.Rules}, err
}

// Result adds a result.
func (l *SARIFLog) Result(result Result) error {
	made := sarifResult{
		RuleID: result.Rule, RuleIndex: slices.IndexFunc(l.rules, func(r Rule) bool { return r.ID == result.Rule }),
		Level: result.Level, Message: sarifText(result.Message),
		PartialFingerprints: map[string]string{"diffrun/v1": result.fingerprint()},
	}
	if result.File != "" {
		made.Locations = []sarifLocation{result.location()}
	}
	for _, declared := range result.Declared {
		made.RelatedLocations = append(made.RelatedLocations, declared.location())
	}
	encoded, err := json.MarshalIndent(made, sarifResultIndent, "  ")
	if err != nil {
		return err
	}
	separator := ",\n"
	if l.results == 0 {
		separator = "\n"
	}
	l.results++
	_, err = io.WriteString(l.out, separator+sarifResultIndent+string(encoded))
	return err
}

// End ends the log. The notes are about the run as a whole.
func (l *SARIFLog) End(notes ...string) error {
	closing := "]"
	if l.results > 0 {
		closing = "\n" + sarifRunIndent + "]"
	}
	if len(notes) > 0 {
		invocation := sarifInvocation{ExecutionSuccessful: true}
		for _, note := range notes {
			invocation.Notifications = append(invocation.Notifications, sarifNotification{Level: Note, Message: sarifText(note)})
		}
		encoded, err := json.MarshalIndent([]sarifInvocation{invocation}, sarifRunIndent, "  ")
		if err != nil {
			return err
		}
		closing += ",\n" + sarifRunIndent + `"invocations": ` + string(encoded)
	}
	_, err := io.WriteString(l.out, closing+"\n    }\n  ]\n}\n")
	return err
}

func (r Result) fingerprint() string {
	identity := r.Identity
	if identity == "" {
		identity = strings.Join([]string{r.Rule, filepath.ToSlash(r.File), r.Place, r.Message}, "\n")
	}
	sum := sha256.Sum256([]byte(identity))
	return hex.EncodeToString(sum[:16])
}

// location returns the location of the result, which has a file.
func (r Result) location() sarifLocation {
	location := sarifLocation{PhysicalLocation: physical(r.File, r.Line)}
	if r.Place != "" {
		location.LogicalLocations = logical(r.Place)
	}
	return location
}

// location returns the location of the place in a schema.
func (d Declared) location() sarifLocation {
	message := sarifText("declared by " + d.Place)
	location := sarifLocation{Message: &message, LogicalLocations: logical(d.Place)}
	if d.File != "" {
		location.PhysicalLocation = physical(d.File, d.Line)
	}
	return location
}

// logical returns a path in an object or schema as a location.
func logical(place string) []sarifLogicalLocation {
	return []sarifLogicalLocation{{FullyQualifiedName: plaintext.Escape(place)}}
}

// physical returns the location of a file and, unless it is zero, a line.
func physical(file string, line int) *sarifPhysicalLocation {
	place := &sarifPhysicalLocation{ArtifactLocation: sarifArtifactLocation{URI: address(file)}}
	if line > 0 {
		place.Region = &sarifRegion{StartLine: line}
	}
	return place
}

// address returns the URI of a file. It is relative for a relative file, as code hosts require.
func address(file string) string {
	path := filepath.ToSlash(file)
	if filepath.IsAbs(file) {
		return (&url.URL{Scheme: "file", Path: path}).String()
	}
	return (&url.URL{Path: path}).String()
}
