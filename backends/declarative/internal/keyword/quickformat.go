package keyword

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
	const whole = len("2006-01-02T15:04:05")
	if len(s) <= whole || s[4] != '-' || s[7] != '-' || s[10] != 'T' && s[10] != 't' || s[13] != ':' || s[16] != ':' {
		return false
	}
	century, year, month, day := twoDigits(s, 0), twoDigits(s, 2), twoDigits(s, 5), twoDigits(s, 8)
	last := 30
	if month == 2 {
		last = 28
		if leap(century*100 + year) {
			last = 29
		}
	}
	if century < 0 || year < 0 || month < 1 || month > 12 || day < 1 || day > last {
		return false
	}
	hour, minute, second := twoDigits(s, 11), twoDigits(s, 14), twoDigits(s, 17)
	if hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 {
		return false
	}
	rest := s[whole:]
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
	return rest == "Z" || rest == "z" || plainOffset(rest)
}

// twoDigits is a number of two digits, or -1.
func twoDigits(s string, at int) int {
	tens, ones := s[at]-'0', s[at+1]-'0'
	if tens > 9 || ones > 9 {
		return -1
	}
	return int(tens)*10 + int(ones)
}

func leap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// plainOffset: +01:00 or -01:00.
func plainOffset(s string) bool {
	return len(s) == len("+01:00") && (s[0] == '+' || s[0] == '-') && s[3] == ':' && twoDigits(s, 1) >= 0 && twoDigits(s, 4) >= 0
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

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
