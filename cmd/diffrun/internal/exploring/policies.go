package exploring

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/text/oneline"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// PolicyComparison has the requests that one release of policies admits and another one denies.
type PolicyComparison struct {
	Tool    string `json:"tool"`
	Version string `json:"version"`
	// Before and After are the files of the two releases.
	Before string `json:"before"`
	After  string `json:"after"`
	// Inputs counts the requests that both releases were asked about.
	Inputs      int                `json:"inputs"`
	Seed        uint64             `json:"seed"`
	Differences []PolicyDifference `json:"differences"`
}

// PolicyDifference is a small request that one release admits and the other one denies.
type PolicyDifference struct {
	// Target is the version and kind, with the subresource.
	Target string `json:"target"`
	// Effect is admits if the later release admits the request, or refuses.
	Effect words.Effect `json:"effect"`
	// Denials are those of the release that denies: policy, part and text.
	Denials []string       `json:"denials"`
	Object  map[string]any `json:"object"`
	Old     map[string]any `json:"old,omitempty"`
}

// ComparePolicies explores a suite of two releases of policies until a number of inputs of each target were asked
// about, or nothing new is seen. The same suite and seed give the same result.
func ComparePolicies(ctx context.Context, env *run.Environment, suite string, files *terminal.Files, inputs int,
	seed uint64) (made PolicyComparison, failed error) {
	plan, err := env.LoadSuites(ctx, []string{suite}, cases.Options{}, files)
	if err != nil {
		return made, err
	}
	defer func() { failed = errors.Join(failed, plan.Close()) }()
	made = PolicyComparison{Seed: seed, Differences: []PolicyDifference{}}
	known := map[string]bool{}
	options := Options{
		Seed: seed, Warn: env.Warn,
		Jobs: func(suite *cases.Suite) cases.JobOptions {
			return cases.JobOptions{Harness: harness.Options{Rules: suite.Rules, Compare: words.CompareVerdict}}
		},
		Observe: func(*Target, []harness.Result) error { return nil },
		Found: func(t *Target, found explore.Found, results []harness.Result) error {
			one, steady := newFoundCase(t, found, results)
			if !steady || known[found.Signature] || one.effect != words.Admits && one.effect != words.Refuses {
				return nil
			}
			known[found.Signature] = true
			made.Differences = append(made.Differences, PolicyDifference{
				Target: t.String(), Effect: one.effect, Denials: denialsOf(results), Object: found.Input.Object, Old: found.Input.Old,
			})
			return nil
		},
	}
	targets, err := Targets(plan, options)
	if err != nil {
		return made, err
	}
	for _, target := range targets {
		for target.explorer == nil || !target.explorer.Done(maxWithoutNews) && target.explorer.Stats().Inputs < inputs {
			if err := target.Step(ctx, options); err != nil {
				return made, err
			}
		}
		made.Inputs += target.explorer.Stats().Inputs
	}
	slices.SortStableFunc(made.Differences, func(a, b PolicyDifference) int { return cmp.Compare(a.Effect, b.Effect) })
	return made, nil
}

// denialsOf returns the denials of the side that denies, each once.
func denialsOf(results []harness.Result) []string {
	var all []string
	for i := range results {
		for _, outcome := range results[i].Outcomes() {
			for _, err := range outcome.Errors {
				if text := denialText(err); !slices.Contains(all, text) {
					all = append(all, text)
				}
			}
		}
	}
	return all
}

// denialText returns the policy, the part and the text of a denial.
func denialText(err *field.Error) string {
	parts := strings.SplitN(err.Origin, "/", 4) // kind, policy, binding, part
	if len(parts) < 2 {
		return oneline.Text(err.Error())
	}
	text := fmt.Sprintf("%s %q", parts[0], parts[1])
	if len(parts) == 4 {
		text += " " + parts[3]
	}
	return text + ": " + oneline.Text(err.Detail)
}

// JSON writes the comparison.
func (c PolicyComparison) JSON(w io.Writer, version string) error {
	c.Tool, c.Version = "diffrun schema compare", version
	text, err := plaintext.JSON(c)
	if err != nil {
		return err
	}
	return plaintext.Fprintf(w, "%s\n", plaintext.Text(text))
}

// Text writes the comparison for people.
func (c PolicyComparison) Text(w io.Writer) error {
	out := plaintext.NewPrinter(w)
	for _, of := range []struct {
		effect          words.Effect
		admits, refuses string
	}{{words.Admits, c.After, c.Before}, {words.Refuses, c.Before, c.After}} {
		shown := slices.DeleteFunc(slices.Clone(c.Differences), func(d PolicyDifference) bool { return d.Effect != of.effect })
		if len(shown) == 0 {
			continue
		}
		out.Printf("%s admits, and %s denies:\n", of.admits, of.refuses)
		for _, d := range shown {
			out.Printf("  %s\n", d.Target)
			for _, denial := range d.Denials {
				out.Printf("    denied by %s\n", denial)
			}
			writeObject(out, "object", d.Object)
			if d.Old != nil {
				writeObject(out, "old object", d.Old)
			}
		}
		out.Printf("\n")
	}
	out.Printf("%s with seed %d: %s\n", plaintext.Count(c.Inputs, "request"), c.Seed, c.verdict())
	return out.Flush()
}

func (c PolicyComparison) verdict() string {
	if len(c.Differences) == 0 {
		return "both decide alike"
	}
	return plaintext.Count(len(c.Differences), "difference")
}

// writeObject writes an object as YAML.
func writeObject(out *plaintext.Printer, title string, object map[string]any) {
	text, err := yaml.Marshal(object)
	if err != nil {
		return
	}
	out.Printf("    %s:\n", title)
	for line := range strings.Lines(string(text)) {
		out.Printf("      %s\n", strings.TrimSuffix(line, "\n"))
	}
}
