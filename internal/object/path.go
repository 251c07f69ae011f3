package object

import (
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// Any is any item of a list, or any entry of a map, in a path for all objects.
const Any = "[*]"

// Kind says what a step leads to.
type Kind uint8

// All kinds.
const (
	Field Kind = iota
	Key        // of a map: written in brackets
	Item       // of a list
)

// Step leads from a value to a part of it.
type Step struct {
	Name  string // of a field, or the key of a map
	Index int    // of an item
	Kind  Kind
}

// sameAs reports whether two steps lead to the same part. Whether that is a field or the entry of a map is up to the
// schema.
func (s Step) sameAs(other Step) bool {
	return s.Name == other.Name && s.Index == other.Index && (s.Kind == Item) == (other.Kind == Item)
}

// Path is a path in one object. That of the root is empty.
type Path []Step

// Of returns the path of fields with some names. Any among them is any item of a list, or any entry of a map.
func Of(names ...string) Path {
	p := make(Path, len(names))
	for i, name := range names {
		if p[i].Name = name; name == Any {
			p[i].Kind = Key
		}
	}
	return p
}

// Parse reads a path as errors write it. A number in brackets is the index of an item, although it may be the key of a
// map: [Path.Get] finds both.
func Parse(text string) Path {
	var p Path
	for _, step := range fieldpath.Split(text) {
		switch index, err := strconv.Atoi(step.Text); {
		case !step.Bracket:
			p = append(p, Step{Name: step.Text})
		case err == nil && index >= 0 && strconv.Itoa(index) == step.Text:
			p = append(p, Step{Kind: Item, Index: index})
		default:
			p = append(p, Step{Kind: Key, Name: step.Text})
		}
	}
	return p
}

// Field returns the path of a field of the value at a path.
func (p Path) Field(name string) Path { return p.Join(Step{Name: name}) }

// Key returns the path of an entry of the map at a path.
func (p Path) Key(name string) Path { return p.Join(Step{Kind: Key, Name: name}) }

// Item returns the path of an item of the list at a path.
func (p Path) Item(index int) Path { return p.Join(Step{Kind: Item, Index: index}) }

// Join returns a longer path. The path is not changed.
func (p Path) Join(more ...Step) Path { return append(slices.Clip(p), more...) }

// String returns the path as errors write it: "spec.ports[0].name", "metadata.labels[app]".
func (p Path) String() string {
	return p.text(func(s Step) string {
		switch s.Kind {
		case Item:
			return "[" + strconv.Itoa(s.Index) + "]"
		case Key:
			return "[" + s.Name + "]"
		}
		return ""
	})
}

// Dotted returns the path as strict field validation writes it, with a dot before keys of maps.
func (p Path) Dotted() string {
	p = slices.Clone(p)
	for i := range p {
		if p[i].Kind == Key {
			p[i].Kind = Field
		}
	}
	return p.String()
}

// General returns the path for all objects, with Any for indices and keys: "spec.ports[*].name".
func (p Path) General() string {
	return p.text(func(s Step) string {
		if s.Kind != Field {
			return Any
		}
		return ""
	})
}

// Pointer returns the path as a JSON pointer (RFC 6901): "/spec/ports/0/name".
func (p Path) Pointer() string {
	var out strings.Builder
	for _, s := range p {
		if s.Kind == Item {
			s.Name = strconv.Itoa(s.Index)
		}
		out.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(s.Name))
	}
	return out.String()
}

// text writes the path. bracket returns what is written for a step without a dot; empty: its name is, with a dot.
func (p Path) text(bracket func(Step) string) string {
	var out strings.Builder
	for _, s := range p {
		text := bracket(s)
		if text == "" {
			if text = s.Name; out.Len() > 0 {
				out.WriteByte('.')
			}
		}
		out.WriteString(text)
	}
	return out.String()
}

// AtOrBelow reports whether the path is another one, or leads into the value there.
func (p Path) AtOrBelow(other Path) bool {
	return len(p) >= len(other) && slices.EqualFunc(p[:len(other)], other, Step.sameAs)
}
