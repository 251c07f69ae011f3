package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// examples are the examples in the help of commands that declare none themselves: a comment and a command line each.
func examples() map[string][]string {
	return map[string][]string{
		"explore": {"what the cases of a suite do not show", "diffrun explore examples/webhook",
			"for ten minutes, from another seed", "diffrun explore --duration 10m --seed 2 examples/webhook"},
		"infer": {"the rules that a webhook has and its definition lacks", "diffrun infer examples/webhook/infer.yaml",
			"in CI: the webhook has an error that no rule has", "diffrun infer --check --duration 2m examples/webhook/infer.yaml"},
		"run": {"the suite in this directory", "diffrun run .", "one case, and a report with pictures",
			"diffrun run --run 'two years' -o text -o html=report.html examples/webhook"},
		"report": {"a recorded run, for people", "diffrun report run.jsonl", "the comment of a pull request",
			"diffrun report run.jsonl -o markdown=comment.md"},
		"merge": {"the parts of a run", "diffrun merge part1.jsonl part2.jsonl -o html=report.html",
			"parts in a bucket", "diffrun merge 's3://results/*.jsonl'"},
		"mutate": {"what no case notices", "diffrun mutate examples/webhook", "a sample of a large suite",
			"diffrun mutate --sample 100 kubernetes/apps"},
		"capture": {"the calls of the tests below this folder", "diffrun capture -o corpus -- go test ./...",
			"of some functions only", "diffrun capture -o corpus --func 'example.com/api/validation.Validate*' -- go test ./validation"},
		"soak": {"generated objects, for ten minutes", "diffrun soak --generate --duration 10m examples/webhook",
			"the requests of an audit log", "diffrun soak --stdin suite.yaml < audit.log"},
		"shadow": {"beside the requests of a cluster", "diffrun shadow --tls-cert-file tls.crt --tls-private-key-file " +
			"tls.key suite.yaml", "without the contents of objects", "diffrun shadow --redact --tls-cert-file tls.crt " +
			"--tls-private-key-file tls.key suite.yaml"},
		"demo": {"from any directory", "diffrun demo", "for a page", "diffrun demo --color always"},
		"init": {"in a repository", "diffrun init", "in another one, without building its webhooks",
			"diffrun init --no-build ../operator"},
		"version": {"for a bug report", "diffrun version", "the same", "diffrun --version"},
		"rules list": {"the built-in rules", "diffrun rules list", "with how often a run needed each",
			"diffrun rules list --from run.jsonl"},
		"rules test": {"the built-in rules", "diffrun rules test", "and those of a file", "diffrun rules test rules.yaml"},
		"exceptions list": {"those of the default file", "diffrun exceptions list", "of a suite",
			"diffrun exceptions list suites/backups/exceptions.yaml"},
		"accept": {"one cause after the other, on a terminal", "diffrun accept run.json", "one case",
			"diffrun accept run.json --why 'the schema is right' --owner api --issue https://example.com/1 --expires 2027-01-31 " +
				"'cases.yaml#keep for two years'"},
		"exceptions add": {"for one case", "diffrun exceptions add --from run.json --why 'the schema is right' --owner api " +
			"--issue https://example.com/1 --expires 2027-01-31 'cases.yaml#keep for two years'", "for all that a run found",
			"diffrun exceptions add --from run.json --why 'before the migration' --owner api --issue https://example.com/1 " +
				"--expires 2027-01-31 --all"},
		"exceptions prune": {"what no longer differs", "diffrun exceptions prune --from run.json", "in another file",
			"diffrun exceptions prune --from run.json --file suites/backups/exceptions.yaml"},
		"exceptions tighten": {"bounds that are too high", "diffrun exceptions tighten --from run.json", "in another file",
			"diffrun exceptions tighten --from run.json --file suites/backups/exceptions.yaml"},
		"exceptions renew": {"one exception", "diffrun exceptions renew --expires 2027-06-30 keep-years",
			"all that expire within a month", "diffrun exceptions renew --expires 2027-06-30 --expiring 30"},
		"schema print": {"a version of a definition", "diffrun schema print crd.yaml@v1", "a built-in kind",
			"diffrun schema print 'apps/v1 Deployment'"},
		"schema check": {"a definition, before it is applied", "diffrun schema check crd.yaml", "all of a directory",
			"diffrun schema check config/crd"},
		"schema strip": {"the structure of a definition", "diffrun schema strip crd.yaml", "of a Go type",
			"diffrun schema strip go:./api/v1.Widget"},
	}
}

// addExamples adds the examples to the commands.
func addExamples(root *cobra.Command) {
	all := examples()
	var visit func(*cobra.Command)
	visit = func(command *cobra.Command) {
		if lines := all[strings.TrimPrefix(command.CommandPath(), "diffrun ")]; lines != nil {
			var shown []string
			for i := 0; i < len(lines); i += 2 {
				shown = append(shown, "  # "+lines[i]+"\n  "+lines[i+1])
			}
			command.Example = strings.Join(shown, "\n\n")
		}
		for _, sub := range command.Commands() {
			visit(sub)
		}
	}
	visit(root)
}
