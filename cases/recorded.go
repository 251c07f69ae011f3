package cases

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/cases/internal/casefile"
	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/recorded"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/errorjson"
)

// answers are recorded errors by the ids of cases. It is a backend that returns them.
type answers struct {
	calls map[string]recorded.Call
	// keys are hashes of the inputs by id, and same the ids with equal hashes.
	keys map[string][sha256.Size]byte
	same map[[sha256.Size]byte][]string
	// checked is set if the errors are compared with a validator.
	checked *RecordedCheck
	// versions are the versions of recorded cases.
	versions map[schema.GroupVersionKind]bool
}

// Name returns "native".
func (*answers) Name() string { return contract.NativeName }

// Capabilities implements contract.Capable: deletions are recorded, too.
func (*answers) Capabilities() contract.Capabilities {
	return contract.Capabilities{ValidatesDeletes: true}
}

// Validate returns the recorded errors. It fails if nothing was recorded or the validator panicked.
func (a *answers) Validate(_ context.Context, in *harness.Input) (field.ErrorList, error) {
	call, known := a.calls[in.Case]
	switch {
	case !known:
		return nil, fmt.Errorf("no errors were recorded for the case %q", in.Case)
	case call.Panicked:
		return nil, fmt.Errorf("%s panicked when %s called it", call.Function, call.Test)
	}
	return errorjson.FieldErrors(call.Errors)
}

// has reports whether errors were recorded for a case.
func (a *answers) has(id string) bool {
	_, known := a.calls[id]
	return known
}

// onRecord is answers in the place of the native validator, which replaces the schema.
type onRecord struct{ *answers }

// Name returns "recorded".
func (onRecord) Name() string { return "recorded" }

// check replaces the schemas of a target by the native validator, and the validator by the recorded errors.
func (a *answers) check(target *harness.Target) error {
	target.Versions = slices.DeleteFunc(target.Versions, func(v harness.Version) bool { return !a.versions[v.GroupVersionKind] })
	for i, version := range target.Versions {
		target.Versions[i].Native, target.Versions[i].Declarative = onRecord{a}, version.Native
	}
	if len(target.Versions) == 0 {
		return fmt.Errorf("no case of %s is recorded", target.Kind)
	}
	return a.checked.prepare(target)
}

// toCheck returns the recorded errors of the suite's cases, if JobOptions.CheckRecorded is set.
func (s *Suite) toCheck(options JobOptions) (*answers, error) {
	if options.CheckRecorded == nil {
		return nil, nil
	}
	if _, recorded := s.natives.(recordedNatives); recorded {
		return nil, fmt.Errorf("%s: its native side is the recorded errors, so there is no validator to compare them with; "+
			"name the validator under \"native\", and the recorded files under \"cases\"", s.File)
	}
	made := newAnswers()
	var mistakes strictyaml.Mistakes
	for _, file := range s.files {
		if err := made.read(file.Path(), file.RecordedLines(), true, &mistakes); err != nil {
			return nil, err
		}
	}
	options.CheckRecorded.add(s, made, options.Harness)
	return made, mistakes.Err()
}

// newAnswers returns empty answers.
func newAnswers() *answers {
	return &answers{
		calls: map[string]recorded.Call{}, versions: map[schema.GroupVersionKind]bool{},
		keys: map[string][sha256.Size]byte{}, same: map[[sha256.Size]byte][]string{},
	}
}

// read adds the lines of a file. Lines without recorded errors are a mistake, unless the file may have
// other cases as well. Of a file with a mistake, only the first one is reported.
func (a *answers) read(name string, lines iter.Seq2[casefile.RecordedLine, error], mixed bool, mistakes *strictyaml.Mistakes) error {
	for line, err := range lines {
		if err != nil {
			return err
		}
		at := strictyaml.Position{File: name, Line: line.Number}
		switch _, twice := a.calls[line.ID]; {
		case line.Recorded == nil && mixed:
			continue
		case line.Recorded == nil || line.ID == "":
			mistakes.Addf(at, "nothing is recorded in this line: it has no id or no \"recorded\"; \"native: {recorded: "+
				"…}\" names files that diffrun capture wrote")
			return nil
		case twice:
			mistakes.Addf(at, "the id %q belongs to another recorded case; the files of one suite come from one capture", line.ID)
			return nil
		}
		key := line.InputKey()
		a.calls[line.ID], a.keys[line.ID] = *line.Recorded, key
		a.same[key] = append(a.same[key], line.ID)
		a.versions[line.Version()] = true
	}
	return nil
}

// loadRecorded combines recorded errors with the schemas of files, or of a builtin.
func (l *loader) loadRecorded(side *suitefile.Native) {
	made := newAnswers()
	for _, name := range l.match(side.Recorded) {
		if err := made.read(name, casefile.RecordedLines(l.Files.FS, name), false, &l.shared.mistakes); err != nil {
			l.shared.mistakes.Addf(strictyaml.Position{File: name}, "cannot be read: %v", infile.Cause(err))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(made.calls)) {
		if call, err := json.Marshal(made.calls[id]); err == nil {
			l.shared.digest.add(id, call)
		}
	}
	switch {
	case l.file.Declarative == nil || !l.file.Declarative.IsOne():
	case l.file.Declarative.Builtin == "":
		l.suite.natives = recordedNatives{l.resources, made}
	default:
		if builtin, ok := l.builtin("native: recorded", l.file.Declarative.Position, l.file.Declarative.Builtin, Builtin.hasNatives); ok {
			l.suite.natives = recordedNatives{builtin.Natives, made}
		}
	}
}

// recordedNatives are kinds with recorded errors in place of a validator.
type recordedNatives struct {
	Natives
	answers *answers
}

// Target returns a kind with the recorded errors. Paths of errors may differ in other versions, so only
// versions with recorded cases are compared.
func (r recordedNatives) Target(kind schema.GroupKind) (*harness.Target, error) {
	target, err := r.Natives.Target(kind)
	if err != nil {
		return nil, err
	}
	target.Versions = slices.DeleteFunc(target.Versions, func(v harness.Version) bool { return !r.answers.versions[v.GroupVersionKind] })
	if len(target.Versions) == 0 {
		return nil, fmt.Errorf("no case of %s is recorded", kind)
	}
	for i := range target.Versions {
		target.Versions[i].Native = r.answers
	}
	return target, nil
}
