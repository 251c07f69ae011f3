package display

import (
	"net/url"
	"path"
	"strings"
)

// SourceURL returns the address of a source, such as "cases.yaml:12", in a template with {file} and
// {line} (reports.Origin). It returns "" if there is no template, or the file is outside the
// repository.
func SourceURL(template, source string) string {
	file, line := FileAndLine(source)
	file = path.Clean(strings.ReplaceAll(file, "\\", "/"))
	if !IsLink(template) || path.IsAbs(file) || file == "." || strings.HasPrefix(file, "../") || strings.ContainsRune(file, ':') {
		return ""
	}
	if line == "" {
		line = "1"
	}
	return strings.NewReplacer("{file}", (&url.URL{Path: file}).EscapedPath(), "{line}", line).Replace(template)
}

// FileAndLine splits "cases.yaml:12" into its parts. The line is "" if there is none.
func FileAndLine(source string) (file, line string) {
	at := strings.LastIndexByte(source, ':')
	if at < 0 || at == len(source)-1 || strings.Trim(source[at+1:], "0123456789") != "" {
		return source, ""
	}
	return source[:at], source[at+1:]
}

// IsLink reports whether a text is an address that a report may link to.
func IsLink(text string) bool {
	return strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")
}
