package read

import (
	"go/token"
	"strings"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// Site is a place that makes an error, on one path of calls.
type Site struct {
	// Pos is the place of the call that makes the error; Calls are those of the calls that lead there, outermost first.
	// Files are named by the import paths of their packages.
	Pos   token.Position
	Calls []token.Position
	// Condition is true for objects for which the error is made, over the variables self and oldSelf; of a handler of admission
	// requests also over request, of which it reads userInfo. Errors that are returned earlier and hide this one are not part of it.
	// It is nil if nothing of it is known.
	Condition celexpr.Expr
	// Rule is the opposite of Condition: a rule that holds for objects without the error. Nil: something is unread.
	Rule celexpr.Expr
	// Field is the path of the error with [*] for items, as far as it is known.
	Field string
	// Type is the name of the constructor, such as Invalid, or Error.
	Type string
	// Text is the detail of the error, with … for parts that only the object has.
	Text string
	// Unread are the parts of the condition that could not be read.
	Unread []Unread
	// Settings are the feature gates on which the condition depends.
	Settings []Setting
	// implicit: it is a panic of Go. One whose condition is not read whole is no site.
	implicit bool
	// ofLibrary: the error is made where nothing is read.
	ofLibrary bool
	// first is the site of the same error before a caller completed its field.
	first *Site
}

// origin returns the site of an error before callers completed its field.
func (s *Site) origin() *Site {
	if s.first != nil {
		return s.first
	}
	return s
}

// Unread is a part of the source that could not be read.
type Unread struct {
	Pos token.Position
	Why string
	// Class is not empty if no rule about an object can say the part.
	Class Class
}

// Class says why a part of a condition cannot be a rule about an object. An empty one is open: a reader could know more.
type Class string

// The classes of parts that no rule can say.
const (
	Cluster Class = "reads the cluster"
	Time    Class = "reads the time"
	Parser  Class = "needs a parser"
)

// NotExpressible returns the part of a site that no rule can say, if there is one.
func (s *Site) NotExpressible() (Unread, bool) {
	for _, one := range s.Unread {
		if one.Class != "" {
			return one, true
		}
	}
	return Unread{}, false
}

// classes are those of functions that are not read, by the beginning of their full names.
var classes = []struct {
	prefix string
	class  Class
}{
	{"(sigs.k8s.io/controller-runtime/pkg/client.", Cluster},
	{"(k8s.io/client-go/", Cluster},
	{"(*k8s.io/client-go/", Cluster},
	{"k8s.io/apimachinery/pkg/api/errors.Is", Cluster},
	{"time.Now", Time},
	{"time.Since", Time},
	{"time.Until", Time},
	{"k8s.io/apimachinery/pkg/apis/meta/v1.Now", Time},
	{"(k8s.io/utils/clock.", Time},
	{"time.LoadLocation", Parser}, // of tzdata
	{"github.com/robfig/cron", Parser},
	{"(github.com/robfig/cron", Parser},
	{"encoding/pem.", Parser},
	{"encoding/json.", Parser},
	{"crypto/", Parser},
	{"(*crypto/", Parser},
	{"text/template.", Parser},
	{"(*text/template.", Parser},
	{"regexp.Compile", Parser}, // of a pattern that the object has
	{"sigs.k8s.io/yaml.", Parser},
	{"github.com/google/cel-go/", Parser},
	{"k8s.io/apiserver/pkg/cel/", Parser},
}

// classOf returns the class of a function that is not read.
func classOf(name string) Class {
	for _, one := range classes {
		if strings.HasPrefix(name, one.prefix) {
			return one.class
		}
	}
	return ""
}
