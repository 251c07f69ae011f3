package explore

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Respelled returns other spellings of a text, which some validators take for the same and others do not: in another case, with
// blanks of Unicode, with letters of other widths and compositions and, of the notations that a text may be in, the lenient forms.
func Respelled(text string) []string {
	all := []string{
		"", strings.ToUpper(text), strings.ToLower(text), titled(text), swapped(text),
		" " + text, text + " ", text + "\n", text + "\t", "\u00a0" + text, text + "\u00a0", text + "\u2003",
		"\u200b" + text, "\ufeff" + text, "\u3000" + text,
		text + "é", text + "e\u0301", text + "😀", text + ".", text + "x",
	}
	for _, near := range neighbors(text) {
		all = append(all, near)
	}
	for old, to := range map[string]string{
		"é": "e\u0301", "e\u0301": "é", "k": "\u212a", "K": "\u212a", "s": "ſ", "S": "ſ", "i": "ı",
		"I": "İ", "ss": "ß", "-": "\u2010",
	} {
		all = append(all, strings.Replace(text, old, to, 1))
	}
	for _, forms := range []func(string) []string{
		numberForms, quantityForms, durationForms, addressForms, networkForms, timeForms, urlForms, base64Forms,
	} {
		all = append(all, forms(text)...)
	}
	slices.Sort(all[1:])
	seen := map[string]bool{text: true}
	return slices.DeleteFunc(all, func(one string) bool {
		known := seen[one] || !utf8.ValidString(one)
		seen[one] = true
		return known
	})
}

// titled returns a text with its first letter in upper case, and the others in lower case.
func titled(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToTitle(first)) + strings.ToLower(text[size:])
}

// swapped returns a text with each letter in the other case.
func swapped(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

func numberForms(text string) []string {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil
	}
	wide := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r - '0' + '０'
		}
		return r
	}, text)
	return []string{
		"+" + text, "-" + text, "0" + text, "00" + text, text + ".0", text + ".", text + "e0",
		"0x" + strconv.FormatInt(n, 16), "0o" + strconv.FormatInt(n, 8), text[:1] + "_" + text[1:] + "0",
		wide, "9223372036854775807", "9223372036854775808", "18446744073709551616", "2147483648", "4294967297",
	}
}

func quantityForms(text string) []string {
	digits := strings.TrimRight(text, "numkKMGTPEiB")
	if _, err := strconv.ParseFloat(digits, 64); err != nil || digits == "" {
		return nil
	}
	suffix := text[len(digits):]
	return []string{
		"+" + text, "-" + text, "0" + text, digits + ".0" + suffix, digits + "." + suffix, "." + text,
		"0.5" + suffix, digits + "e3", digits + "E3", digits + "k", digits + "K", digits + "Ki",
		digits + "000m", digits + " " + suffix, digits + suffix + "B",
	}
}

func durationForms(text string) []string {
	d, err := time.ParseDuration(text)
	if err != nil {
		return nil
	}
	return []string{
		d.String(), "+" + text, "-" + text, "0" + text, "0h" + text, text + "0ms", text + "1ns", "1.5h",
		".5h", "1.h", "1h0m", "60m", "0", "0s", "1d", "PT1H", "1H", "1 h", "1us", "1µs", "1μs", "2562048h",
	}
}

func addressForms(text string) []string {
	address, err := netip.ParseAddr(text)
	if err != nil {
		return nil
	}
	return []string{
		address.StringExpanded(), "::ffff:" + text, "::FFFF:" + text, "0" + text, text + "%eth0",
		"[" + text + "]", text + "/32", text + ":80", "10.1", "0x0a000001",
	}
}

func networkForms(text string) []string {
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		return nil
	}
	address, bits, _ := strings.Cut(text, "/")
	return []string{
		prefix.Masked().String(), prefix.Addr().Next().String() + "/" + bits, "::ffff:" + address + "/120",
		"0" + text, address + "/0" + bits, address + "/+" + bits, address, address + "/255.0.0.0",
		address + "/129",
	}
}

func timeForms(text string) []string {
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return nil
	}
	return []string{
		strings.Replace(text, "T", "t", 1), strings.ReplaceAll(text, "Z", "z"), strings.Replace(text, "T", " ", 1),
		text[:17] + "60" + text[19:], text[:19] + ".5" + text[19:], text[:19] + ",5" + text[19:],
		text[:19] + "+00:00", text[:19] + "-00:00", text[:19] + "+0000", text[:19], text[:10], text[:10] + "T24:00:00Z",
	}
}

func urlForms(text string) []string {
	scheme, rest, is := strings.Cut(text, "://")
	if !is {
		return nil
	}
	return []string{
		strings.ToUpper(scheme) + "://" + rest, scheme + ":" + rest, scheme + "://", "//" + rest, text + "/",
		text + ":80", text + "#", text + "?a b", text + "/%zz", scheme + "://u:p@" + rest,
		scheme + "://[::1]", scheme + ":///" + rest,
	}
}

func base64Forms(text string) []string {
	bare := strings.TrimRight(text, "=")
	if len(text)%4 != 0 && bare == text {
		return []string{text + strings.Repeat("=", (4-len(text)%4)%4)}
	}
	if bare == text {
		return nil
	}
	return []string{bare, text + "=", text[:1] + "\n" + text[1:], strings.NewReplacer("+", "-", "/", "_").Replace(text)}
}
