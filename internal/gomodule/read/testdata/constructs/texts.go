package constructs

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

var at = spec.Child("text")

func wrong(is bool) field.ErrorList {
	if is {
		return field.ErrorList{field.Invalid(at, nil, "is wrong")}
	}
	return nil
}

// ValidatePrefixOfBytes takes the first bytes of a text, which may be a part of a letter.
func ValidatePrefixOfBytes(obj *Thing) field.ErrorList {
	return wrong(len(obj.Spec.Text) >= 2 && obj.Spec.Text[:2] == "é")
}

// ValidateRestOfBytes takes the rest of a text after a prefix.
func ValidateRestOfBytes(obj *Thing) field.ErrorList {
	return wrong(strings.HasPrefix(obj.Spec.Text, "a") && obj.Spec.Text[1:] == obj.Spec.Name)
}

// ValidateLowered compares a text without regard to case: more than the letters of ASCII have one.
func ValidateLowered(obj *Thing) field.ErrorList {
	return wrong(strings.ToLower(obj.Spec.Text) == "fast" || strings.ToLower(obj.Spec.Text) == "k")
}

// ValidateEqualFold folds case as Unicode does.
func ValidateEqualFold(obj *Thing) field.ErrorList {
	return wrong(strings.EqualFold(obj.Spec.Text, "fast") || strings.EqualFold(obj.Spec.Text, "k"))
}

// ValidateTrimmedPrefix takes away a prefix that may not be there.
func ValidateTrimmedPrefix(obj *Thing) field.ErrorList {
	return wrong(strings.TrimPrefix(obj.Spec.Text, "a") == "é" || strings.TrimSuffix(obj.Spec.Text, "h") == "1")
}

// ValidateCut cuts a text in two.
func ValidateCut(obj *Thing) field.ErrorList {
	key, value, ok := strings.Cut(obj.Spec.Text, "=")
	return wrong(ok && (key == "" || strings.Contains(value, "=")))
}

// ValidateSplitAll splits a text into any number of parts, and asks each.
func ValidateSplitAll(obj *Thing) field.ErrorList {
	for _, part := range strings.Split(obj.Spec.Text, ",") {
		if part == "b" {
			return field.ErrorList{field.Invalid(at, part, "must not be b")}
		}
	}
	return nil
}

// ValidateIndexInText asks where a text has another one, in bytes.
func ValidateIndexInText(obj *Thing) field.ErrorList {
	return wrong(strings.Index(obj.Spec.Text, "a") == 2 || strings.Index(obj.Spec.Text, "=") == 0)
}

// ValidateCountInText counts how often a text has another one.
func ValidateCountInText(obj *Thing) field.ErrorList {
	return wrong(strings.Count(obj.Spec.Text, "=") > 1)
}

// ValidateContainsAny asks for one of several letters.
func ValidateContainsAny(obj *Thing) field.ErrorList {
	return wrong(strings.ContainsAny(obj.Spec.Text, " ,]"))
}

// ValidateTrimmedSpace takes away blanks.
func ValidateTrimmedSpace(obj *Thing) field.ErrorList {
	return wrong(obj.Spec.Text != strings.TrimSpace(obj.Spec.Text))
}

// ValidateJoined joins the items of a list.
func ValidateJoined(obj *Thing) field.ErrorList {
	return wrong(strings.Join(obj.Spec.Names, ",") == "a,b" || len(strings.Join(obj.Spec.Names, "/")) > 8)
}

// ValidateConcatenated is how names of what a controller makes are checked.
func ValidateConcatenated(obj *Thing) field.ErrorList {
	return wrong(len(obj.Spec.Name+"-"+obj.Spec.Text) > 8)
}

// ValidateRuneCount counts letters.
func ValidateRuneCount(obj *Thing) field.ErrorList {
	return wrong(utf8.RuneCountInString(obj.Spec.Text) == 2)
}

// ValidateUpper asks each letter of a text.
func ValidateUpper(obj *Thing) field.ErrorList {
	for _, letter := range obj.Spec.Text {
		if unicode.IsUpper(letter) {
			return field.ErrorList{field.Invalid(at, obj.Spec.Text, "must be of lower case")}
		}
	}
	return nil
}

// ValidateParsedNumber reads a number with leading zeros, or too many digits.
func ValidateParsedNumber(obj *Thing) field.ErrorList {
	_, err := strconv.Atoi(obj.Spec.Text)
	return wrong(err != nil && obj.Spec.Text != "")
}

// ValidateParsedPort reads a number of 16 bits.
func ValidateParsedPort(obj *Thing) field.ErrorList {
	n, err := strconv.ParseInt(obj.Spec.Text, 10, 16)
	return wrong(err == nil && n > 10)
}

// ValidateParsedBool reads one of the texts that Go takes for true and false.
func ValidateParsedBool(obj *Thing) field.ErrorList {
	if enabled, err := strconv.ParseBool(obj.Spec.Text); err != nil {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Text, "is neither true nor false")}
	} else if enabled {
		return field.ErrorList{field.Invalid(at, obj.Spec.Text, "must be false")}
	}
	return nil
}

