package generate

import (
	"strconv"
	"strings"
)

// PathTokens splits the path of an error into names, keys and indices:
// "spec.ports[0].name" is spec, ports, 0, name.
func PathTokens(path string) []string {
	var tokens []string
	for path != "" && path != "<nil>" {
		var token string
		switch {
		case path[0] == '[':
			token, path, _ = strings.Cut(path[1:], "]")
		case path[0] == '.':
			path = path[1:]
			continue
		default:
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			token, path = path[:end], path[end:]
		}
		if token != "" {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

func index(token string) (int, bool) {
	at, err := strconv.Atoi(token)
	return at, err == nil && at >= 0
}
