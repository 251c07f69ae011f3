package gotypes

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// packageErrors returns the errors of the go command or the parser about a package, with their lines.
func packageErrors(doing string, p *loader.Package) error {
	var mistakes strictyaml.Mistakes
	for _, each := range p.Errors {
		at := strictyaml.Position{File: p.PkgPath}
		if each.Pos != "" && each.Pos != "-" {
			at = ErrorPosition(each.Pos)
		}
		message := fmt.Sprintf("%s Go package %s: %s", doing, p.PkgPath, each.Msg)
		if each.Kind == packages.ParseError {
			message = "not Go: " + each.Msg
		}
		mistakes.Addf(at, "%s", message)
	}
	return mistakes.Err()
}

// ErrorPosition parses the position in an error of the go command, "file:line:column".
func ErrorPosition(text string) strictyaml.Position {
	parts := strings.Split(text, ":")
	const ofPlace = 3
	if len(parts) < ofPlace {
		return strictyaml.Position{File: text}
	}
	tail := len(parts) - ofPlace + 1
	line, _ := strconv.Atoi(parts[tail])
	column, _ := strconv.Atoi(parts[tail+1])
	return strictyaml.Position{File: belowWorking(strings.Join(parts[:tail], ":")), Line: line, Column: column}
}
