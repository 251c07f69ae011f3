package scaffold

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Write writes files below the root, and returns the names of those that it wrote and of those that were
// there before, which it keeps. Names are relative to the root.
func (p *Project) Write(files map[string][]byte) (written, kept []string, err error) {
	for _, name := range sortedKeys(files) {
		if !filepath.IsLocal(filepath.FromSlash(name)) { // the name of a resource with slashes
			return written, kept, fmt.Errorf("%q is outside of the repository; correct the name in its CustomResourceDefinition", name)
		}
		target := filepath.Join(p.Root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return written, kept, err
		}
		made, err := outfile.WriteNew(target, files[name])
		if err != nil {
			return written, kept, err
		}
		if made {
			written = append(written, name)
		} else {
			kept = append(kept, name)
		}
	}
	return written, kept, nil
}

// Files returns the suites with their cases, and definitions and policies that have no file of their
// own.
func (plan *Plan) Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, s := range plan.Suites {
		folder := path.Join(plan.Folder, s.Folder)
		crd := plan.relative(folder, s.Definition.Source)
		if !s.Definition.Alone {
			crd = "crd.yaml"
			text, err := plaintext.YAML(s.Definition.Document.Object)
			if err != nil {
				return nil, err
			}
			files[path.Join(folder, crd)] = append([]byte(madeFrom(s.Definition.Source)), text...)
		}
		policies := ""
		if len(s.Policies) > 0 {
			policies = "policies.yaml"
			text, err := documentsOf(s.Policies)
			if err != nil {
				return nil, err
			}
			files[path.Join(folder, policies)] = text
		}
		files[path.Join(folder, "suite.yaml")] = plan.suiteText(s, folder, crd, policies)
		text, err := s.casesText()
		if err != nil {
			return nil, err
		}
		files[path.Join(folder, "cases.yaml")] = text
	}
	return files, nil
}

// relative returns the path of a file as a suite in a folder names it.
func (plan *Plan) relative(folder, name string) string {
	at, err := filepath.Rel(filepath.FromSlash(folder), filepath.FromSlash(name))
	if err != nil {
		return name
	}
	return filepath.ToSlash(at)
}

func madeFrom(source string) string {
	return "# diffrun init wrote this, from " + plaintext.Line(source) + ".\n"
}

func documentsOf(policies []Policy) ([]byte, error) {
	var out bytes.Buffer
	for _, policy := range policies {
		text, err := plaintext.YAML(policy.Object)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "---\n%s%s", madeFrom(fmt.Sprintf("%s:%d", policy.Source, policy.Line)), text)
	}
	return out.Bytes(), nil
}

// suiteText returns a suite.
func (plan *Plan) suiteText(s *Suite, folder, crd, policies string) []byte {
	if plan.Access != nil {
		return []byte(plan.clusterSuiteText(s, crd))
	}
	var out strings.Builder
	fmt.Fprintf(&out, `%s# diffrun init wrote this suite. It compares everything that guards %s today with the definition
# alone, as if %s were gone: each difference is a rule that the definition lacks.
# To check a change, name another definition under declarative, or add policies there.
%sname: %s
native: # today
`, strictyaml.SchemaComment("suite"), s.Definition.CRD.Spec.Names.Plural, s.guards(), plan.passedOverText(s), s.Definition.CRD.Name)
	side := func(today bool) {
		fmt.Fprintf(&out, "  crd: %s\n", plaintext.FlowText(crd))
		if s.Definition.Rendered {
			fmt.Fprintf(&out, "  kind: %s\n", plaintext.FlowText(s.Definition.CRD.Spec.Names.Kind))
		}
		if s.Version != "" {
			fmt.Fprintf(&out, "  version: %s\n", plaintext.FlowText(s.Version))
		}
		if s.Mutate != nil {
			out.WriteString(plan.hookText("mutate", folder, s.Mutate))
		}
		if today && policies != "" {
			fmt.Fprintf(&out, "  policies: [%s]\n", policies)
		}
		if today && s.Then != nil {
			out.WriteString(plan.hookText("then", folder, s.Then))
		}
	}
	side(true)
	out.WriteString("declarative: # without them\n")
	side(false)
	out.WriteString("cases: [cases.yaml]\n")
	return []byte(out.String())
}

// passedOverText returns comments about definitions and policies that were passed over.
func (plan *Plan) passedOverText(s *Suite) string {
	var out strings.Builder
	for _, over := range plan.PassedOverFor(s) {
		fmt.Fprintf(&out, "# %s\n",
			plaintext.Line(fmt.Sprintf("%s of %s, not that of %s: %s.", over.Kind, over.Chosen, over.Source, over.Why)))
	}
	return out.String()
}

// clusterSuiteText returns a suite that asks a cluster.
func (plan *Plan) clusterSuiteText(s *Suite, crd string) string {
	version := ""
	if s.Version != "" {
		version = "  version: " + plaintext.FlowText(s.Version) + "\n"
	}
	return fmt.Sprintf(`%s# diffrun init --from-cluster wrote this suite. It sends each object to the cluster as a dry run, and compares the
# answer with the definition alone: each difference is a rule of a webhook or of a policy.
name: %s
%sdeclarative:
  crd: %s
%scases: [cases.yaml]
`, strictyaml.SchemaComment("suite"), s.Definition.CRD.Name, plan.Access.clusterSide(), crd, version)
}

