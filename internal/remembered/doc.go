// Package remembered has backends and mutators that give their first answer to an input again. A run that changes one side
// and compares the same inputs again does not ask the other side, which may be a webhook, a second time.
package remembered
