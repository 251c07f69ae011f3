package idl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// linker replaces the uses of sets by their markers, and the names of expressions and parameters
// by what they stand for.
type linker struct {
	env        *cel.Env
	options    []string // that are enabled
	used       map[*signature]bool
	parameters map[*signature]map[string]bool // that the text of a set or an expression names
	scopes     map[*signature]*declarations   // in which the text of a set or an expression is read
	following  []string                       // the sets or expressions inside of which the linker is
	mistakes   strictyaml.Mistakes
}

// declarations are the sets and expressions that a file may name. Those of a file without
// types are shared by all files; those of a file with types are its own.
type declarations struct {
	sets        map[string]*ruleSet
	expressions map[string]*expression
}

// link returns the overlays with their lines. Bundled overlays have names of their own, so that
// those of a user do not clash with them.
func link(all []*Overlay, options []string) ([]*Overlay, strictyaml.Mistakes, error) {
	env, err := cel.NewEnv(cel.OptionalTypes(), ext.TwoVarComprehensions())
	if err != nil {
		return nil, nil, fmt.Errorf("CEL environment to parse expressions in: %w", err)
	}
	var linked []*Overlay
	var mistakes strictyaml.Mistakes
	for _, bundled := range []bool{false, true} {
		l := &linker{env: env, options: options, used: map[*signature]bool{}, parameters: map[*signature]map[string]bool{}, scopes: map[*signature]*declarations{}}
		overlays := slices.DeleteFunc(slices.Clone(all), func(o *Overlay) bool { return o.Bundled != bundled })
		linked = append(linked, l.all(overlays)...)
		if !bundled { // only those about packages that roots reach are here, which need not use all sets
			l.checkUsed(overlays)
		}
		mistakes = append(mistakes, l.mistakes...)
	}
	return linked, mistakes, nil
}

func (l *linker) addf(at strictyaml.Position, format string, args ...any) {
	l.mistakes.Addf(at, format, args...)
}

// all links overlays that share names.
func (l *linker) all(overlays []*Overlay) []*Overlay {
	shared := &declarations{sets: map[string]*ruleSet{}, expressions: map[string]*expression{}}
	for _, o := range overlays {
		if len(o.types) == 0 {
			l.declare(o, shared)
		}
	}
	scopes := make([]*declarations, len(overlays))
	for i, o := range overlays {
		if len(o.types) > 0 {
			scopes[i] = &declarations{sets: maps.Clone(shared.sets), expressions: maps.Clone(shared.expressions)}
			l.declare(o, scopes[i])
		}
	}
	var linked []*Overlay
	for i, o := range overlays {
		linked = append(linked, l.overlay(o, &binding{scope: scopes[i]}))
	}
	return linked
}

// declare adds the sets and expressions of a file to a scope.
func (l *linker) declare(o *Overlay, to *declarations) {
	for _, each := range o.sets {
		if first, again := to.sets[each.name]; again {
			l.addf(each.at, "the set %s is declared twice; first in %s", each.name, first.at)
			l.used[&each.signature] = true
			continue
		}
		l.scopes[&each.signature] = to
		to.sets[each.name] = each
	}
	for _, each := range o.expressions {
		if first, again := to.expressions[each.name]; again {
			l.addf(each.at, "the expression %s is declared twice; first in %s", each.name, first.at)
			l.used[&each.signature] = true
			continue
		}
		l.scopes[&each.signature] = to
		to.expressions[each.name] = each
		l.checkExpression(each)
	}
}

// overlay returns a copy of an overlay that has its lines.
func (l *linker) overlay(o *Overlay, in *binding) *Overlay {
	copied := *o
	copied.types = nil
	for _, t := range o.types {
		linked := *t
		own := l.lines(t.written, in)
		for i := range own {
			own[i].except = t.except
		}
		linked.lines, linked.off = split(own, l.options)
		linked.fields = map[string]*overlayField{}
		for _, name := range slices.Sorted(maps.Keys(t.fields)) {
			field := *t.fields[name]
			field.lines, field.off = split(l.lines(field.written, in), l.options)
			linked.fields[name] = &field
		}
		copied.types = append(copied.types, &linked)
	}
	return &copied
}

