package soak

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// line is a case in the form that "diffrun run" reads from a line of JSON.
type line struct {
	ID          string                `json:"id"`
	Object      any                   `json:"object"`
	OldObject   any                   `json:"oldObject,omitempty"`
	Operation   admissionv1.Operation `json:"operation"`
	Subresource string                `json:"subresource,omitempty"`
	Request     address               `json:"request,omitzero"`
}

// address is the path of a request whose object has no metadata.
type address struct {
	Name      string `json:"name,omitempty"`
	Namespace string `json:"namespace,omitempty"`
}

// caseLine returns the case of a finding as a line of JSON in printable characters.
func caseLine(finding causes.Finding, c *harness.Case) ([]byte, error) {
	data, err := plaintext.JSON(line{
		ID: finding.Name(), Object: document(c, c.Object), OldObject: document(c, c.Old),
		Operation: c.Operation(), Subresource: c.Subresource, Request: address{c.RequestName, c.RequestNamespace},
	})
	if err != nil {
		return nil, fmt.Errorf("the case %s cannot be written: %w", c.ID, err)
	}
	return append(data, '\n'), nil
}

// document returns an object with apiVersion and kind, which it may have from its file of cases.
func document(c *harness.Case, object any) any {
	document, isDocument := object.(map[string]any)
	if !isDocument {
		return object
	}
	if _, says := document["kind"]; !says && !c.Version.Empty() {
		document = maps.Clone(document)
		document["apiVersion"], document["kind"] = c.Version.ToAPIVersionAndKind()
	}
	return exact(document)
}

// exact writes 3.0 as 3.0. encoding/json would write 3.
func exact(value any) any {
	switch value := value.(type) {
	case map[string]any:
		same := make(map[string]any, len(value))
		for key, item := range value {
			same[key] = exact(item)
		}
		return same
	case []any:
		same := make([]any, len(value))
		for i, item := range value {
			same[i] = exact(item)
		}
		return same
	case float64:
		if math.Trunc(value) == value && math.Abs(value) < 1<<53 {
			return json.Number(fmt.Sprintf("%.1f", value))
		}
	}
	return value
}

// text describes a finding for people, in printable characters.
func (f *Folder) text(found *Found, r *harness.Result) string {
	var written strings.Builder
	text := plaintext.NewPrinter(&written)
	text.Printf("%s\n", found.Text)
	text.Printf("first seen %s", f.now().UTC().Format(time.RFC3339))
	if !f.redact {
		text.Printf(" in the case %s", r.Case.ID)
	}
	text.Printf(", suite %s, %s", r.Suite, r.Case.Operation())
	if r.Case.Subresource != "" {
		text.Printf(" of %s", r.Case.Subresource)
	}
	text.Printf("\n")
	if r.Fault == nil {
		answers(text, r)
	} else {
		text.Printf("\n%s\n", faultText(r.Fault))
	}
	switch {
	case !f.redact || found.Line == nil:
	case found.Weaker:
		text.Printf("\nThe case has no values of the object, and does not show the finding without them: look for the object.\n")
	case f.Replay != nil:
		text.Printf("\nThe case has no values of the object, and shows the finding without them.\n")
	default:
		text.Printf("\nThe case has no values of the object, and may not show the finding without them.\n")
	}
	_ = text.Flush() // writing to memory cannot fail
	return written.String()
}

// answers writes the errors of both sides, and the values of each that differ in what would be stored.
func answers(text *plaintext.Printer, r *harness.Result) {
	side := 0
	for name, outcome := range r.Outcomes() {
		text.Printf("\n%s:\n", name)
		switch {
		case outcome.Fault != nil:
			text.Printf("  no verdict: %s\n", faultText(outcome.Fault))
		case len(outcome.Errors) == 0:
			text.Printf("  accepts the object\n")
		}
		for _, err := range outcome.Errors {
			text.Printf("  %s\n", plaintext.Text(plaintext.Error(err)))
		}
		for _, pair := range r.Pairs {
			if pair.Class.OfValues() && !pair.Explained() {
				text.Printf("  %s\n", plaintext.Text(plaintext.Error([]*field.Error{pair.Native, pair.Declarative}[side])))
			}
		}
		side++
	}
}

func faultText(fault *contract.Fault) string { return strings.ReplaceAll(fault.Error(), "\n", " ") }
