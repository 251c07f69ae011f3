package ciformats

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

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
	// Short is what the rule finds, and Help what to do about it.
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
	// Declared are the places in schemas that declare what was violated.
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
	after   string // the text after the results
}

// The library indents the keys of a run by sarifRunIndent, its results by sarifIndent, and each level
// by sarifStep.
const sarifRunIndent, sarifIndent, sarifStep = "      ", "        ", "  "

// Begin writes the part of a log before the results. It does not write s.Results.
func (s SARIF) Begin(w io.Writer) (*SARIFLog, error) {
	run := sarif.NewRunWithInformationURI("diffrun", information)
	run.Tool.Driver.WithVersion(plaintext.Escape(s.Version))
	for _, rule := range s.Rules {
		run.AddRule(rule.ID).
			WithShortDescription(sarif.NewMultiformatMessageString().WithText(plaintext.Escape(rule.Short))).
			WithHelp(sarif.NewMultiformatMessageString().WithText(plaintext.Escape(rule.Help))).
			WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(string(rule.Level)))
	}
	log := sarif.NewReport()
	log.AddRun(run)
	var document bytes.Buffer
	if err := log.PrettyWrite(&document); err != nil {
		return nil, err
	}
	// The library writes an empty list of invocations, which End may have to fill.
	text := strings.Replace(document.String(), sarifRunIndent+`"invocations": [],`+"\n", "", 1)
	before, after, found := strings.Cut(text, `"results": []`)
	if !found {
		return nil, errors.New("a SARIF log has no list of results")
	}
	_, err := io.WriteString(w, before+`"results": [`)
	return &SARIFLog{out: w, rules: s.Rules, after: after + "\n"}, err
}

// Result adds a result.
func (l *SARIFLog) Result(result Result) error {
	made := sarif.NewRuleResult(result.Rule).
		WithRuleIndex(slices.IndexFunc(l.rules, func(r Rule) bool { return r.ID == result.Rule })).
		WithLevel(string(result.Level)).
		WithMessage(sarif.NewTextMessage(plaintext.Escape(result.Message))).
		WithPartialFingerprints(map[string]string{"diffrun/v1": result.fingerprint()})
	if location := result.location(); location != nil {
		made.AddLocation(location)
	}
	for _, declared := range result.Declared {
		made.AddRelatedLocation(declared.location())
	}
	encoded, err := withoutDefaults(made, sarifIndent)
	if err != nil {
		return err
	}
	separator := ",\n"
	if l.results == 0 {
		separator = "\n"
	}
	l.results++
	_, err = io.WriteString(l.out, separator+sarifIndent+string(encoded))
	return err
}

// withoutDefaults encodes a part of a log without defaults of SARIF, which the library always writes: empty
// lists, and -1 for unknown numbers (SARIF 2.1.0, for example 3.4.5). They would be most of a log.
func withoutDefaults(part any, indent string) ([]byte, error) {
	encoded, err := json.Marshal(part)
	if err != nil {
		return nil, err
	}
	var all any
	if err := json.Unmarshal(encoded, &all); err != nil {
		return nil, err
	}
	return json.MarshalIndent(dropDefaults(all), indent, sarifStep)
}

func dropDefaults(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, part := range value {
			list, isList := part.([]any)
			if isList && len(list) == 0 || part == -1.0 {
				delete(value, key)
				continue
			}
			value[key] = dropDefaults(part)
		}
	case []any:
		for i := range value {
			value[i] = dropDefaults(value[i])
		}
	}
	return value
}

// End ends the log. The notes are about the run as a whole.
func (l *SARIFLog) End(notes ...string) error {
	closing := "]"
	if l.results > 0 {
		closing = "\n" + sarifRunIndent + "]"
	}
	if len(notes) > 0 {
		invocation := sarif.NewInvocation().WithExecutionSuccessful(true)
		for _, note := range notes {
			invocation.AddToolExecutionNotification(sarif.NewNotification().WithLevel(string(Note)).WithMessage(sarif.NewTextMessage(plaintext.Escape(note))))
		}
		encoded, err := withoutDefaults([]*sarif.Invocation{invocation}, sarifRunIndent)
		if err != nil {
			return err
		}
		closing += ",\n" + sarifRunIndent + `"invocations": ` + string(encoded)
	}
	_, err := io.WriteString(l.out, closing+l.after)
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

// location returns the location of the result, or nil.
func (r Result) location() *sarif.Location {
	if r.File == "" {
		return nil
	}
	location := sarif.NewLocationWithPhysicalLocation(physical(r.File, r.Line))
	if r.Place != "" {
		location.AddLogicalLocation(sarif.NewLogicalLocation().WithFullyQualifiedName(plaintext.Escape(r.Place)))
	}
	return location
}

// location returns the location of the place in a schema.
func (d Declared) location() *sarif.Location {
	location := sarif.NewLocation().WithMessage(sarif.NewTextMessage(plaintext.Escape("declared by " + d.Place)))
	if d.File != "" {
		location.WithPhysicalLocation(physical(d.File, d.Line))
	}
	return location.WithLogicalLocations([]*sarif.LogicalLocation{sarif.NewLogicalLocation().WithFullyQualifiedName(plaintext.Escape(d.Place))})
}

// physical returns the location of a file and, unless it is zero, a line.
func physical(file string, line int) *sarif.PhysicalLocation {
	place := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(address(file)))
	if line > 0 {
		place.WithRegion(sarif.NewRegion().WithStartLine(line))
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
