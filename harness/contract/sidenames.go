package contract

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// SideNames are the names of the two sides of a suite for people, as in "webhook" and "v1.36". If a name is empty, the side
// is called after its backend.
type SideNames struct {
	Native      string `json:"native"`
	Declarative string `json:"declarative"`
}

// MaxSideName is the number of characters that a name of a side may have.
const MaxSideName = 40

// CheckSideName returns why a text cannot be the name of a side, or nil. An empty one is none.
func CheckSideName(name string) error {
	if name == "" || plaintext.Escape(name) == name && utf8.RuneCountInString(name) <= MaxSideName && strings.TrimSpace(name) == name {
		return nil
	}
	return fmt.Errorf("must be one line of at most %d printable characters, without spaces around them", MaxSideName)
}

// Check returns why the names cannot be those of a suite, or nil.
func (n SideNames) Check() error {
	for _, name := range []string{n.Native, n.Declarative} {
		if err := CheckSideName(name); err != nil {
			return fmt.Errorf("the name of a side: %q %w", name, err)
		}
	}
	if n.Label(NativeName) == n.Label(DeclarativeName) {
		return fmt.Errorf("both sides have the name %q", n.Label(NativeName))
	}
	return nil
}

// Label returns the name of a backend beside its errors.
func (n SideNames) Label(backend string) string {
	switch {
	case backend == NativeName && n.Native != "":
		return n.Native
	case backend == DeclarativeName && n.Declarative != "":
		return n.Declarative
	}
	return backend
}

// Title returns the name of a backend in sentences: a noun has an article.
func (n SideNames) Title(backend string) string {
	switch name := n.Label(backend); {
	case name != backend && isNoun(name):
		return "the " + name
	case name != backend:
		return name
	case backend == DeclarativeName:
		return "the schema"
	}
	return "the " + backend + " validator"
}

// Capital returns a title (Title) for the beginning of a sentence. Names of their own stay as they are.
func Capital(title string) string {
	if noun, has := strings.CutPrefix(title, "the "); has {
		return "The " + noun
	}
	return title
}

// Backend returns a backend for sentences about whether it works, as in "the native backend" and "the webhook".
func (n SideNames) Backend(name string) string {
	if n.Label(name) == name {
		return "the " + name + " backend"
	}
	return n.Title(name)
}

// Quoted returns the names for a format in which a name could be more than text. Nouns stay as they are.
func (n SideNames) Quoted(quote func(string) string) SideNames {
	for _, name := range []*string{&n.Native, &n.Declarative} {
		if *name != "" && !isNoun(*name) {
			*name = quote(*name)
		}
	}
	return n
}

// Shared returns the names that two suites have in common.
func (n SideNames) Shared(other SideNames) SideNames {
	if n.Native != other.Native {
		n.Native = ""
	}
	if n.Declarative != other.Declarative {
		n.Declarative = ""
	}
	return n
}

// nouns are the names that need an article. All others are taken for names of their own, as v1.33 or crd.yaml.
var nouns = []string{"webhook", "definition", "cluster", "schema", "validator", "program", "policy", "policy set"}

// isNoun reports whether a name is a noun, or one after the name of a side, as in "native webhook".
func isNoun(name string) bool {
	for _, side := range []string{NativeName, DeclarativeName, "recorded"} {
		name = strings.TrimPrefix(name, side+" ")
	}
	return slices.Contains(nouns, name)
}
