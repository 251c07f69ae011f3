package upgrading

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/findings/smallcase"
)

// small is the smallest input that shows a finding.
type small struct {
	version schema.GroupVersionKind
	smallcase.Case
}

// hasSmall reports whether what a section lists depends on more than the API version.
func (s section) hasSmall() bool { return s != gone && s < reworded }

// shrink returns the smallest input that shows a finding; nil: the releases do not answer it as before.
func (i *inquiry) shrink(ctx context.Context, suite *cases.Suite, of *subject) (*small, error) {
	in, ok := inputOf(&of.result)
	if !ok {
		return nil, nil
	}
	like := harness.Case{ID: of.result.Case.ID, Version: of.result.Version, Subresource: of.result.Case.Subresource}
	job, err := jobOf(suite.Binder(i.options), asking.Case(like, in))
	if err != nil {
		return nil, err
	}
	ask, err := asking.Of(job.Harness, like, nil)
	if err != nil {
		return nil, err
	}
	answer, err := ask(ctx, in)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(answer.Findings, func(f explore.Finding) bool { return f.Cause == of.cause && f.Stored == (of.in == stuck) })
	if at < 0 {
		return nil, nil
	}
	found, err := explore.Shrink(ctx, ask, in, answer.Findings[at])
	if err != nil {
		return nil, err
	}
	found.Input.Stored = of.in == stuck
	if answer, err = ask(ctx, found.Input); err != nil {
		return nil, err
	}
	results, _ := answer.Detail.([]harness.Result)
	made, _, _ := smallcase.New(found, like.Subresource, results)
	if made == nil {
		return nil, nil
	}
	return &small{of.result.Version, *made}, nil
}

// inputOf returns the documents of a result: of a stored object, those of the object alone.
func inputOf(result *harness.Result) (in explore.Input, ok bool) {
	in.Object, ok = result.Case.Object.(map[string]any)
	if old, has := result.Case.Old.(map[string]any); has && result.Stored != "" {
		return explore.Input{Object: old, Stored: true}, true
	} else if has {
		in.Old = old
	}
	return in, ok && !result.Case.Deletes
}

// text returns the objects of a case as YAML.
func (s *small) text() (string, error) {
	documents := []map[string]any{s.Object}
	if s.Old != nil {
		documents = []map[string]any{s.Old.Object, s.Object}
	}
	var parts []string
	for _, document := range documents {
		text, err := yaml.Marshal(document)
		if err != nil {
			return "", err
		}
		parts = append(parts, string(text))
	}
	return strings.Join(parts, "---\n"), nil
}

// checkFolder returns an error if the folder of --write-cases has files of cases.
func (f *Flags) checkFolder() error {
	there, err := os.ReadDir(f.writeCases)
	if f.writeCases == "" || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil && len(there) > 0 {
		err = errors.New("is not empty; name another folder")
	}
	if err != nil {
		return fmt.Errorf("--write-cases %s: %w", f.writeCases, err)
	}
	return nil
}

// writeCases writes the smallest inputs as cases, a file for each kind, and a suite that compares the two releases.
func (i *inquiry) writeCases() error {
	if i.flags.writeCases == "" {
		return nil
	}
	byVersion := map[schema.GroupVersionKind][]smallcase.Case{}
	var order []schema.GroupVersionKind
	for _, one := range i.order {
		if one.small == nil {
			continue
		}
		version := one.small.version
		if byVersion[version] == nil {
			order = append(order, version)
		}
		same := func(other smallcase.Case) bool { // an object may be refused, and stuck
			return reflect.DeepEqual(other.Object, one.small.Object) && reflect.DeepEqual(other.Old, one.small.Old)
		}
		if !slices.ContainsFunc(byVersion[version], same) {
			byVersion[version] = append(byVersion[version], one.small.Case)
		}
	}
	if len(order) == 0 {
		return nil
	}
	if err := os.MkdirAll(i.flags.writeCases, 0o777); err != nil {
		return err
	}
	var files []string
	comment := fmt.Sprintf("Found by diffrun upgrade --from %s --to %s.", i.flags.from, i.flags.to)
	for _, version := range order {
		data, err := smallcase.File(comment, version, byVersion[version]...)
		if err != nil {
			return err
		}
		name := strings.ToLower(strings.NewReplacer("/", "-", " ", "-").Replace(apiname.Target(version))) + ".yaml"
		files = append(files, name)
		if err := outfile.Write(filepath.Join(i.flags.writeCases, name), data); err != nil {
			return err
		}
	}
	suite, err := i.flags.suite(i.flags.to, i.flags.toGates, i.flags.toEmulates, files)
	if err != nil {
		return err
	}
	return outfile.Write(filepath.Join(i.flags.writeCases, cases.SuiteFile), append([]byte("# "+comment+"\n"), suite...))
}
