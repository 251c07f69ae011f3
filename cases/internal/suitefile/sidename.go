package suitefile

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/harness/contract"
)

// SideName is the name of a side for people, the key "as".
type SideName struct {
	Text string
	Line int
}

// UnmarshalYAML rejects names that do not fit into a sentence.
func (s *SideName) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.ScalarNode || node.ShortTag() != "!!str" {
		return errors.New("must be a text in quotes, as in \"1.36\"")
	}
	if node.Value == "" {
		return errors.New("must be a name for the side, or be left out")
	}
	*s = SideName{node.Value, node.Line}
	return contract.CheckSideName(s.Text)
}

// JSONSchema implements strictyaml.Described.
func (SideName) JSONSchema() map[string]any {
	return map[string]any{"type": "string", "minLength": 1, "maxLength": contract.MaxSideName}
}

// SideNames returns the names of both sides: those that the suite gives them, or else names that say what each is and that
// differ. The mistake is empty if the names can be told apart.
func (f *File) SideNames() (names contract.SideNames, mistake string, line int) {
	if f.Native == nil || f.Declarative == nil {
		return names, "", 0
	}
	names = contract.SideNames{Native: f.Native.As.Text, Declarative: f.Declarative.As.Text}
	switch {
	case names.Native == contract.DeclarativeName:
		return contract.SideNames{}, otherKey(names.Native), f.Native.As.Line
	case names.Declarative == contract.NativeName:
		return contract.SideNames{}, otherKey(names.Declarative), f.Declarative.As.Line
	}
	natives, declaratives := f.nativeNames(), f.declarativeNames()
	if names.Native != "" {
		natives = []string{names.Native}
	}
	if names.Declarative != "" {
		declaratives = []string{names.Declarative}
	}
	names = contract.SideNames{Native: choose(natives, declaratives), Declarative: choose(declaratives, natives)}
	if names.Label(contract.NativeName) != names.Label(contract.DeclarativeName) {
		return names, "", 0
	}
	same := names.Label(contract.NativeName)
	line = max(f.Native.As.Line, f.Declarative.As.Line)
	switch {
	case f.Native.As.Text != "" && f.Declarative.As.Text != "":
		return names, fmt.Sprintf("as: both sides are called %q; reports tell them apart by their names, so give them two", same), line
	case f.Native.As.Text == "" && f.Declarative.As.Text == "":
		names.Native, names.Declarative = contract.NativeName+" "+same, contract.DeclarativeName+" "+same
	case f.Native.As.Text == "":
		names.Native = contract.NativeName + " " + same
	default:
		names.Declarative = contract.DeclarativeName + " " + same
	}
	return names, "", 0
}

func otherKey(name string) string {
	return fmt.Sprintf("as: %q is the key of the other side; give this one another name", name)
}

// choose returns the best name of a side. If that of the other side is the same, it is the first name that the other side
// cannot have as well, or else the first one; empty: there is none.
func choose(names, other []string) string {
	if cmp.Or(names...) != cmp.Or(other...) {
		return cmp.Or(names...)
	}
	for _, name := range names {
		if !slices.Contains(other, name) {
			return name
		}
	}
	return cmp.Or(names...)
}

// What a side is, in one word.
const (
	definitionName = "definition"
	webhookName    = "webhook"
	schemaName     = "schema"
	validatorName  = "validator"
)

// nativeNames returns the names that the native side may have, the best one first. Code that is built in has none: it is the
// native validator.
func (f *File) nativeNames() []string {
	side := f.Native
	names := side.Admission.names()
	switch {
	case side.Exec != nil:
		names = append(names, validatorName)
	case side.Webhook != nil:
		names = append(names, webhookName)
	case side.Cluster != nil:
		names = append(names, "cluster")
	case side.Kubernetes != "":
		names = append(names, releaseNames(side.Kubernetes, side.Emulates, side.Gates)...)
	case side.Recorded.Given():
		names = append(names, "recorded "+validatorName)
	case side.CRD.Given():
		names = append(names, definitionNames(side.CRD, side.Version)...)
	case side.Builtin != "" && f.Declarative.Admission.Given():
		names = append(names, "Kubernetes") // the only builtin that has guards
	}
	return short(names)
}

// declarativeNames returns the names that the declarative side may have, the best one first.
func (f *File) declarativeNames() []string {
	side := f.Declarative
	names := side.Admission.names()
	switch {
	case side.Kubernetes != "":
		names = append(names, releaseNames(side.Kubernetes, side.Emulates, side.Gates)...)
	case side.CRD.Given():
		names = append(names, definitionNames(side.CRD, side.Version)...)
	case side.OpenAPI != nil:
		names = append(names, append([]string{schemaName}, fileNames(side.OpenAPI.File)...)...)
	case side.Go != nil:
		names = append(names, schemaName, side.Go.Type)
	case side.Builtin != "" && f.Native.Admission.Given():
		names = append(names, "Kubernetes")
	case side.Builtin != "" && f.Native.Builtin == "":
		names = append(names, schemaName)
	}
	return short(names)
}

// names returns the names of a side for what guards it.
func (a Admission) names() []string {
	var names []string
	for _, engine := range a.Engines() {
		name := strings.ToUpper(engine.Key[:1]) + engine.Key[1:] + " " + engine.Version
		if a.Generated { // the API server evaluates what the engine makes of the policies
			name += " (generated)"
		}
		names = append(names, name)
	}
	if len(a.Then) > 0 {
		names = append(names, webhookName)
	}
	names = append(names, policyNames(a.Policies)...)
	if a.Mutate != nil {
		if a.Mutate.HasHook() {
			names = append(names, webhookName)
		}
		names = append(names, policyNames(a.Mutate.Policies)...)
	}
	return names
}

func policyNames(files []Reference) []string {
	switch len(files) {
	case 0:
		return nil
	case 1:
		return fileNames(files[0])
	}
	return []string{"policy set"}
}

func definitionNames(crd Reference, version string) []string {
	names := append([]string{definitionName}, fileNames(crd)...)
	if version != "" {
		names = append(names, path.Base(crd.Path)+" "+version)
	}
	return names
}

// fileNames returns the names of a file: its last part, and its path.
func fileNames(ref Reference) []string { return []string{path.Base(ref.Path), ref.Path} }

func releaseNames(release, emulates string, gates map[string]bool) []string {
	name := "Kubernetes " + release
	names := []string{name}
	if emulates != "" {
		names = append(names, name+" as "+emulates)
	}
	if len(gates) > 0 {
		names = append(names, name+" with gates")
	}
	return names
}

// short leaves out names that are too long, or that a file cannot lend to a side.
func short(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		return contract.CheckSideName(name) != nil || utf8.RuneCountInString(name) > contract.MaxSideName-len(contract.DeclarativeName+" ")
	})
}
