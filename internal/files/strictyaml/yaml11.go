package strictyaml

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// booleans are the words that are booleans in YAML 1.1 and strings in YAML 1.2. kubectl and the API server
// read YAML 1.1 (sigs.k8s.io/yaml), so in an object they are strings only with quotes.
var booleans = map[bool][]string{
	true:  {"y", "Y", "yes", "Yes", "YES", "on", "On", "ON"},
	false: {"n", "N", "no", "No", "NO", "off", "Off", "OFF"},
}

// boolean returns the value of a scalar that is a boolean only in YAML 1.1.
func boolean(node *yaml.Node) (value, is bool) {
	plain := node.Tag == "!!str" && node.Style == 0
	if node.Kind != yaml.ScalarNode || !plain && node.Tag != "!!bool" {
		return false, false
	}
	for value, words := range booleans {
		if slices.Contains(words, node.Value) {
			return value, true
		}
	}
	return false, false
}

// Key returns the name of a key in Kubernetes, which decodes keys as values and encodes them as JSON: on
// is "true", 010 is "8", 1.0 is "1". Other numbers stay as written.
func Key(node *yaml.Node) string {
	if value, is := boolean(node); is {
		return strconv.FormatBool(value)
	}
	switch node.Tag {
	case "!!bool":
		var value bool
		if node.Decode(&value) == nil {
			return strconv.FormatBool(value)
		}
	case "!!binary":
		var value string
		if node.Decode(&value) == nil {
			return value
		}
	case "!!int":
		var value int64
		if node.Decode(&value) == nil {
			return strconv.FormatInt(value, 10)
		}
	case "!!float":
		var value float64
		if node.Decode(&value) == nil {
			return strconv.FormatFloat(value, 'g', -1, 32) // 32 as sigs.k8s.io/yaml has it
		}
	}
	return node.Value
}
