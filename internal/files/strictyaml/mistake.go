package strictyaml

import "github.com/diffrun/diffrun/userfile"

// What Decode reports is public, because errors of public packages hold it.
type (
	Position = userfile.Position
	Mistake  = userfile.Mistake
	Mistakes = userfile.Mistakes
)
