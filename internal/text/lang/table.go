package lang

// table is a deterministic automaton over ASCII. Without tables, Gateways and HTTPRoutes take 1.8 times as long.
type table struct {
	class   [128]uint8 // of bytes that all states treat alike
	classes int
	next    []uint16 // by state and class
	accepts []bool   // by state: the text matches if it ends here
}

// Bounds of a table. A larger one is not made.
const (
	maxStates = 400
	maxWork   = 400_000 // instructions visited while it is made
)

// match runs a text through the table. It is not sure about a text that is not ASCII.
func (t *table) match(text string) (matches, sure bool) {
	state := started
	for i := range len(text) {
		if state <= matched {
			break
		}
		c := text[i]
		if c >= 128 {
			return false, false
		}
		state = uint32(t.next[int(state)*t.classes+int(t.class[c])])
	}
	return t.accepts[state], true
}

// newTable makes the table of an expression, or nil.
func newTable(source string) *table {
	a := New(source)
	if a == nil || !a.exact() {
		return nil
	}
	t := &table{}
	runes := t.classify(a)
	d := newDeterministic(a)
	for state := dead; int(state) < len(d.all); state++ {
		t.accepts = append(t.accepts, d.accepts(state))
		for _, r := range runes {
			t.next = append(t.next, uint16(d.step(state, r)))
			if len(d.all) > maxStates || a.work > maxWork {
				return nil
			}
		}
	}
	return t
}

// classify groups the bytes that an automaton treats alike, and returns one of each class.
func (t *table) classify(a *Automaton) []rune {
	known := map[string]uint8{}
	var runes []rune
	for r := range rune(128) {
		alike := signature([]*Automaton{a}, r)
		class, ok := known[alike]
		if !ok {
			class = uint8(len(known))
			known[alike] = class
			runes = append(runes, r)
		}
		t.class[r] = class
	}
	t.classes = len(known)
	return runes
}
