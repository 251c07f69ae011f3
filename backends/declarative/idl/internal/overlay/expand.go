package overlay

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/internal/celexpr"
)

// binding resolves the names in a text: sets and expressions of the scope, and the parameters of the
// set or expression that has the text.
type binding struct {
	scope     *scope
	of        *signature
	arguments map[string]string
	outer     *binding // resolves names in the arguments
	expanded  bool     // the arguments are expanded already
}

// expandMarker replaces references in the text of a marker. A quoted argument is expanded as a whole
// and quoted again, so an expression may contain any quotes.
func (l *linker) expandMarker(text string, in *binding) (string, error) {
	var out, plain strings.Builder
	flush := func() error {
		expanded, err := l.expandText(plain.String(), in, false)
		out.WriteString(expanded)
		plain.Reset()
		return err
	}
	name, rest, has := strings.Cut(text, "=")
	plain.WriteString(name)
	if has {
		plain.WriteString("=")
	}
	for rest != "" {
		token, after, closed := marker.NextToken(rest)
		rest = after
		value, quoted := marker.Unquote(token)
		if !quoted || !closed || !strings.Contains(value, "$") {
			if !quoted {
				plain.WriteString(token)
				continue
			}
			if err := flush(); err != nil {
				return text, err
			}
			out.WriteString(token)
			continue
		}
		isCEL := isCELArgument(plain.String())
		if err := flush(); err != nil {
			return text, err
		}
		expanded, err := l.expandText(value, in, isCEL)
		if err != nil {
			return text, err
		}
		out.WriteString(marker.Quote(expanded))
	}
	err := flush()
	return out.String(), err
}

// isCELArgument reports whether the quoted argument after a text is CEL.
func isCELArgument(before string) bool {
	before = strings.TrimSpace(before)
	return strings.HasSuffix(before, "validationRule=") || strings.HasSuffix(before, "rule=") ||
		strings.HasSuffix(before, "messageExpression=")
}

// expandText replaces the references in a text. In CEL, a value is put in parentheses where it needs
// them; inside a string literal it is escaped.
func (l *linker) expandText(text string, in *binding, isCEL bool) (string, error) {
	var out strings.Builder
	at := 0
	for {
		found, ok := nextReference(text, at)
		if !ok {
			out.WriteString(text[at:])
			return out.String(), nil
		}
		out.WriteString(text[at:found.start])
		if found.called {
			if _, isParameter := in.arguments[found.name]; isParameter { // perhaps a function of that name
				found.end = found.nameEnd
			}
		}
		at = found.end
		if found.name == "" {
			out.WriteString("$")
			continue
		}
		literal := ""
		if isCEL {
			literal = openLiteral(text[:found.start])
		}
		value, err := l.value(found, in, isCEL && literal == "")
		if err != nil {
			return "", err
		}
		whole := strings.TrimSpace(text[:found.start]+text[found.end:]) == ""
		switch {
		case literal != "":
			value = escapedFor(literal, value)
		case isCEL && !whole && needsParentheses(value):
			value = "(" + value + ")"
		}
		out.WriteString(strings.ReplaceAll(value, "\n", "\n"+indentation(out.String())))
	}
}

// indentation returns the white space that the last line of a text begins with.
func indentation(text string) string {
	last := text[strings.LastIndex(text, "\n")+1:]
	return last[:len(last)-len(strings.TrimLeft(last, " \t"))]
}

