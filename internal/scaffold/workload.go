package scaffold

import (
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// startedContainer is a container of a Deployment or StatefulSet: how a cluster starts a command.
type startedContainer struct {
	manifest  manifest
	served    served
	name      string // of the object
	namespace string
	container corev1.Container
}

// readWorkload keeps the containers of a Deployment or StatefulSet.
func (r *manifestReader) readWorkload(m manifest, object map[string]any) {
	containers, _, _ := unstructured.NestedSlice(object, "spec", "template", "spec", "containers")
	metadata, _ := object["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	for _, item := range containers {
		fields, _ := item.(map[string]any)
		wanted := map[string]any{}
		for _, key := range []string{"name", "image", "command", "args", "env"} { // a template may write others, which are no text
			wanted[key] = fields[key]
		}
		var container corev1.Container
		data, _ := json.Marshal(wanted) // it was decoded
		if json.Unmarshal(data, &container) == nil && !isTest(path.Dir(m.name)) {
			r.workloads = append(r.workloads, startedContainer{m, r.served[m.name], nameOf(object), namespace, container})
		}
	}
}

// start sets the arguments and the environment of the command to those with which a cluster starts it.
func (r *manifestReader) start(p *Production) {
	if p == nil || len(r.workloads) == 0 {
		return
	}
	base := path.Base(p.Command)
	score := func(w startedContainer) int {
		score, names := 4*int(w.served.service), 0
		image, _, _ := strings.Cut(path.Base(w.container.Image), ":")
		for _, name := range append([]string{w.name, w.container.Name, image}, w.container.Command...) {
			if name = path.Base(name); name == base || name == "manager" || strings.HasSuffix(name, "-"+base) {
				names++
			}
		}
		if names > 0 {
			score += 8 + names // a workload of another command is no better because it is deployed
		}
		return score
	}
	// Of several commands, each has its workload in the nearest folder.
	shared := func(w startedContainer) int {
		parts, command := strings.Split(w.manifest.name, "/"), strings.Split(p.Command, "/")
		n := 0
		for n < min(len(parts), len(command)) && parts[n] == command[n] {
			n++
		}
		return n
	}
	best := slices.MaxFunc(r.workloads, func(a, b startedContainer) int {
		return cmp.Or(score(a)-score(b), shared(a)-shared(b))
	})
	if score(best) > 0 {
		p.Arguments, p.Environment = best.arguments(), best.environment()
	}
}

// arguments returns the arguments of a container, without those that name a file, which only the container has.
func (w startedContainer) arguments() (arguments []string) {
	written := w.container.Args
	if len(w.container.Command) > 1 {
		written = slices.Concat(w.container.Command[1:], written)
	}
	environment := w.environment()
	for _, argument := range written {
		argument = withDefaults(argument)
		_, value, isFlag := strings.Cut(argument, "=")
		argument = withVariables(argument, environment)
		isUnknown := strings.Contains(argument, placeholder) || strings.Contains(argument, "$(") || strings.Contains(argument, "${")
		switch last := len(arguments) - 1; {
		case !isUnknown && !strings.HasPrefix(argument, "/") && !(isFlag && strings.HasPrefix(value, "/")):
			arguments = append(arguments, argument)
		case last >= 0 && !strings.HasPrefix(argument, "-") && isBareFlag(arguments[last]):
			arguments = arguments[:last] // it is the value of that flag
		}
	}
	return arguments
}

// substituted matches a variable of envsubst with its default.
var substituted = regexp.MustCompile(`\$\{[A-Za-z0-9_]+:?[-=]([^}]*)\}`)

// withDefaults returns a text with the defaults of the variables of envsubst in it, in place of them.
func withDefaults(text string) string { return substituted.ReplaceAllString(text, "$1") }

// variable matches a variable of a container.
var variable = regexp.MustCompile(`\$\([^()]+\)`)

// withVariables returns a text with the values of variables, as a container gets it. Unknown variables stay.
func withVariables(text string, values map[string]string) string {
	return variable.ReplaceAllStringFunc(text, func(name string) string {
		if value, is := values[name[2:len(name)-1]]; is {
			return value
		}
		return name
	})
}

// isBareFlag reports whether an argument is a flag without a value.
func isBareFlag(argument string) bool {
	return strings.HasPrefix(argument, "-") && !strings.Contains(argument, "=")
}

// environment returns the variables of a container whose values are written, and its namespace.
func (w startedContainer) environment() map[string]string {
	namespace := w.namespace
	if namespace == "" || strings.Contains(namespace, placeholder) {
		namespace = "default"
	}
	found := map[string]string{}
	for _, variable := range w.container.Env {
		switch from := variable.ValueFrom; {
		case from == nil && !strings.Contains(variable.Value, placeholder) && !strings.HasPrefix(variable.Value, "/"):
			found[variable.Name] = withVariables(variable.Value, found) // it may use those before it
		case from != nil && from.FieldRef != nil && from.FieldRef.FieldPath == "metadata.namespace":
			found[variable.Name] = namespace
		case from != nil && from.FieldRef != nil && from.FieldRef.FieldPath == "metadata.name":
			found[variable.Name] = w.name
		}
	}
	return found
}
