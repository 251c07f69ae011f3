package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/schema/diff"
)

// Level is how serious a change is.
type Level string

const (
	// Error makes the comparison fail.
	Error Level = "error"
	// Unproven is an error that no object shows and that nothing disproves.
	Unproven Level = "unproven"
	// Warning is shown and does not fail.
	Warning Level = "warning"
	// None is only counted.
	None Level = "none"
)

// allLevels lists all levels, the worst first.
func allLevels() []Level { return []Level{Error, Unproven, Warning, None} }

// Levels are the levels that a user gave to changes.
type Levels struct{ rows []levelRow }

// levelRow sets the level of the changes that it matches. An empty key matches everything.
type levelRow struct {
	strictyaml.Position `yaml:"-"`
	Kind                string `yaml:"kind"`
	Effect              string `yaml:"effect"`
	Path                string `yaml:"path"`
	Version             string `yaml:"version"`
	Shown               *bool  `yaml:"shown"` // whether an object shows the change
	Level               Level  `yaml:"level"`
}

// ReadLevels reads a file of levels. The error is a strictyaml.Mistakes.
func ReadLevels(file string) (*Levels, error) {
	data, err := infile.ReadFile(file)
	if err != nil {
		return nil, documents.Unreadable(file, err)
	}
	var read struct {
		Levels []levelRow `yaml:"levels"`
	}
	if err := strictyaml.Decode(file, data, &read); err != nil {
		return nil, err
	}
	var mistakes strictyaml.Mistakes
	if len(read.Levels) == 0 {
		mistakes.Addf(strictyaml.Position{File: file}, "no levels; write a list under \"levels\", for instance: {kind: enum, "+
			"effect: wider, level: none}")
	}
	for _, row := range read.Levels {
		for _, err := range row.check() {
			mistakes.Addf(row.Position, "%v", err)
		}
	}
	return &Levels{read.Levels}, mistakes.Err()
}

func (r levelRow) check() []error {
	var errs []error
	var effects, levels []string
	for _, effect := range diff.Effects() {
		effects = append(effects, string(effect))
	}
	for _, level := range allLevels() {
		levels = append(levels, string(level))
	}
	for _, key := range []struct {
		name, value string
		accepted    []string
		required    bool
	}{{"kind", r.Kind, kinds(), false}, {"effect", r.Effect, effects, false}, {"level", string(r.Level), levels, true}} {
		if (key.value != "" || key.required) && !slices.Contains(key.accepted, key.value) {
			errs = append(errs, fmt.Errorf("unknown %s %q; accepted: %s", key.name, key.value, strings.Join(key.accepted, ", ")))
		}
	}
	return errs
}

// kinds lists the kinds of changes: keywords of schemas, and parts of a definition outside its
// schemas.
func kinds() []string { return append(diff.Kinds(), definitionKinds()...) }

// FailOn reads the levels of changes that fail a comparison.
func FailOn(names []string) ([]Level, error) {
	accepted := []Level{Error, Unproven, Warning}
	if len(names) == 0 {
		return nil, fmt.Errorf("there is no level; accepted: %s", words(accepted))
	}
	var all []Level
	for _, name := range names {
		if !slices.Contains(accepted, Level(name)) {
			return nil, fmt.Errorf("unknown level %q; accepted: %s", name, words(accepted))
		}
		all = append(all, Level(name))
	}
	return all, nil
}

func words(levels []Level) string {
	var all []string
	for _, level := range levels {
		all = append(all, string(level))
	}
	return strings.Join(all, ", ")
}

// of returns the level of a change: that of the first row that matches it. Objects can show changes
// of a schema, but not of a definition.
func (l *Levels) of(change diff.Change, version string, ofSchema bool) (level Level, isSet bool) {
	if l == nil {
		return "", false
	}
	shown := !ofSchema || len(change.Examples) > 0
	for _, row := range l.rows {
		if row.matches(change, version, shown) {
			return row.Level, true
		}
	}
	return "", false
}

// level returns the level of a change that no row matches.
func (o Options) level(change diff.Change, ofSchema bool) Level {
	switch {
	case slices.Contains(mildKinds(), change.Kind), change.AddsDefault && change.Effect == diff.Stored,
		change.Effect == diff.Wider && !o.Both:
		return Warning
	case ofSchema && len(change.Examples) == 0:
		return Unproven
	}
	return Error
}

func (r levelRow) matches(change diff.Change, version string, shown bool) bool {
	return (r.Shown == nil || *r.Shown == shown) && (r.Kind == "" || r.Kind == change.Kind) &&
		(r.Effect == "" || r.Effect == string(change.Effect)) &&
		(r.Path == "" || diff.Covers(r.Path, change.Path)) && (r.Version == "" || r.Version == version)
}
