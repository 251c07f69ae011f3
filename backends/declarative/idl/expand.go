package idl

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// binding is what a name in a text may mean: a set or an expression of the scope, or a parameter
// of the set or expression that the text is of.
type binding struct {
	scope     *declarations
	of        *signature
	arguments map[string]string
	// outer is what the arguments may refer to. expanded says that they are expanded already.
	outer    *binding
	expanded bool
}

// expandMarker replaces names in the text of a marker. A quoted argument is replaced as a whole
// and quoted again, so that an expression may contain any quotes.
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
		token, after, closed := nextToken(rest)
		rest = after
		value, quoted := unquoted(token)
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
		isCEL := argumentOfCEL(plain.String())
		if err := flush(); err != nil {
			return text, err
		}
		expanded, err := l.expandText(value, in, isCEL)
		if err != nil {
			return text, err
		}
		out.WriteString(quote(expanded))
	}
	err := flush()
	return out.String(), err
}

// argumentOfCEL reports whether a quoted argument is CEL, by the text before it.
func argumentOfCEL(before string) bool {
	before = strings.TrimSpace(before)
	return strings.HasSuffix(before, "validationRule=") || strings.HasSuffix(before, "rule=") || strings.HasSuffix(before, "messageExpression=")
}

// unquoted returns the value of a quoted token of a marker.
func unquoted(token string) (value string, ok bool) {
	switch {
	case strings.HasPrefix(token, `"""`) && len(token) >= 6:
		return dedent(token[3 : len(token)-3]), true
	case len(token) >= 2 && token[0] == '"':
		value, err := strconv.Unquote(strings.ReplaceAll(token, "\n", `\n`))
		return value, err == nil
	case len(token) >= 2 && token[0] == '`':
		return token[1 : len(token)-1], true
	}
	return "", false
}

// quote returns a value as a token that a reader can follow.
func quote(value string) string {
	if strings.ContainsAny(value, "\"\\\n") && !strings.Contains(value, `"""`) && !strings.HasSuffix(value, `"`) {
		return `"""` + value + `"""`
	}
	return strconv.Quote(value)
}

// expandText replaces the references in a text. In CEL, what is replaced is put in parentheses
// where it needs them, and in a string literal of CEL it is text.
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
			if _, isParameter := in.arguments[found.name]; isParameter { // a function of that name, maybe
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
		case isCEL && !whole && l.loose(value):
			value = "(" + value + ")"
		}
		out.WriteString(strings.ReplaceAll(value, "\n", "\n"+indentation(out.String())))
	}
}

// indentation is the white space that the last line of a text begins with.
func indentation(text string) string {
	last := text[strings.LastIndex(text, "\n")+1:]
	return last[:len(last)-len(strings.TrimLeft(last, " \t"))]
}

// value is what a reference stands for: a parameter, or an expression.
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
		if near := in.scope.expressions[nearestOf(found.name, names)]; near != nil {
			l.used[&near.signature] = true
		}
		return "", fmt.Errorf("$%s: there is no expression or parameter of this name; %s (a dollar sign before a name is written $$)", found.name, meant(found.name, names))
	}
	l.used[&each.signature] = true
	if len(found.arguments) == 1 && found.arguments[0] == "" {
		found.arguments = nil
	}
	if len(found.arguments) != len(each.parameters) {
		return "", fmt.Errorf("$%s takes %s, got %d; it is declared in %s", found.name, counted(each.parameters), len(found.arguments), each.at)
	}
	inside := &binding{scope: l.scopes[&each.signature], of: &each.signature, arguments: map[string]string{}, expanded: true}
	for i, name := range each.parameters {
		argument, err := l.expandText(found.arguments[i], in, isCEL)
		if err != nil {
			return "", err
		}
		if name, captured := l.captures(each, argument); captured {
			return "", fmt.Errorf("$%s(%s): the expression has a variable %s of its own; rename one of them. It is declared in %s", found.name, found.arguments[i], name, each.at)
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

// note records that the text of a set or an expression uses a parameter.
func (l *linker) note(of *signature, parameter string) {
	if l.parameters[of] == nil {
		l.parameters[of] = map[string]bool{}
	}
	l.parameters[of][parameter] = true
}

// names returns what may stand behind "$".
func (in *binding) names() []string {
	names := slices.Collect(maps.Keys(in.scope.expressions))
	names = append(names, slices.Collect(maps.Keys(in.arguments))...)
	slices.Sort(names)
	return names
}

// checkExpression reports an expression that is not CEL.
func (l *linker) checkExpression(each *expression) {
	_, issues := l.env.Parse(bare(each.cel))
	if err := issues.Err(); err != nil {
		l.addf(each.at, "the expression %s is not CEL: %s", each.name, parseMessages(issues))
	}
}

// captures reports a name in an argument that would mean a variable of the expression.
func (l *linker) captures(each *expression, argument string) (string, bool) {
	own, _ := l.names(bare(each.cel))
	_, used := l.names(argument)
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if own[name] {
			return name, true
		}
	}
	return "", false
}

// names returns the variables that an expression binds in its macros, and the names that it uses
// and does not bind.
func (l *linker) names(expression string) (binds, uses map[string]bool) {
	binds, uses = map[string]bool{}, map[string]bool{}
	parsed, issues := l.env.Parse(expression)
	if issues.Err() != nil {
		return binds, uses
	}
	celast.PostOrderVisit(parsed.NativeRep().Expr(), celast.NewExprVisitor(func(e celast.Expr) {
		switch e.Kind() {
		case celast.ComprehensionKind:
			binds[e.AsComprehension().IterVar()] = true
			binds[e.AsComprehension().IterVar2()] = true
		case celast.IdentKind:
			uses[e.AsIdent()] = true
		}
	}))
	for name := range binds {
		delete(uses, name)
	}
	return binds, uses
}

// loose reports whether an expression must be in parentheses to stand inside of another one.
func (l *linker) loose(expression string) bool {
	parsed, issues := l.env.Parse(expression)
	if issues.Err() != nil {
		return false
	}
	top := parsed.NativeRep().Expr()
	if top.Kind() != celast.CallKind || top.AsCall().IsMemberFunction() {
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
