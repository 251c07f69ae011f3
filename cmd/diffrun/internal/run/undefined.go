package run

import (
	"fmt"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/record"
)

// recordUndefined counts the fields of native errors that the definition does not have.
func (s *session) recordUndefined(result harness.Result) {
	for _, undefined := range result.Undefined {
		s.undefined[result.Suite] = record.AddUndefined(s.undefined[result.Suite], record.UndefinedTally{
			Field: undefined.Field, Nearest: undefined.Nearest, Inputs: 1,
			First: plaintext.Cut(result.Case.ID, plaintext.MaxLine), Number: result.Case.Number,
		})
	}
}

// undefinedFields returns a problem for each field that native errors name and the definition does not have.
func undefinedFields(tally record.Tally) []string {
	var problems []string
	for _, suite := range tally.Suites {
		for _, one := range suite.Undefined {
			problem := fmt.Sprintf("%s: the %s validator reports %s on %s, first %s, and the definition has no such field",
				suite.Where, suite.Backends[0], one.Field, plaintext.Count(one.Inputs, "input"), one.First)
			if one.Nearest != "" {
				problem += fmt.Sprintf("; did you mean %s?", one.Nearest)
			} else {
				problem += ";"
			}
			problems = append(problems, plaintext.Line(problem+" who reads the error looks for a path that does not exist"))
		}
	}
	return problems
}