// lines returns the lines of a type or a field.
func (l *linker) lines(written []overlayLine, in *binding) []line {
	var all []line
	for _, each := range written {
		if each.set == "" {
			all = append(all, l.marker(each, in)...)
			continue
		}
		for _, of := range l.use(each, in) {
			of.used = each.at
			all = append(all, of)
		}
	}
	return all
}

// marker is a line of a file with all names replaced, or nothing if one is wrong. in is the file,
// or the set and its arguments.
func (l *linker) marker(written overlayLine, in *binding) []line {
	made := line{at: written.at, text: written.text, overlay: true}
	if strings.Contains(written.text, "$") {
		text, err := l.expandMarker(written.text, in)
		if err != nil {
			l.addf(written.at, "%v", err)
			return nil
		}
		made.expanded, made.text = text != written.text, text
	}
	made.gate, made.text = cutGate(made.text)
	return []line{made}
}

// use is the lines of a set that is used.
func (l *linker) use(written overlayLine, in *binding) []line {
	set, ok := in.scope.sets[written.set]
	if !ok {
		names := slices.Sorted(maps.Keys(in.scope.sets))
		l.addf(written.at, "there is no set %s; %s", written.set, meant(written.set, names))
		if near := in.scope.sets[nearestOf(written.set, names)]; near != nil {
			l.used[&near.signature] = true
		}
		return nil
	}
	l.used[&set.signature] = true
	for _, name := range slices.Sorted(maps.Keys(written.arguments)) {
		if _, err := l.expandText(written.arguments[name], in, false); err != nil {
			l.addf(written.at, "%v", err)
			return nil
		}
	}
	if err := set.checkArguments(written.arguments); err != nil {
		l.addf(written.at, "%v; it is declared in %s", err, set.at)
		return nil
	}
	if chain, cycle := l.enter(set.name); cycle {
		l.addf(set.at, "the set %s uses itself: %s", set.name, chain)
		return nil
	}
	defer l.leave()
	below, err := l.expandText(written.below, in, false)
	if err != nil {
		l.addf(written.at, "%v", err)
		return nil
	}
	var all []line
	inside := &binding{scope: l.scopes[&set.signature], of: &set.signature, arguments: written.arguments, outer: in}
	for _, each := range set.written {
		if each.set != "" {
			all = append(all, l.use(each, inside)...)
			continue
		}
		all = append(all, l.marker(each, inside)...)
	}
	if below != "" {
		for i := range all {
			all[i].text = all[i].text[:1] + below + ":" + all[i].text[1:]
			all[i].expanded = true
		}
	}
	return all
}

// enter notes what the linker replaces. If it is inside of that already, it returns the way that
// leads there.
func (l *linker) enter(name string) (chain string, cycle bool) {
	if at := slices.Index(l.following, name); at >= 0 {
		return strings.Join(append(slices.Clone(l.following[at:]), name), " -> "), true
	}
	l.following = append(l.following, name)
	return "", false
}

func (l *linker) leave() { l.following = l.following[:len(l.following)-1] }

// checkUsed reports sets, expressions and parameters that nothing uses. Their text is in no
// schema, so that no test covers it.
func (l *linker) checkUsed(overlays []*Overlay) {
	incomplete := len(l.mistakes) > 0 // a line that is wrong names nothing
	for _, o := range overlays {
		for _, set := range o.sets {
			l.checkSignature("set", &set.signature, incomplete)
		}
		for _, each := range o.expressions {
			l.checkSignature("expression", &each.signature, incomplete)
		}
	}
}

func (l *linker) checkSignature(what string, s *signature, incomplete bool) {
	if !l.used[s] {
		l.addf(s.at, "nothing uses the %s %s; remove it", what, s.name)
		return
	}
	for _, name := range s.parameters {
		if !incomplete && !l.parameters[s][name] {
			l.addf(s.at, "the %s %s does not use its parameter %s", what, s.name, name)
		}
	}
}
