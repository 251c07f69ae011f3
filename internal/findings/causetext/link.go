package causetext

import (
	"net/url"
	"path"
	"strconv"
	"strings"
)

// SourceURL returns the address of a source, such as "cases.yaml:12", in a template with {file} and
// {line} (reports.Origin). It returns "" if there is no template, or the file is outside the
// repository.
func SourceURL(template, source string) string {
	file, line := Source(source)
	file = path.Clean(strings.ReplaceAll(file, "\\", "/"))
	if !IsLink(template) || path.IsAbs(file) || file == "." || strings.HasPrefix(file, "../") || strings.ContainsRune(file, ':') {
		return ""
	}
	return strings.NewReplacer("{file}", (&url.URL{Path: file}).EscapedPath(), "{line}", strconv.Itoa(max(line, 1))).Replace(template)
}

// IsLink reports whether a text is an address that a report may link to.
func IsLink(text string) bool {
	return strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")
}
