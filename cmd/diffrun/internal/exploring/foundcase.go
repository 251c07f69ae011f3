package exploring

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// foundCase is a finding as a case.
type foundCase struct {
	explore.Found
	target *Target
	harness.Case
	effect harness.Effect
	text   string // for people, on one line
}

// newFoundCase returns the case of a finding. It returns false if the results of its small input do
// not show the finding, as those of a validator that contradicts itself.
func newFoundCase(t *Target, found explore.Found, results []harness.Result) (foundCase, bool) {
	for i := range results {
		r := &results[i]
		for _, finding := range causes.Findings(r) {
			if finding.Signature != found.Signature {
				continue
			}
			c := asking.Case(t.like, found.Input)
			c.ID = fmt.Sprintf("explored %s#%s", t, finding.Name())
			c.Why = why(r, found)
			return foundCase{Found: found, target: t, Case: c, effect: r.Effect, text: finding.Text + ": " + saying(r)}, true
		}
	}
	return foundCase{}, false
}

// why describes a case from the answers of both sides.
func why(r *harness.Result, found explore.Found) string {
	text := saying(r)
	if found.Change != "" {
		text += ". An accepted object was changed: " + plaintext.Cut(found.Change, plaintext.MaxLine)
	}
	return text
}

// saying describes the answers of both sides in one sentence.
func saying(r *harness.Result) string {
	var parts []string
	for name, outcome := range r.Outcomes() {
		switch {
		case outcome.Fault != nil:
			parts = append(parts, name+" has no verdict")
		case len(outcome.Errors) == 0:
			parts = append(parts, name+" accepts it")
		default:
			more := ""
			if n := len(outcome.Errors) - 1; n > 0 {
				more = fmt.Sprintf(" (and %d more)", n)
			}
			parts = append(parts, name+": "+plaintext.Cut(plaintext.Error(outcome.Errors[0]), plaintext.MaxLine)+more)
		}
	}
	return strings.Join(parts, "; ")
}

// writtenFile and writtenCase are a file of cases.
type writtenFile struct {
	Target string        `json:"target"`
	Cases  []writtenCase `json:"cases"`
}

type writtenCase struct {
	Name        string         `json:"name"`
	Why         string         `json:"why"`
	Subresource string         `json:"subresource,omitempty"`
	Object      map[string]any `json:"object"`
	Old         *writtenOld    `json:"old,omitempty"`
}

type writtenOld struct {
	Object map[string]any `json:"object"`
}

// file returns the name of the file for the cases of a target.
func (t *Target) file() string {
	return strings.ToLower(strings.NewReplacer("/", "-", " ", "-").Replace(t.String())) + ".yaml"
}

// checkFolder returns an error if files of --write-cases already exist: they may have been edited, and cases
// of a different seed are not found again.
func (x *exploration) checkFolder(targets []*Target) error {
	if x.flags.writeCases == "" {
		return nil
	}
	var errs []error
	for _, target := range targets {
		name := filepath.Join(x.flags.writeCases, target.file())
		if _, err := os.Stat(name); err == nil {
			errs = append(errs, fmt.Errorf("--write-cases: %s is there already; name another folder, or move the file to the cases of the suite", name))
		}
	}
	return errors.Join(errs...)
}

// writeCases writes the cases that were found, a file for each target.
func (x *exploration) writeCases(directory string) error {
	if err := os.MkdirAll(directory, 0o777); err != nil {
		return err
	}
	byTarget := map[*Target][]writtenCase{}
	var order []*Target
	for _, one := range x.found {
		if byTarget[one.target] == nil {
			order = append(order, one.target)
		}
		_, name, _ := strings.Cut(one.ID, "#")
		written := writtenCase{Name: name, Why: one.Why, Subresource: one.target.Subresource, Object: one.Input.Object}
		if one.Input.Old != nil {
			written.Old = &writtenOld{one.Input.Old}
		}
		byTarget[one.target] = append(byTarget[one.target], written)
	}
	slices.SortFunc(order, func(a, b *Target) int { return cmp.Compare(a.String(), b.String()) })
	for _, target := range order {
		version, kind := target.Version.ToAPIVersionAndKind()
		data, err := yaml.Marshal(writtenFile{Target: version + " " + kind, Cases: byTarget[target]})
		if err != nil {
			return err
		}
		header := fmt.Sprintf("# Found by diffrun explore --seed %d.\n", x.flags.seed)
		if err := outfile.Write(filepath.Join(directory, target.file()), append([]byte(header), data...)); err != nil {
			return err
		}
	}
	return nil
}
