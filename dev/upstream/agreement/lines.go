package agreement

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"reflect"
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/dev/upstream/capture"
	"github.com/diffrun/diffrun/internal/text/errorjson"
)

// question is a line for `diffrun validate --jsonl`.
type question struct {
	ID     string          `json:"id"`
	Schema json.RawMessage `json:"schema"`
	Object json.RawMessage `json:"object"`
	Old    json.RawMessage `json:"oldObject,omitempty"`
	Root   bool            `json:"root"`
}

// answer is its answer to a line.
type answer struct {
	ID     string               `json:"id"`
	Errors []errorjson.Recorded `json:"errors"`
	Object json.RawMessage      `json:"object"`
	Fault  string               `json:"fault"`
}

// lineWay describes how the calls of some functions are asked in lines.
type lineWay struct {
	functions []string
	flags     []string
	// values means that the objects are compared, not the errors.
	values bool
}

func lineWays() []lineWay {
	return []lineWay{
		{
			functions: []string{
				"ValidateCustomResource",
				"ValidateCustomResourceUpdate",
				"RatchetingSchemaValidator.ValidateUpdate",
				"ValidateListSetsAndMaps",
				"objectmeta.Validate",
				"cel.Validate",
			},
		},
		{functions: []string{"Prune"}, flags: []string{"--prune", "--null-defaulting=keep"}, values: true},
		{functions: []string{"Default"}, flags: []string{"--default"}, values: true},
	}
}

// CompareLines compares the answers of a diffrun command with the captured calls. The function
// under test usually does one stage of a validation, while an answer covers all of them. If they
// differ, the answer is compared with all stages of this project's Go API, and only a difference
// from that counts. It returns an error if the command did not answer.
func CompareLines(ctx context.Context, diffrun string, calls []*capture.Call) (*Report, error) {
	report := &Report{Apart: map[string]int{}}
	for _, way := range lineWays() {
		var asked []*capture.Call
		for _, c := range calls {
			switch {
			case !slices.Contains(way.functions, c.Function):
			case hasOwnLimits(c):
				report.Apart[fmt.Sprintf("%s (%s): a line says nothing about limits and cancelling", c.Function, Lines)]++
			default:
				asked = append(asked, c)
			}
		}
		if len(asked) == 0 {
			continue
		}
		answers, err := ask(ctx, diffrun, way.flags, asked)
		if err != nil {
			return nil, err
		}
		for i, c := range asked {
			finding, err := compareLine(ctx, c, answers[i], way)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", c.Function, c.Test, err)
			}
			report.Findings = append(report.Findings, finding)
		}
	}
	return report, nil
}

// hasOwnLimits reports whether a call has limits that the API server never uses.
func hasOwnLimits(c *capture.Call) bool {
	const serverLimit, serverBudget = 1_000_000, 10_000_000
	limit, limited := c.Number("limit")
	budget, budgeted := c.Number("budget")
	return limited && limit != serverLimit || budgeted && budget < serverBudget || c.Flag("cancelled")
}

// ask returns the answers to calls, in their order.
func ask(ctx context.Context, diffrun string, flags []string, calls []*capture.Call) ([]answer, error) {
	var lines bytes.Buffer
	for i, c := range calls {
		q := question{ID: fmt.Sprint(i), Schema: c.Schema, Object: c.Object, Old: c.Old, Root: c.Flag("root")}
		if len(q.Schema) == 0 || string(q.Schema) == "null" {
			q.Schema = json.RawMessage("{}")
		}
		if len(q.Object) == 0 {
			q.Object = json.RawMessage("null")
		}
		if err := json.NewEncoder(&lines).Encode(q); err != nil {
			return nil, err
		}
	}
	run := exec.CommandContext(ctx, diffrun, append([]string{"validate", "--jsonl"}, flags...)...)
	run.Stdin = &lines
	var problems bytes.Buffer
	run.Stderr = &problems
	out, err := run.Output()
	// 3 means that some lines have no verdict; their answers report it.
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 3) {
		return nil, fmt.Errorf("%s: %w\n%s", diffrun, err, problems.Bytes())
	}
	var answers []answer
	decoder := json.NewDecoder(bufio.NewReader(bytes.NewReader(out)))
	for {
		var a answer
		if err := decoder.Decode(&a); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
	if len(answers) != len(calls) {
		return nil, fmt.Errorf("%s returned %d answers to %d lines", diffrun, len(answers), len(calls))
	}
	return answers, nil
}

func compareLine(ctx context.Context, c *capture.Call, a answer, way lineWay) (Finding, error) {
	want, got, err := lineOutcomes(c, a, way.values)
	if err != nil {
		return Finding{}, err
	}
	finding := Finding{
		Call: c, Way: Lines, Speaks: want.speaks(), Want: want.String(), Got: got.String(), Exact: want.exactly(got),
	}
	if got.refused && uncompiled(want) {
		finding.Verdict = Refused
		return finding, nil
	}
	if want.equal(got) {
		return finding, nil
	}
	finding.Verdict = Different
	if r := reasonFor(c, want, got); r != nil {
		finding.Verdict, finding.Why = Explained, r.String()
		return finding, nil
	}
	own, err := allStages(ctx, c, way.values)
	if err == nil && own.equal(got) {
		finding.Verdict, finding.Why = Explained, otherStages
	}
	return finding, err
}

// allStages returns the result of this project's Go API for the call of a line.
func allStages(ctx context.Context, c *capture.Call, values bool) (outcome, error) {
	schema, err := readSchema(c)
	if err != nil {
		return outcome{}, err
	}
	if !values {
		return judge(validate(ctx, c, schema, wholeOptions(c)))
	}
	found, err := pruned(c, pruning.Options{Nulls: pruning.KeepNulls})
	return outcome{value: written(found.got.value)}, err
}

// otherStages is the reason why an answer may report more or less than the function under test.
const otherStages = "an answer is about all stages, ratcheting included, and here equal to that of the Go API"

// written returns a value as read back from JSON, where floats lose their point.
func written(v any) any {
	read, err := readValue(json.RawMessage(jsonText(v)))
	if err != nil {
		panic(err) // it was read from JSON
	}
	return read
}

func lineOutcomes(c *capture.Call, a answer, values bool) (want, got outcome, err error) {
	if a.Fault != "" {
		got = outcome{refused: true, note: a.Fault}
	}
	if values {
		var before any
		if before, err = readValue(c.Object); err != nil {
			return want, got, err
		}
		if want.value, err = readValue(c.After); err != nil {
			return want, got, err
		}
		want.value = written(want.value)
		want.changed = !reflect.DeepEqual(written(before), want.value)
		got.value, err = readValue(a.Object)
		return want, got, err
	}
	for _, e := range a.Errors {
		got.errs = append(got.errs, failure{string(e.Type), relative(e.Field, ""), e.Detail, badValue(e.BadValue)})
	}
	return outcome{errs: captured(c)}, got, nil
}
