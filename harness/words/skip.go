package words

// SkipReason is the reason why a request was not compared. It is a label, so programs have only a few
// of them.
type SkipReason string

const (
	// SkippedBySample: only a share of all requests is compared, and this one is not in it.
	SkippedBySample SkipReason = "sample"
	// SkippedByOverhead: comparisons had used up the time that they may take.
	SkippedByOverhead SkipReason = "overhead"
	// SkippedByTarget: there is nothing to compare its kind or version with.
	SkippedByTarget SkipReason = "target"
)
