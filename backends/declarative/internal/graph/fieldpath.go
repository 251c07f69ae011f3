package graph

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// fieldPath reads the fieldPath of a rule: a JSONPath of fields and keys of maps,
// relative to the value (".rollingUpdate", "['a.b'].c"). The first dot may be
// left out, as in KEP-4153's markers, but not in custom resources. Every step must be
// declared by the schema.
func fieldPath(text string, n *Node, customResource bool) (*field.Path, error) {
	rest := text
	if !strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, "[") {
		if customResource {
			return nil, fmt.Errorf("must begin with .field or ['key'], not with %q", rest)
		}
		rest = "." + rest
	}
	var path *field.Path
	for rest != "" {
		name, after, err := pathStep(rest)
		if err != nil {
			return nil, err
		}
		rest = after
		switch {
		case n.Property(name) != nil:
			path, n = path.Child(name), n.Property(name)
		case n.others() != nil:
			path, n = path.Key(name), n.others()
		default:
			return nil, fmt.Errorf("does not refer to a valid field: there is no %q", name)
		}
	}
	return path, nil
}

// pathStep cuts the first step off a path.
func pathStep(path string) (name, rest string, err error) {
	if path[0] == '.' {
		path = path[1:]
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			end = len(path)
		}
		if end == 0 {
			return "", "", errors.New("a field must follow each dot")
		}
		if strings.ContainsRune(path[:end], ']') {
			return "", "", fmt.Errorf("unexpected ] in %q", path[:end])
		}
		return path[:end], path[end:], nil
	}
	if !strings.HasPrefix(path, "['") {
		return "", "", fmt.Errorf("expected .field or ['key'] but found %q", path)
	}
	var key strings.Builder
	for i := 2; i < len(path); i++ {
		switch path[i] {
		case '\\':
			if i++; i == len(path) {
				return "", "", errors.New("unexpected end in a key")
			}
			c, ok := unescape(path[i])
			if !ok {
				return "", "", fmt.Errorf("unknown escape \\%c in a key", path[i])
			}
			key.WriteByte(c)
		case '\'':
			if !strings.HasPrefix(path[i+1:], "]") {
				return "", "", errors.New("a key must end with ']")
			}
			return key.String(), path[i+2:], nil
		default:
			key.WriteByte(path[i])
		}
	}
	return "", "", errors.New("a key must end with ']")
}

func unescape(c byte) (byte, bool) {
	const codes, chars = `abfnrtv'\`, "\a\b\f\n\r\t\v'\\"
	i := strings.IndexByte(codes, c)
	if i < 0 {
		return 0, false
	}
	return chars[i], true
}
