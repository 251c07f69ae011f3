// Package causes groups the findings of a run by their cause, because hundreds of cases often show the
// same difference. [Groups] counts the results of a run and keeps one example for each group.
// CauseOf decides which differences have the same cause.
//
// Memory is bounded: examples have no objects, and their texts are cut. Findings beyond [MaxGroups] are
// only counted.
package causes

import ()
