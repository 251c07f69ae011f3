package scaffold

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// formatVerb matches a verb of fmt in a text of YAML.
var formatVerb = regexp.MustCompile(`%(\[[0-9]+\])?[svqd]`)

// literals returns the string literals of a file that have a policy or a webhook configuration.
func (g *goSource) literals(name string, data []byte) (all []manifest) {
	if !bytes.Contains(data, []byte("kind: Validating")) && !bytes.Contains(data, []byte("kind: Mutating")) {
		return nil
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, data, parser.SkipObjectResolution)
	if err != nil {
		return nil // read has reported it
	}
	ast.Inspect(file, func(node ast.Node) bool {
		literal, is := node.(*ast.BasicLit)
		if !is || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err == nil && strings.Contains(text, "apiVersion:") && strings.Contains(text, "kind: ") {
			line := files.Position(literal.Pos()).Line
			all = append(all, manifest{
				name:     name,
				line:     line,
				text:     []byte(formatVerb.ReplaceAllString(text, placeholder)),
				template: strings.Contains(text, "{{"),
			})
		}
		return true
	})
	return all
}

// webhookMarker begins the marker of kubebuilder.
const webhookMarker = "+kubebuilder:webhook:"

// readMarker reads a marker that controller-gen makes a webhook configuration of.
func (g *goSource) readMarker(name, comment string) {
	_, marker, is := strings.Cut(strings.TrimSpace(strings.TrimPrefix(comment, "//")), webhookMarker)
	if !is {
		return
	}
	values := map[string]string{}
	for pair := range strings.SplitSeq(marker, ",") {
		key, value, _ := strings.Cut(pair, "=")
		values[strings.TrimSpace(key)] = strings.Trim(strings.TrimSpace(value), `"`)
	}
	list := func(key string) []string { return strings.Split(values[key], ";") }
	var operations []admissionregistrationv1.OperationType
	for _, verb := range list("verbs") {
		operations = append(operations, admissionregistrationv1.OperationType(strings.ToUpper(verb)))
	}
	if values["path"] == "" || values["resources"] == "" {
		return
	}
	g.project.addWebhook(Webhook{
		isMarker: true, Source: name, Mutating: values["mutating"] == "true", Path: values["path"], MatchPolicy: values["matchPolicy"],
		Rules: []admissionregistrationv1.RuleWithOperations{{
			Operations: operations,
			Rule: admissionregistrationv1.Rule{APIGroups: list("groups"), APIVersions: list("versions"),
				Resources: list("resources")},
		}},
	})
}
