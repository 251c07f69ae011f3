// Package recorded reads the reports of earlier runs for the commands that work with them: from
// files, stdin, buckets, and directories of reports.
package recorded
