package metrics

// Fate is what became of a new difference or fault that a program keeps in a folder or a bucket.
// It is a label, so it is one of a few.
type Fate string

const (
	// Written: its case and the text about it are in their place.
	Written Fate = "written"
	// There: another process had written it.
	There Fate = "there"
	// Failed: it could not be written, which is tried again. It counts each time.
	Failed Fate = "failed"
	// Dropped: it is not written, because too many wait or the program ends. If it comes again, it
	// is new again.
	Dropped Fate = "dropped"
)

// Fates lists all fates.
func Fates() []Fate { return []Fate{Written, There, Failed, Dropped} }

// KeepsFindings makes the counters of all fates: an alert on a counter that rises needs it to be
// there before.
func (m *Metrics) KeepsFindings() {
	for _, fate := range Fates() {
		m.findings.WithLabelValues(string(fate))
	}
}

// Finding counts what became of a new difference or fault.
func (m *Metrics) Finding(fate Fate) { m.findings.WithLabelValues(string(fate)).Inc() }
