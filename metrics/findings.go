package metrics

// Fate is what became of a new difference or fault that a program keeps in a folder or a bucket.
// It is the value of a label, so there are only a few.
type Fate string

const (
	// Written: its case and the text about it are in their place.
	Written Fate = "written"
	// There: another process had written it.
	There Fate = "there"
	// Failed: it could not be written, and will be tried again. Each failure counts.
	Failed Fate = "failed"
	// Dropped: it is not written, because too many wait or the program ends. If it is found again,
	// it counts as new.
	Dropped Fate = "dropped"
)

// Fates lists all fates.
func Fates() []Fate { return []Fate{Written, There, Failed, Dropped} }

// KeepsFindings creates the counters of all fates with the value 0. Prometheus sees no increase of a
// counter that did not exist before.
func (m *Metrics) KeepsFindings() {
	for _, fate := range Fates() {
		m.findings.WithLabelValues(string(fate))
	}
}

// Finding counts what became of a new difference or fault.
func (m *Metrics) Finding(fate Fate) { m.findings.WithLabelValues(string(fate)).Inc() }
