package marker

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
)

// SyntaxErrors returns the messages of CEL's parser, with positions in the expression.
func SyntaxErrors(issues *cel.Issues) string {
	var found []string
	for _, each := range issues.Errors() {
		found = append(found, fmt.Sprintf("%s (line %d, column %d of the expression)", each.Message, each.Location.Line(),
			each.Location.Column()+1))
	}
	return strings.Join(found, "; ")
}
