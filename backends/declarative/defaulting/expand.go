package defaulting

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// maxFilled limits how many other defaults one default may contain. A schema of n levels can ask
// for 2^n.
const maxFilled = 1 << 16

// expander fills in the defaults that are missing inside each default. It does so once, when the
// schema is compiled.
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
			e.refuse(p, "contains itself: the schema inside the default leads back to this default")
		}
		return s.filled
	}
	e.state[p] = expansion{}
	filled = 1
	w := walk{fill: func(inner *plan) any {
		filled += e.expand(inner)
		if filled > maxFilled || len(e.errs) > 0 {
			return nil // an error is reported: stop expanding
		}
		return runtime.DeepCopyJSONValue(inner.own)
	}}
	if out, changed := w.value(p.own, p); changed {
		p.own = out
	}
	if filled > maxFilled {
		e.refuse(p, fmt.Sprintf("contains more than %d other defaults", maxFilled))
	}
	e.state[p] = expansion{done: true, filled: filled}
	return filled
}

// refuse reports the first mistake only: it causes those of the defaults around it.
func (e *expander) refuse(p *plan, detail string) {
	if len(e.errs) == 0 {
		e.errs = append(e.errs, field.Invalid(field.NewPath(e.at[p]).Child("default"), field.OmitValueType{}, detail))
	}
}
