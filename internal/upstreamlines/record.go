package main

// call is one call of a validation function: a line of the record that
// _line/zz_line_test.go writes.
type call struct {
	Function, Test string
	// Value says that the function validates no object or part of one, NoKind that it
	// validates one of a kind that has no schema yet.
	Value, NoKind bool
	Versions      []version
}

// version is what the line came to in one API version.
type version struct {
	Name, Verdict, Fault, Lost string
	Differences                []difference
}

type difference struct{ Class, Field, Native, Declarative string }

// compared says that a version of the call was compared.
func (c call) compared() bool {
	for _, v := range c.Versions {
		if v.Lost == "" && v.Fault == "" {
			return true
		}
	}
	return false
}

// differs says that a difference was found which nothing explains.
func (c call) differs() bool {
	for _, v := range c.Versions {
		if len(v.Differences) > 0 {
			return true
		}
	}
	return false
}
