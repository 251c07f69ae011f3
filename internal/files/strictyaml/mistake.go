package strictyaml

import "github.com/diffrun/diffrun/userfile"

// The types of mistakes are public, because errors of public packages contain them.
type (
	Position = userfile.Position
	Mistake  = userfile.Mistake
	Mistakes = userfile.Mistakes
)
