// Package markdown writes a run as a job summary or as a comment on a pull request.
package markdown