// ValidateWrittenNumber compares a number as a text.
func ValidateWrittenNumber(obj *Thing) field.ErrorList {
	return wrong(strconv.Itoa(int(obj.Spec.Replicas)) == obj.Spec.Name)
}

// ValidateOrder compares texts by their bytes.
func ValidateOrder(obj *Thing) field.ErrorList {
	return wrong(obj.Spec.Text > "a" && obj.Spec.Text < obj.Spec.Name)
}

var (
	pattern   = "[a-z]+"
	qualified = regexp.MustCompile("^" + pattern + "/" + pattern + "$")
	anywhere  = regexp.MustCompile("[0-9]")
)

// ValidateComposedPattern has a pattern that is put together of variables.
func ValidateComposedPattern(obj *Thing) field.ErrorList {
	return wrong(qualified.MatchString(obj.Spec.Name))
}

// ValidateUnanchored has a pattern that may match anywhere.
func ValidateUnanchored(obj *Thing) field.ErrorList {
	return wrong(anywhere.MatchString(obj.Spec.Text))
}

// ValidateMatchedPattern compiles a pattern where it is asked.
func ValidateMatchedPattern(obj *Thing) field.ErrorList {
	matched, err := regexp.MatchString("^a[=b]", obj.Spec.Text)
	return wrong(err == nil && matched)
}

// ValidateLineEnd has a pattern whose end is that of the text, and not of a line.
func ValidateLineEnd(obj *Thing) field.ErrorList {
	return wrong(regexp.MustCompile("^a$").MatchString(obj.Spec.Text))
}

// ValidateMiddleByte asks a byte in the middle of a text.
func ValidateMiddleByte(obj *Thing) field.ErrorList {
	return wrong(len(obj.Spec.Text) > 2 && obj.Spec.Text[1] == '=')
}

// ValidateLastByte asks the last byte, which may be a part of a letter.
func ValidateLastByte(obj *Thing) field.ErrorList {
	return wrong(obj.Spec.Text != "" && obj.Spec.Text[len(obj.Spec.Text)-1] == 'a')
}

// ValidateContainsFunc gives a closure to a function of slices.
func ValidateContainsFunc(obj *Thing) field.ErrorList {
	return wrong(slices.ContainsFunc(obj.Spec.Items, func(item Item) bool { return item.Name == obj.Spec.Name && item.Count > 0 }))
}

// ValidateIndexFunc asks where an item is.
func ValidateIndexFunc(obj *Thing) field.ErrorList {
	return wrong(slices.IndexFunc(obj.Spec.Items, func(item Item) bool { return item.Weight != nil }) < 0)
}

// ValidateIndexOf uses the index of an item to read it.
func ValidateIndexOf(obj *Thing) field.ErrorList {
	i := slices.Index(obj.Spec.Names, "a")
	return wrong(i >= 0 && i+1 < len(obj.Spec.Names) && obj.Spec.Names[i+1] == "b")
}

// ValidateSortedList asks whether a list is sorted.
func ValidateSortedList(obj *Thing) field.ErrorList {
	return wrong(!slices.IsSorted(obj.Spec.Names))
}

// ValidateCompacted counts names without those that repeat.
func ValidateCompacted(obj *Thing) field.ErrorList {
	names := slices.Clone(obj.Spec.Names)
	slices.Sort(names)
	return wrong(len(slices.Compact(names)) != len(obj.Spec.Names))
}

// ValidateEqualLists compares two lists: an empty one is equal to none.
func ValidateEqualLists(obj *Thing) field.ErrorList {
	return wrong(slices.Equal(obj.Spec.Tags, obj.Spec.Names))
}

// ValidateListOfConstants looks for a value in a list of constants of its type.
func ValidateListOfConstants(obj *Thing) field.ErrorList {
	return wrong(!slices.Contains([]Mode{Fast, Slow, ""}, obj.Spec.Mode))
}

// ValidateLargestOfList asks a function for the largest number, which panics without numbers.
func ValidateLargestOfList(obj *Thing) field.ErrorList {
	return wrong(len(obj.Spec.Names) > 0 && slices.Max(obj.Spec.Names) > "b")
}

// ValidateAssumedNumber reads a number without asking whether the text has one.
func ValidateAssumedNumber(obj *Thing) field.ErrorList {
	n, _ := strconv.Atoi(obj.Spec.Text)
	return wrong(n > 9 || n < -1)
}

// ValidateAssumedPort reads a number of 16 bits in the same way.
func ValidateAssumedPort(obj *Thing) field.ErrorList {
	n, _ := strconv.ParseInt(obj.Spec.Text, 10, 16)
	return wrong(n == math.MaxInt16 || n < 0)
}

var percentage = regexp.MustCompile(`^[0-9]+%$`)

// ValidatePercentage cuts a part off a text that has a pattern, and reads it.
func ValidatePercentage(obj *Thing) field.ErrorList {
	if !percentage.MatchString(obj.Spec.Text) {
		return nil
	}
	n, _ := strconv.Atoi(obj.Spec.Text[:len(obj.Spec.Text)-1])
	return wrong(n > 100)
}
