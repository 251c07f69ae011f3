package fielderror

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// longestAmount is the maximum length, in bytes, of a text that is read as an amount.
const longestAmount = 1000

// decimal is the number digits * 10^exponent, exactly; digits has no zero at its end.
type decimal struct {
	digits   string // with a sign
	exponent int64
}

var decimalForm = regexp.MustCompile(`^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$`)

// readDecimal reads a number in decimal, with or without an exponent.
func readDecimal(text string) (decimal, bool) {
	match := decimalForm.FindStringSubmatch(text)
	if match == nil || match[2]+match[3] == "" || len(text) > longestAmount {
		return decimal{}, false
	}
	exponent := int64(0)
	if match[4] != "" {
		read, err := strconv.ParseInt(match[4], 10, 32)
		if err != nil {
			return decimal{}, false
		}
		exponent = read
	}
	return newDecimal(match[1]+match[2]+match[3], exponent-int64(len(match[3])))
}

func newDecimal(digits string, exponent int64) (decimal, bool) {
	number, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return decimal{}, false
	}
	if number.Sign() == 0 {
		return decimal{digits: "0"}, true
	}
	all := number.String()
	short := strings.TrimRight(all, "0")
	return decimal{short, exponent + int64(len(all)-len(short))}, true
}

// longestZeros is the maximum number of zeros that a number in decimal gets.
const longestZeros = 400

// canonicalNumber returns a JSON number in decimal, or with an exponent if it has very many digits. Two
// texts for one number become the same. A text that is not a number, such as NaN, stays as it is.
func canonicalNumber(text string) string {
	number, ok := readDecimal(text)
	if !ok {
		return text
	}
	sign, digits := "", number.digits
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		sign, digits = "-", rest
	}
	switch point := number.exponent + int64(len(digits)); {
	case number.exponent > longestZeros || point < -longestZeros:
		return sign + digits + "e" + strconv.FormatInt(number.exponent, 10)
	case number.exponent >= 0:
		return sign + digits + strings.Repeat("0", int(number.exponent))
	case point > 0:
		return sign + digits[:point] + "." + digits[point:]
	default:
		return sign + "0." + strings.Repeat("0", int(-point)) + digits
	}
}

// SameQuantity reports whether two texts are the same quantity. Unlike upstream's ParseQuantity, it does
// not round below 1n.
func SameQuantity(a, b string) bool {
	if !startsAmount(a) || !startsAmount(b) {
		return false
	}
	x, okX := readQuantity(a)
	y, okY := readQuantity(b)
	return okX && okY && x == y
}

// startsAmount matches the beginning of an amount, which most texts do not have.
func startsAmount(text string) bool {
	return text != "" && strings.IndexByte("+-.0123456789", text[0]) >= 0
}

// decimalSuffixes and binarySuffixes are those of resource.Quantity.
var (
	decimalSuffixes = map[string]int64{"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
	binarySuffixes  = map[string]int64{"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
)

var quantitySuffix = regexp.MustCompile(`[KMGTPE]i$|[numkMGTPE]$`)

func readQuantity(text string) (decimal, bool) {
	if len(text) > longestAmount {
		return decimal{}, false
	}
	if _, err := resource.ParseQuantity(text); err != nil {
		return decimal{}, false
	}
	suffix := quantitySuffix.FindString(text)
	number, ok := readDecimal(strings.TrimSuffix(text, suffix))
	if !ok {
		return decimal{}, false
	}
	if power, binary := binarySuffixes[suffix]; binary {
		digits, _ := new(big.Int).SetString(number.digits, 10)
		return newDecimal(digits.Mul(digits, new(big.Int).Lsh(big.NewInt(1), uint(10*power))).String(), number.exponent)
	}
	if number.digits != "0" {
		number.exponent += decimalSuffixes[suffix]
	}
	return number, true
}

// SameDuration reports whether two texts are the same Go duration. Unlike Go's ParseDuration, it does not
// cut off fractions of a nanosecond.
func SameDuration(a, b string) bool {
	if !startsAmount(a) || !startsAmount(b) {
		return false
	}
	x, y := readDuration(a), readDuration(b)
	return x != nil && y != nil && x.Cmp(y) == 0
}

var durationPart = regexp.MustCompile(`([\d.]+)([a-z\x{b5}\x{3bc}]+)`)

// readDuration returns nanoseconds, or nil.
func readDuration(text string) *big.Rat {
	if len(text) > longestAmount {
		return nil
	}
	if _, err := time.ParseDuration(text); err != nil {
		return nil
	}
	sum := new(big.Rat)
	for _, part := range durationPart.FindAllStringSubmatch(text, -1) {
		unit, err := time.ParseDuration("1" + part[2])
		number, ok := new(big.Rat).SetString(strings.Trim(part[1], "."))
		if strings.HasPrefix(part[1], ".") {
			number, ok = new(big.Rat).SetString("0" + part[1])
		}
		if err != nil || !ok {
			return nil
		}
		sum.Add(sum, number.Mul(number, new(big.Rat).SetInt64(int64(unit))))
	}
	if strings.HasPrefix(text, "-") {
		sum.Neg(sum)
	}
	return sum
}
