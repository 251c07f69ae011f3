package overlay

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// linker replaces the uses of sets by their markers, and references to expressions and parameters
// by their text.
type linker struct {
	env        *cel.Env
	options    []string // the enabled ones
	used       map[*signature]bool
	parameters map[*signature]map[string]bool // those that the text of a set or an expression refers to
	scopes     map[*signature]*scope          // where the text of a set or an expression is resolved
	expanding  []string                       // the sets and expressions around the current text
	mistakes   strictyaml.Mistakes
}

// scope is the sets and expressions that a file may refer to. A file without types shares its own
// with all files.
type scope struct {
	sets        map[string]*markerSet
	expressions map[string]*expression
}

// Link returns copies of the files with their lines, given the enabled options. Bundled files have a
// scope of their own, so their names do not clash with those of a user.
func Link(all []*File, options []string) (Files, strictyaml.Mistakes, error) {
	env, err := cel.NewEnv(cel.OptionalTypes(), ext.TwoVarComprehensions())
	if err != nil {
		return nil, nil, fmt.Errorf("CEL environment to parse expressions in: %w", err)
	}
	var linked Files
	var mistakes strictyaml.Mistakes
	for _, bundled := range []bool{false, true} {
		l := &linker{
			env:        env,
			options:    options,
			used:       map[*signature]bool{},
			parameters: map[*signature]map[string]bool{},
			scopes:     map[*signature]*scope{},
		}
		files := slices.DeleteFunc(slices.Clone(all), func(o *File) bool { return o.Bundled != bundled })
		linked = append(linked, l.all(files)...)
		if !bundled { // some bundled files were left out, so some sets may be unused
			l.checkUsed(files)
		}
		mistakes = append(mistakes, l.mistakes...)
	}
	return linked, mistakes, nil
}

func (l *linker) addf(at strictyaml.Position, format string, args ...any) {
	l.mistakes.Addf(at, format, args...)
}

// all links files that share a scope.
func (l *linker) all(files []*File) []*File {
	shared := &scope{sets: map[string]*markerSet{}, expressions: map[string]*expression{}}
	for _, o := range files {
		if len(o.Types) == 0 {
			l.declare(o, shared)
		}
	}
	scopes := make([]*scope, len(files))
	for i, o := range files {
		if len(o.Types) > 0 {
			scopes[i] = &scope{sets: maps.Clone(shared.sets), expressions: maps.Clone(shared.expressions)}
			l.declare(o, scopes[i])
		}
	}
	var linked []*File
	for i, o := range files {
		linked = append(linked, l.file(o, &binding{scope: scopes[i]}))
	}
	return linked
}

// declare adds the sets and expressions of a file to a scope.
func (l *linker) declare(o *File, to *scope) {
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

// file returns a copy of a file with its lines.
func (l *linker) file(o *File, in *binding) *File {
	copied := *o
	copied.Types = nil
	for _, t := range o.Types {
		linked := *t
		own := l.lines(t.written, in)
		for i := range own {
			own[i].Except = t.except
		}
		linked.Lines, linked.Closed = l.split(own)
		linked.Fields = map[string]*Field{}
		for _, name := range slices.Sorted(maps.Keys(t.Fields)) {
			field := *t.Fields[name]
			field.Lines, field.Closed = l.split(l.lines(field.written, in))
			linked.Fields[name] = &field
		}
		copied.Types = append(copied.Types, &linked)
	}
	return &copied
}

// split returns the lines whose gate is open, and the others.
func (l *linker) split(lines []marker.Line) (open, closed []marker.Line) {
	for _, each := range lines {
		if each.Gate.Open(l.options) {
			open = append(open, each)
		} else {
			closed = append(closed, each)
		}
	}
	return open, closed
}

// lines returns the lines of a type or a field.
func (l *linker) lines(written []writtenLine, in *binding) []marker.Line {
	var all []marker.Line
	for _, each := range written {
		if each.set == "" {
			all = append(all, l.marker(each, in)...)
			continue
		}
		for _, of := range l.use(each, in) {
			of.Used = each.at
			all = append(all, of)
		}
	}
	return all
}

// marker returns a line of a file with its references replaced, or nothing if one is wrong. in binds
// the names of the file, or those of the set and its arguments.
func (l *linker) marker(written writtenLine, in *binding) []marker.Line {
	made := marker.Line{At: written.at, Text: written.text, Overlay: true}
	if strings.Contains(written.text, "$") {
		text, err := l.expandMarker(written.text, in)
		if err != nil {
			l.addf(written.at, "%v", err)
			return nil
		}
		made.Expanded, made.Text = text != written.text, text
	}
	made.Gate, made.Text = marker.CutGate(made.Text)
	return []marker.Line{made}
}

// use returns the lines of a set for one use of it.
func (l *linker) use(written writtenLine, in *binding) []marker.Line {
	set, ok := in.scope.sets[written.set]
	if !ok {
		names := slices.Sorted(maps.Keys(in.scope.sets))
		l.addf(written.at, "there is no set %s; %s", written.set, suggest(written.set, names))
		if near := in.scope.sets[marker.Nearest(written.set, names)]; near != nil {
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
	var all []marker.Line
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
			all[i].Text = all[i].Text[:1] + below + ":" + all[i].Text[1:]
			all[i].Expanded = true
		}
	}
	return all
}

// enter records that a set or an expression is being expanded. If it is already, enter returns the
// chain of names that leads back to it.
func (l *linker) enter(name string) (chain string, cycle bool) {
	if at := slices.Index(l.expanding, name); at >= 0 {
		return strings.Join(append(slices.Clone(l.expanding[at:]), name), " -> "), true
	}
	l.expanding = append(l.expanding, name)
	return "", false
}

func (l *linker) leave() { l.expanding = l.expanding[:len(l.expanding)-1] }

// checkUsed reports unused sets, expressions and parameters. Their text is in no schema, so no test
// covers it.
func (l *linker) checkUsed(files []*File) {
	incomplete := len(l.mistakes) > 0 // a wrong line refers to nothing
	for _, o := range files {
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
