// Package fastpath lists the fast paths of the declarative engine. A fast path changes nothing
// but time: the engine gives the same errors with and without it.
//
// `make bench V=-v` switches off one after the other and shows what each gains on the goal that
// it serves, beside its lines of code. A fast path that gains less than 1.5 times is removed.
package fastpath

// Path is one fast path.
type Path uint8

// All fast paths.
const (
	Parser   Path = iota // CEL without cel-go's parser
	Check                // types of CEL without cel-go's environment
	Share                // one node for equal schemas
	Plans                // rules proved true without cel-go
	Join                 // what rules of one schema have in common proved once
	Tables               // patterns as tables of states
	Formats              // patterns that prove the format of a string
	Memory               // fields of Go objects read where they are
	Known                // quantities, times and int-or-strings read without conversion
	Equality             // whole values compared without the values of cel-go

	Paths // their number
)

// off says which paths are switched off. Only Without changes it.
var off [Paths]bool

// Off says that a path is switched off.
func (p Path) Off() bool { return off[p] }

// Without does something with a path switched off. Nothing else of the engine may run meanwhile.
func Without(p Path, do func()) {
	off[p] = true
	defer func() { off[p] = false }()
	do()
}
