package defaulting

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// maxFilled bounds how many defaults one default may fill in inside of itself. A
// schema of n levels can ask for 2^n.
const maxFilled = 1 << 16

// expander fills into each default the defaults inside of it, once, so that nothing
// is left to do for a value that was filled in.
type expander struct {
	state map[*plan]expansion
	at    map[*plan]string
	errs  field.ErrorList
}

type expansion struct {
	done   bool // false: at work
	filled int
}

func (e *expander) expand(p *plan) (filled int) {
	if p.own == nil {
		return 0
	}
	if s, ok := e.state[p]; ok {
		if !s.done {
			e.refuse(p, "fills in itself again, without end")
		}
		return s.filled
	}
	e.state[p] = expansion{}
	filled = 1
	w := walk{fill: func(inner *plan) any {
		filled += e.expand(inner)
		if filled > maxFilled || len(e.errs) > 0 {
			return nil // not expanded any further: it is an error
		}
		return runtime.DeepCopyJSONValue(inner.own)
	}}
	if out, changed := w.value(p.own, p); changed {
		p.own = out
	}
	if filled > maxFilled {
		e.refuse(p, fmt.Sprintf("fills in more than %d defaults inside of it", maxFilled))
	}
	e.state[p] = expansion{done: true, filled: filled}
	return filled
}

// refuse reports one mistake: those of the defaults around it follow from it.
func (e *expander) refuse(p *plan, detail string) {
	if len(e.errs) == 0 {
		e.errs = append(e.errs, field.Invalid(field.NewPath(e.at[p]).Child("default"), field.OmitValueType{}, detail))
	}
}
