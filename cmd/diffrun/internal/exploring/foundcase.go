package exploring

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/findings/smallcase"
)

// foundCase is a finding as a case.
type foundCase struct {
	explore.Found
	target *Target
	harness.Case
	small  smallcase.Case
	effect words.Effect
	text   string // for people, on one line
}

// newFoundCase returns the case of a finding. It returns false if the results of its small input do
// not show the finding, as those of a validator that contradicts itself.
func newFoundCase(t *Target, found explore.Found, results []harness.Result) (foundCase, bool) {
	small, r, finding := smallcase.New(found, t.Subresource, results)
	if small == nil {
		return foundCase{}, false
	}
	c := asking.Case(t.like, found.Input)
	text := finding.Text + ": " + strings.Join(smallcase.Answers(r, finding), "; ")
	if found.OldUnstorable {
		text += "; " + smallcase.OlderDefinition
	}
	c.ID, c.Why = fmt.Sprintf("explored %s#%s", t, small.Name), small.Why
	return foundCase{Found: found, target: t, Case: c, small: *small, effect: cmp.Or(r.OpenEffect(), r.Effect), text: text}, true
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
			errs = append(errs, fmt.Errorf("--write-cases: %s is there already; name another folder, or move the file to the cases "+
				"of the suite", name))
		}
	}
	return errors.Join(errs...)
}

// writeCases writes the cases that were found, a file for each target.
func (x *exploration) writeCases(directory string) error {
	if err := os.MkdirAll(directory, 0o777); err != nil {
		return err
	}
	byTarget := map[*Target][]smallcase.Case{}
	var order []*Target
	for _, one := range x.found {
		if byTarget[one.target] == nil {
			order = append(order, one.target)
		}
		byTarget[one.target] = append(byTarget[one.target], one.small)
	}
	slices.SortFunc(order, func(a, b *Target) int { return cmp.Compare(a.String(), b.String()) })
	for _, target := range order {
		data, err := smallcase.File(fmt.Sprintf("Found by diffrun explore --seed %d.", x.flags.seed), target.Version, byTarget[target]...)
		if err != nil {
			return err
		}
		if err := outfile.Write(filepath.Join(directory, target.file()), data); err != nil {
			return err
		}
	}
	return nil
}
