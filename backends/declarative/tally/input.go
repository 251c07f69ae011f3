package tally

import "context"

// Input notes what happens on one object; nil notes nothing. It belongs to one goroutine and is reused
// for the next object after Reset or Done. All places of the schema must be registered before NewInput.
type Input struct {
	tally   *Tally
	marks   []mark // by ID-1
	touched []ID
}

// mark is what happened on an object at one place.
type mark struct {
	passing         int32 // checks that have not failed
	reached, failed bool
	open            bool // the last check has not failed yet
}

// NewInput makes an Input.
func (t *Tally) NewInput() *Input {
	t.mu.Lock()
	defer t.mu.Unlock()
	return &Input{tally: t, marks: make([]mark, len(t.keys))}
}

// Reach notes that the keywords at some places check a value.
func (in *Input) Reach(ids []ID) {
	if in == nil {
		return // the validator does not count, although its schema does
	}
	for _, id := range ids {
		m := &in.marks[id-1]
		if !m.reached {
			m.reached = true
			in.touched = append(in.touched, id)
		}
		m.passing++
		m.open = true
	}
}

// Fail notes that the last value that reached a place is wrong. Several errors of one check are one
// failure.
func (in *Input) Fail(id ID) {
	if in == nil {
		return
	}
	m := &in.marks[id-1]
	m.failed = true
	in.Undecided(id)
}

// Undecided notes that the check of the last value that reached a place had no result, such as a rule
// that cannot be evaluated.
func (in *Input) Undecided(id ID) {
	if in == nil {
		return
	}
	if m := &in.marks[id-1]; m.open {
		m.open = false
		m.passing--
	}
}

// Reset forgets all notes.
func (in *Input) Reset() {
	for _, id := range in.touched {
		in.marks[id-1] = mark{}
	}
	in.touched = in.touched[:0]
}

// Done counts the input and resets, after it has informed those who watch the context.
func (in *Input) Done(ctx context.Context) {
	if watch, ok := ctx.Value(watching{}).(func(Seen)); ok {
		in.tell(watch)
	}
	t := in.tally
	t.mu.Lock()
	for _, id := range in.touched {
		m, count := &in.marks[id-1], &t.counts[id-1]
		count.reached++
		if m.passing > 0 {
			count.passed++
		}
		if m.failed {
			count.failed++
		}
	}
	t.mu.Unlock()
	in.Reset()
}