// guards names the guards that a suite compares with nothing.
func (s *Suite) guards() string {
	var all []string
	switch {
	case s.Then != nil && s.Then.Kind != "":
		all = append(all, "the functions")
	case s.Then != nil:
		all = append(all, "the webhook")
	}
	if len(s.Policies) > 0 {
		all = append(all, "the policies")
	}
	return strings.Join(all, " and ")
}

// hookText returns a webhook of a side of a suite in a folder.
func (plan *Plan) hookText(key, folder string, w *Webhook) string {
	var out strings.Builder
	fmt.Fprintf(&out, "  %s:\n    %s\n", key, plan.programText(folder, w))
	if w.MatchPolicy != "" {
		fmt.Fprintf(&out, "    matchPolicy: %s\n", w.MatchPolicy)
	}
	for _, selector := range []struct {
		key, text string
		isLeftOut bool
	}{
		{"objectSelector", w.ObjectSelector, false}, {"namespaceSelector", w.NamespaceSelector, w.needsNamespace()},
	} {
		if selector.text != "" && !selector.isLeftOut {
			fmt.Fprintf(&out, "    %s: %s\n", selector.key, plaintext.FlowText(selector.text))
		}
	}
	if len(w.MatchConditions) > 0 {
		out.WriteString("    matchConditions:\n")
	}
	for _, condition := range w.MatchConditions {
		fmt.Fprintf(&out, "    - {name: %s, expression: %s}\n", plaintext.FlowText(condition.Name),
			plaintext.FlowText(condition.Expression))
	}
	if len(w.Rules) > 0 {
		out.WriteString("    rules:\n")
	}
	for _, rule := range w.Rules {
		fmt.Fprintf(&out, "    - {operations: %s, apiGroups: %s, apiVersions: %s, resources: %s", list(rule.Operations),
			list(rule.APIGroups), list(rule.APIVersions), list(rule.Resources))
		if rule.Scope != nil {
			fmt.Fprintf(&out, ", scope: %s", plaintext.FlowText(string(*rule.Scope)))
		}
		out.WriteString("}\n")
	}
	return out.String()
}

// programText returns what answers for a webhook: a program that was written, or the URL to fill in.
func (plan *Plan) programText(folder string, w *Webhook) string {
	if w.Elsewhere {
		return fmt.Sprintf("webhook: {url: \"\"} # nothing here serves it: run it, and write its URL here, such as %s",
			plaintext.Line(w.exampleURL()))
	}
	program, argument := ProgramFolder, plaintext.FlowText(w.Path)
	if w.Kind != "" {
		program, argument = FunctionsFolder, plaintext.FlowText(w.Kind)
		if w.Mutating {
			argument = "-defaults, " + argument
		}
	}
	program = plan.relative(folder, path.Join(plan.Folder, program))
	if !strings.HasPrefix(program, ".") {
		program = "./" + program
	}
	return fmt.Sprintf("exec: {command: [go, run, %s, %s]}", plaintext.FlowText(program), argument)
}

func list[Text ~string](of []Text) string {
	var all []string
	for _, text := range of {
		all = append(all, plaintext.FlowText(string(text)))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// casesText returns the file of cases of a suite.
func (s *Suite) casesText() ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(strictyaml.SchemaComment("cases") + `# diffrun init wrote these cases: the samples, and each of their ` +
		`fields changed once. Keep those that
# matter, and add the expected errors of the validator: want: [{type: FieldValueInvalid, field: spec.size}]
objects:
`)
	for _, object := range s.Objects {
		text, err := plaintext.YAML(object.Sample.Object)
		if err != nil {
			return nil, err
		}
		indented := "    " + strings.ReplaceAll(strings.TrimRight(string(text), "\n"), "\n", "\n    ")
		source := "made from the schema"
		if object.Sample.Source != "" {
			source = fmt.Sprintf("%s:%d", object.Sample.Source, object.Sample.Line)
		}
		body := strings.ReplaceAll(indented, "\n    \n", "\n\n")
		fmt.Fprintf(&out, "  # %s\n  %s:\n%s\n", plaintext.Line(source), plaintext.FlowText(object.Name), body)
	}
	out.WriteString("cases:\n")
	for _, c := range s.Cases {
		fmt.Fprintf(&out, "- name: %s\n", plaintext.FlowText(c.Name))
		if c.Update {
			fmt.Fprintf(&out, "  old: {object: %s}\n", plaintext.FlowText(c.Object))
		}
		fmt.Fprintf(&out, "  object: %s\n", plaintext.FlowText(c.Object))
		if len(c.Patch) > 0 {
			patch, err := json.Marshal(c.Patch)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&out, "  jsonPatch: %s\n", patch)
		}
	}
	return out.Bytes(), nil
}
