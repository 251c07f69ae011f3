package declarative

import "strings"

// Most strings that have a format are right, and simple. quick says that a string is
// surely of a format, without the regular expressions of strfmt and of
// util/validation; a false means nothing.
func quick(format string) func(text string) bool {
	switch format {
	case "datetime", "date-time":
		return plainDateTime
	case "byte":
		return plainBase64
	case "dns1123label":
		return plainLabel
	case "dns1123subdomain":
		return plainSubdomain
	}
	return nil
}

// plainDateTime: 2006-01-02T15:04:05Z, also with a fraction and an offset. The 31st of
// a month is not plain.
func plainDateTime(s string) bool {
	const layout = "dddd-dd-ddTdd:dd:dd"
	if len(s) <= len(layout) || !shaped(s[:len(layout)], layout) {
		return false
	}
	within := func(at int, low, high string) bool { return low <= s[at:at+2] && s[at:at+2] <= high }
	last := "30"
	if s[5:7] == "02" {
		last = "28"
		if leap((int(s[0]-'0')*10+int(s[1]-'0'))*100 + int(s[2]-'0')*10 + int(s[3]-'0')) {
			last = "29"
		}
	}
	if !within(5, "01", "12") || !within(8, "01", last) || !within(11, "00", "23") || !within(14, "00", "59") || !within(17, "00", "59") {
		return false
	}
	rest := s[len(layout):]
	if rest[0] == '.' {
		digits := 1
		for digits < len(rest) && isDigit(rest[digits]) {
			digits++
		}
		if digits == 1 {
			return false
		}
		rest = rest[digits:]
	}
	return rest == "Z" || rest == "z" || shaped(rest, "+dd:dd") || shaped(rest, "-dd:dd")
}

func leap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// shaped says that a text is a layout with digits for its d.
func shaped(s, layout string) bool {
	if len(s) != len(layout) {
		return false
	}
	for i := range len(layout) {
		if layout[i] == 'd' {
			if !isDigit(s[i]) {
				return false
			}
		} else if s[i] != layout[i] && !(layout[i] == 'T' && s[i] == 't') {
			return false
		}
	}
	return true
}

// plainBase64: groups of four, the last of them padded.
func plainBase64(s string) bool {
	if len(s) == 0 || len(s)%4 != 0 {
		return false
	}
	body := strings.TrimSuffix(strings.TrimSuffix(s, "="), "=")
	for i := range len(body) {
		if c := body[i]; !isLower(c) && !isDigit(c) && !('A' <= c && c <= 'Z') && c != '+' && c != '/' {
			return false
		}
	}
	return true
}

// plainLabel: at most 63 of a-z, 0-9 and -, neither beginning nor ending with -.
func plainLabel(s string) bool {
	const most = 63
	return len(s) <= most && labelText(s)
}

func labelText(s string) bool {
	if s == "" || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLower(c) && !isDigit(c) && c != '-' {
			return false
		}
	}
	return true
}

// plainSubdomain: labels with dots between them, at most 253 together.
func plainSubdomain(s string) bool {
	const most = 253
	if len(s) > most {
		return false
	}
	for rest := s; ; {
		label, after, more := strings.Cut(rest, ".")
		if !labelText(label) {
			return false
		}
		if rest = after; !more {
			return true
		}
	}
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