// value returns the text of a reference: a parameter or an expression.
func (l *linker) value(found reference, in *binding, isCEL bool) (string, error) {
	if value, ok := in.arguments[found.name]; ok {
		l.note(in.of, found.name)
		if in.expanded {
			return value, nil
		}
		return l.expandText(value, in.outer, isCEL)
	}
	each, ok := in.scope.expressions[found.name]
	if !ok {
		names := in.names()
		if near := in.scope.expressions[marker.Nearest(found.name, names)]; near != nil {
			l.used[&near.signature] = true
		}
		return "", fmt.Errorf("$%s: there is no expression or parameter of this name; %s (a dollar sign before a name is written $$)",
			found.name, suggest(found.name, names))
	}
	l.used[&each.signature] = true
	if len(found.arguments) == 1 && found.arguments[0] == "" {
		found.arguments = nil
	}
	if len(found.arguments) != len(each.parameters) {
		return "", fmt.Errorf("$%s takes %s, got %d; it is declared in %s", found.name, counted(each.parameters), len(found.arguments),
			each.at)
	}
	inside := &binding{scope: l.scopes[&each.signature], of: &each.signature, arguments: map[string]string{}, expanded: true}
	for i, name := range each.parameters {
		argument, err := l.expandText(found.arguments[i], in, isCEL)
		if err != nil {
			return "", err
		}
		if name, captured := l.captures(each, argument); captured {
			return "", fmt.Errorf("$%s(%s): the expression has a variable %s of its own; rename one of them. It is declared in %s",
				found.name, found.arguments[i], name, each.at)
		}
		inside.arguments[name] = argument
	}
	if chain, cycle := l.enter("$" + each.name); cycle {
		l.addf(each.at, "the expression %s uses itself: %s", each.name, chain)
		return "true", nil
	}
	defer l.leave()
	return l.expandText(each.cel, inside, true)
}

func counted(parameters []string) string {
	switch len(parameters) {
	case 0:
		return "no arguments"
	case 1:
		return "1 argument (" + parameters[0] + ")"
	}
	return fmt.Sprintf("%d arguments (%s)", len(parameters), strings.Join(parameters, ", "))
}

// note records that the text of a set or an expression refers to a parameter.
func (l *linker) note(of *signature, parameter string) {
	if l.parameters[of] == nil {
		l.parameters[of] = map[string]bool{}
	}
	l.parameters[of][parameter] = true
}

// names returns the names that are accepted after "$".
func (in *binding) names() []string {
	names := slices.Collect(maps.Keys(in.scope.expressions))
	names = append(names, slices.Collect(maps.Keys(in.arguments))...)
	slices.Sort(names)
	return names
}

// checkExpression reports an expression that is not CEL.
func (l *linker) checkExpression(each *expression) {
	_, issues := l.env.Parse(asMembers(each.cel))
	if err := issues.Err(); err != nil {
		l.addf(each.at, "the expression %s is not CEL: %s", each.name, marker.SyntaxErrors(issues))
	}
}

// captures returns a name in an argument that would be captured by a variable of the expression.
func (l *linker) captures(each *expression, argument string) (string, bool) {
	own, _ := variables(asMembers(each.cel))
	_, used := variables(argument)
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if own[name] {
			return name, true
		}
	}
	return "", false
}

// variables returns the variables that the macros of an expression bind, and its free names.
func variables(expression string) (binds, uses map[string]bool) {
	binds, uses = map[string]bool{}, map[string]bool{}
	for e := range celexpr.Parts(celexpr.Parse(expression)) {
		if loop, is := celexpr.LoopOf(e); is {
			for _, name := range loop.Names {
				binds[name] = true
			}
		}
		if name := e.AsIdent(); name != "" {
			uses[name] = true
		}
	}
	for name := range binds {
		delete(uses, name)
	}
	return binds, uses
}

// needsParentheses reports whether an expression needs parentheses inside a larger one.
func needsParentheses(expression string) bool {
	top := celexpr.Parse(expression)
	if top == nil || top.AsCall().IsMemberFunction() {
		return false
	}
	if strings.HasPrefix(expression, "(") {
		if _, length, ok := cutArguments(expression); ok && length == len(expression) {
			return false
		}
	}
	name := top.AsCall().FunctionName()
	_, isBinary := operators.FindReverseBinaryOperator(name)
	return isBinary || slices.Contains([]string{operators.Conditional, operators.LogicalNot, operators.Negate}, name)
}
