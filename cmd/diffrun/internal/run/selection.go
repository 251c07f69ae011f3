package run

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// ParseOnly parses --run. The result is nil if the flag is not set.
func ParseOnly(text string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	only, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("--run: %w", err)
	}
	return only, nil
}

// selection counts the cases that the suites have, and those that are not compared.
type selection struct {
	// cases and files count all so far, including those of other shards. files is used only if
	// shards consist of whole files.
	cases, files int
	digest       digest // of the cases or files, for shards
	own          digest // of the cases of this shard
	notSelected  int    // by --run
	// examples are the ids of the first cases that --run does not select.
	examples    []string
	notRecorded int // by --check-recorded
	noTarget    LeftOut
	noGuard     LeftOut
	requests    LeftOutRequests
	broken      []string // schemas that do not compile
	empty       []string // what is wrong with files that have no case, or expect something of nothing
}

// shownIDs is how many ids a message shows as examples.
const shownIDs = 3

// record records an event of a suite that is not a job.
func (s *selection) record(suite *cases.Suite, event cases.Event) {
	switch event := event.(type) {
	case cases.Skipped:
		s.skip(suite.Name, event)
	case cases.BrokenSchema:
		s.broken = append(s.broken, fmt.Sprintf("%s: %v", suite.File, event.Err))
	case cases.EmptyFile:
		s.addEmpty(emptyFile(event))
	case cases.Unlooked:
		s.addEmpty(event.Problem)
	}
}

// addEmpty adds what is wrong with a file of cases once: another suite, or set of the matrix, may read it too.
func (s *selection) addEmpty(problem string) {
	if !slices.Contains(s.empty, problem) {
		s.empty = append(s.empty, problem)
	}
}

// emptyFile returns what is wrong with a file of cases without a case. A generator that failed may leave one, and
// the other files would seem to be all.
func emptyFile(file cases.EmptyFile) string {
	if len(file.Reasons) == 0 {
		return file.Path + ": the file has no case; add one, or remove the file from \"cases\" of the suite"
	}
	return fmt.Sprintf("%s: nothing in the file is compared, because each of its samples or requests is left out (%s); "+
		"add one that can be compared, or remove the file from \"cases\" of the suite", file.Path, plaintext.List(file.Reasons))
}

// skip counts a case that is not compared.
func (s *selection) skip(suite string, skipped cases.Skipped) {
	switch skipped.Reason {
	case cases.NotSelected:
		s.notSelected++
		if len(s.examples) < shownIDs {
			s.examples = append(s.examples, skipped.Case)
		}
	case cases.NotRecorded:
		s.notRecorded++
	case cases.NoTarget:
		_ = s.noTarget.Add(suite, skipped.Version)
	case cases.NoGuard:
		_ = s.noGuard.Add(suite, skipped.Version)
	case cases.NotACase:
		s.requests.Add(skipped.Detail)
	}
}

// errNoCase says that a run compared nothing.
var errNoCase = errors.New("no case: a run that compares nothing proves nothing")

// noneSelected returns the error of a run whose flag --run matches no id. It shows some ids.
func (s *selection) noneSelected(only *regexp.Regexp) error {
	if len(s.examples) == 0 {
		return errNoCase
	}
	return fmt.Errorf("no case has an id that --run %q matches; ids are such as %s", only, ListIDs(s.examples))
}

// ListIDs lists ids in quotes, because they may contain spaces.
func ListIDs(ids []string) string {
	quoted := make([]string, len(ids))
	for i, id := range ids {
		quoted[i] = strconv.Quote(id)
	}
	return plaintext.List(quoted)
}

// number numbers a case of the run, and reports whether it belongs to the shard.
func (s *session) number(suite *cases.Suite, job *harness.Job) bool {
	s.selection.cases++
	job.Case.Number = s.selection.cases
	if s.options.shard.of == 0 {
		return true
	}
	digest := job.Case.Digest()
	if s.options.byFile() {
		job.Case.Number += s.selection.files << fileBits
		s.selection.own.add(suite.Name, job.Case.ID, digest)
		return true
	}
	s.selection.digest.add(suite.Name, job.Case.ID, digest)
	if !s.options.shard.has(job.Case.ID) {
		return false
	}
	s.selection.own.add(suite.Name, job.Case.ID, digest)
	return true
}

// selectFile reports whether a file of cases belongs to the shard. A shard does not read the files of
// others, so the digest that all shards of a run share has the names of all files.
func (s *session) selectFile(file string) bool {
	s.selection.files++
	s.selection.digest.addFile(file)
	return s.options.shard.has(file)
}
