package causetext

import (
	"fmt"

	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/internal/sidebyside"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Problem returns the annotation of a problem of a run.
func Problem(problem string) plaintext.Annotation {
	file, line, _ := ProblemPlace(problem)
	return plaintext.Annotation{
		Level: plaintext.ErrorLevel,
		File:  file,
		Line:  line,
		Title: "diffrun: problem of the run",
		Lines: []string{problem},
	}
}

// Annotation returns the annotation of a cause. It is at the line of the schema that declares the
// error, if it is known and the file belongs to the repository, and otherwise at the first case.
func Annotation(group *causes.Group, allowing gate.Gate) plaintext.Annotation {
	first := group.First
	made := plaintext.Annotation{Level: plaintext.ErrorLevel, Title: "diffrun: " + string(group.Kind)}
	made.File, made.Line = Source(first.Source)
	found := fmt.Sprintf("%d× in %s, first in %s", group.Found, plaintext.Count(group.Cases, "case"), first.Case)
	switch group.Kind {
	case causes.Fault:
		made.Title += " of " + first.Of
		made.Lines = []string{first.Text, found}
	case causes.Unmet:
		made.Lines = []string{first.Text, found}
	case causes.Difference:
		if file, line := Source(first.Declared); line > 0 {
			if first.Source != "" && first.Source != first.Case {
				found += " (" + first.Source + ")"
			}
			made.File, made.Line = file, line
		}
		if !group.Effect.ChangesVerdict() && len(allowing) == 0 {
			made.Level = plaintext.WarningLevel
		}
		made.Title = fmt.Sprintf("diffrun: %s at %s of %s", group.Cause.Class, sidebyside.Place(group.Cause.Field), group.Cause.Kind)
		if group.Effect != "" {
			made.Title += ", effect " + string(group.Effect)
		}
		firstName, secondName := first.Sides.Labels()
		means := string(group.Cause.Class) + ": " + ClassText(first.Sides, group.Cause.Class)
		if group.Effect.ChangesVerdict() {
			means += "; " + string(group.Effect) + ": " + EffectText(first.Sides, group.Effect)
		}
		made.Lines = []string{
			means,
			firstName + ": " + Side(first.Native, fieldOf(first)),
			secondName + ": " + Side(first.Declarative, fieldOf(first)),
			found,
		}
	}
	if group.Allowed && len(allowing) > 0 {
		made.Level = plaintext.WarningLevel
		made.Title += ", allowed by --fail-on " + plaintext.Line(allowing.String())
	}
	return made
}

// fieldOf returns the field of the errors of an example. If they differ, it is the native one.
func fieldOf(example causes.Example) string {
	if example.Native != nil {
		return example.Native.Field
	}
	return example.Declarative.Field
}
