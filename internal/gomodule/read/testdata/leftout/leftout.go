// Package leftout has a validator with a jump that is not read.
package leftout

import "errors"

// TypeMeta makes a struct an object.
type TypeMeta struct{}

// Thing is the object.
type Thing struct {
	TypeMeta `json:",inline"`

	Rows [][]string `json:"rows,omitempty"`
}

// Validate looks for a row with an empty cell.
func Validate(thing *Thing) error {
rows:
	for _, row := range thing.Rows {
		for _, cell := range row {
			if cell == "" {
				continue rows
			}
		}
		return errors.New("a row has no empty cell")
	}
	return nil
}
