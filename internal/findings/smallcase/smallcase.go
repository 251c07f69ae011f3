// Package smallcase describes findings of the explorer, and writes them as files of cases.
package smallcase

import (
	"cmp"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/oneline"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Case is the case of a finding, as a file of cases has it.
type Case struct {
	Name        string         `json:"name"`
	Why         string         `json:"why"`
	Subresource string         `json:"subresource,omitempty"`
	Object      map[string]any `json:"object"`
	Old         *old           `json:"old,omitempty"`
}

type old struct {
	Object map[string]any `json:"object"`
}

// New returns the case of a finding with the signature of found, and the result that has it. The case is a
// request to a subresource, if that is not empty. It returns nil if no result has the signature: the validators
// say something else about the same input.
func New(found explore.Found, subresource string, results []harness.Result) (*Case, *harness.Result, causes.Finding) {
	for i := range results {
		r := &results[i]
		for _, finding := range causes.Findings(r) {
			if finding.Signature == found.Signature {
				c := &Case{Name: nameOf(finding), Why: strings.Join(Answers(r, finding), "; "), Subresource: subresource,
					Object: found.Input.Object}
				if found.OldUnstorable {
					c.Why += "; " + OlderDefinition
				}
				if found.Change != "" {
					c.Why += ". An accepted object was changed: " + plaintext.Cut(found.Change, plaintext.MaxLine)
				}
				if found.Input.IsUpdate() {
					c.Old = &old{found.Input.Old}
				}
				return c, r, finding
			}
		}
	}
	return nil, nil, causes.Finding{}
}

// OlderDefinition is the condition of a finding whose old object today's side would not create.
const OlderDefinition = "only if an older definition stored the old object, which today's side refuses to create"

// longestName limits the name of a case, in characters.
const longestName = 90

// nameOf returns the name of the case of a finding: the field, what is said about it, and the begin of the
// signature, which --run can select.
func nameOf(of causes.Finding) string {
	err := cmp.Or(of.Pair.Native, of.Pair.Declarative)
	if err == nil {
		return of.Name()
	}
	text := []rune(oneline.Text(cmp.Or(err.Detail, plaintext.ErrorBody(err))))
	if fieldpath.Canonical(err.Field) != "" {
		text = append([]rune(err.Field+": "), text...)
	}
	if len(text) > longestName {
		text = append(text[:longestName-1], '…')
	}
	return plaintext.Line(string(text)) + " [" + of.Signature[:8] + "]"
}

// Answers describes what each side says about a finding, on a line each.
func Answers(r *harness.Result, of causes.Finding) []string {
	first, second := r.Sides.Labels()
	native, declarative := r.Sides.Titles()
	return []string{answer(first, native, r.Native, of.Pair.Native), answer(second, declarative, r.Declarative, of.Pair.Declarative)}
}

// answer describes what a side says, on one line: an error of a finding, and how many others there are. The
// error is nil if the finding has none of the side. The label is beside the error, and the title in a sentence.
func answer(label, title string, outcome harness.Outcome, of *field.Error) string {
	switch {
	case outcome.Fault != nil:
		return title + " has no verdict: " + plaintext.Error(outcome.Fault)
	case len(outcome.Errors) == 0:
		return title + " accepts it"
	case of == nil:
		return fmt.Sprintf("%s refuses it for other reasons, such as %s", title,
			plaintext.Cut(plaintext.Error(outcome.Errors[0]), plaintext.MaxLine))
	}
	text := label + ": " + plaintext.Cut(plaintext.Error(of), plaintext.MaxLine)
	if others := len(outcome.Errors) - 1; others > 0 {
		text += fmt.Sprintf(" (and %d more)", others)
	}
	return text
}

// File returns a file with the cases of a target. The comment is its first line.
func File(comment string, target schema.GroupVersionKind, cases ...Case) ([]byte, error) {
	data, err := yaml.Marshal(struct {
		Target string `json:"target"`
		Cases  []Case `json:"cases"`
	}{apiname.Target(target), cases})
	return append([]byte("# "+comment+"\n"), data...), err
}
