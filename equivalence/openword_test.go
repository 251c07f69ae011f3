package equivalence_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/equivalence"
)

// TestOpenWordsOfBuiltinRules: the built-in rules leave parts of texts open that a rule of a user may not. The
// golden file lists them, so that each was reviewed.
func TestOpenWordsOfBuiltinRules(t *testing.T) {
	compareGolden(t, "testdata/openwords.golden", strings.Join(builtinRules(t).OpenWords(), "\n")+"\n")
}

// openWordCases are rules that would make errors with different meanings equivalent. The examples of each are
// such that they do not show it.
var openWordCases = []struct {
	why                 string
	native, declarative string
	match               [2]string
	want                string // a part of the mistake; empty: the rule is loaded
}{
	{"a unit among several", `at most (?P<n>\d+)(?:s|m|h) long`, `up to (?P<n>\d+)(?:s|m|h) long`,
		[2]string{"at most 5m long", "up to 5m long"}, "a unit"},
	{"any unit", `at most (?P<n>\d+)[a-z]* long`, `up to (?P<n>\d+)[a-z]* long`, [2]string{"at most 5m long", "up to 5m long"},
		"a negation"},
	{"a unit that may be missing", `at most (?P<n>\d+)(?:Ki)? long`, `up to (?P<n>\d+) long`,
		[2]string{"at most 5 long", "up to 5 long"}, "a unit"},
	{"units in words", `at most (?P<n>\d+) (bytes|characters)`, `up to (?P<n>\d+) characters`,
		[2]string{"at most 5 characters", "up to 5 characters"}, "a unit"},
	{"percent", `at most (?P<n>\d+)%?`, `up to (?P<n>\d+)`, [2]string{"at most 5", "up to 5"}, "a sign"},
	{"hexadecimal digits", `must be 0x[0-9a-f]+`, `should be 0x[0-9a-f]+`, [2]string{"must be 0xa", "should be 0xa"}, "a number"},
	{"digits of any script", `must be \p{Nd}+ long`, `should be \p{Nd}+ long`, [2]string{"must be ٥ long", "should be ٥ long"}, "a number"},
	{"digits of another script", `must be [٠-٩]+ long`, `should be [٠-٩]+ long`, [2]string{"must be ٥ long", "should be ٥ long"},
		"a number"},
	{"full-width digits", `must be [０-９] long`, `should be [０-９] long`, [2]string{"must be ５ long", "should be ５ long"}, "a number"},
	{"superscripts and fractions", `must be good[²³½]?`, `should be fine`, [2]string{"must be good", "should be fine"}, "a number"},
	{"no decimal digits are other characters, with other digits", `must be \D+ good`, `should be fine`,
		[2]string{"must be so good", "should be fine"}, "a number"},
	{"number words", `needs (one|two|three) ports`, `wants (one|two|three) ports`, [2]string{"needs one ports", "wants one ports"},
		"a number"},
	{"roman numbers", `must be version [ivx]+`, `should be version [ivx]+`, [2]string{"must be version xix", "should be version xix"},
		"a number"},
	{"an optional negation", `must (?:not )?be (?P<n>\d+)`, `should be (?P<n>\d+)`, [2]string{"must be 5", "should be 5"}, "a negation"},
	{"a negation in one alternative", `(must|must never) be (?P<n>\d+)`, `should be (?P<n>\d+)`,
		[2]string{"must be 5", "should be 5"}, "a negation"},
	{"a negation in another case", `(?i)must (not )?be (?P<n>\d+)`, `should be (?P<n>\d+)`,
		[2]string{"must be 5", "should be 5"}, "a negation"},
	{"a contracted negation", `should(n't)? be set`, `must be set`, [2]string{"should be set", "must be set"}, "a negation"},
	{"cannot", `it can(not)? be (?P<v>\w+)`, `it may be (?P<v>\w+)`, [2]string{"it can be x", "it may be x"}, "a negation"},
	{"a prefix that negates", `it must be (un)?set`, `it should be set`, [2]string{"it must be set", "it should be set"}, "a negation"},
	{"in front of a valid value", `it is (in)?valid`, `it is good`, [2]string{"it is valid", "it is good"}, "a negation"},
	{"a condition that may follow", `must be set( unless empty)?`, `should be set`, [2]string{"must be set", "should be set"},
		"a negation"},
	{"a tail", `must be good.*`, `must be fine`, [2]string{"must be good", "must be fine"}, "a number"},
	{"a tail of several lines", `(?s)must be good.*`, `must be fine`, [2]string{"must be good", "must be fine"}, "a number"},
	{"a head", `.* must be good`, `must be fine`, [2]string{"it must be good", "must be fine"}, "a number"},
	{"a tail on the side of the schema", `must be good`, `must be fine.*`, [2]string{"must be good", "must be fine"}, "a number"},
	{"a word without spaces", `must be at most \S+`, `should be at most \S+`, [2]string{"must be at most x", "should be at most x"},
		"a number"},
	{"a word of letters", `must be [a-z]+ good`, `should be fine`, [2]string{"must be so good", "should be fine"}, "a negation"},
	{"quoted text", `must be "[^"]*" good`, `should be fine`, [2]string{`must be "so" good`, "should be fine"}, "a number"},
	{"a sign in front of a number", `must be at least -?(?P<n>\d+)`, `should be at least (?P<n>\d+)`,
		[2]string{"must be at least 5", "should be at least 5"}, "a sign"},
	{"decimals behind a number", `must be at least (?P<n>\d+)(\.\d+)?`, `should be at least (?P<n>\d+)`,
		[2]string{"must be at least 5", "should be at least 5"}, "a number"},
	{"the direction", `must be (less|greater) than (?P<n>\d+)`, `should be less than (?P<n>\d+)`,
		[2]string{"must be less than 5", "should be less than 5"}, "a direction"},
	{"at least, or at most", `must have at (least|most) (?P<n>\d+)`, `should have at least (?P<n>\d+)`,
		[2]string{"must have at least 5", "should have at least 5"}, "a direction"},
	{"whether the bound is included", `must be less than (or equal to )?(?P<n>\d+)`, `should be less than (?P<n>\d+)`,
		[2]string{"must be less than 5", "should be less than 5"}, "a direction"},
	{"an operator", `must be <=? (?P<n>\d+)`, `should be < (?P<n>\d+)`, [2]string{"must be < 5", "should be < 5"}, "a sign"},
	{"a repeated negation", `must (not ){0,2}be set`, `should be set`, [2]string{"must be set", "should be set"}, "a negation"},
	{"crossed groups", `between (?P<a>\d+) and (?P<b>\d+)`, `from (?P<b>\d+) and (?P<a>\d+)`,
		[2]string{"between 1 and 1", "from 1 and 1"}, "are crossed"},
	{"a group of one side", `must be at most (?P<n>\d+)`, `should be at most \d+`,
		[2]string{"must be at most 5", "should be at most 5"}, "is on one side only"},

	{"hexadecimal numbers that differ in letters", `at most 0x(ff|fe)`, `up to the limit`,
		[2]string{"at most 0xff", "up to the limit"}, "a number"},
	{"hexadecimal letters in another order", `at most 0X(?:AB|BA)`, `up to the limit`,
		[2]string{"at most 0XAB", "up to the limit"}, "a number"},
	{"mega and milli", `at most (?P<n>\d+)(?i:m)`, `up to (?P<n>\d+)m`, [2]string{"at most 5m", "up to 5m"}, "a unit"},
	{"byte and bit of a fixed number", `(?i)at most 5b`, `up to the limit`, [2]string{"at most 5b", "up to the limit"}, "a unit"},
	{"the minus of typography", `at least −?(?P<n>\d+)`, `from (?P<n>\d+)`, [2]string{"at least 5", "from 5"}, "a sign"},
	{"a full-width minus", `at least －?(?P<n>\d+)`, `from (?P<n>\d+)`, [2]string{"at least 5", "from 5"}, "a sign"},
	{"plus or minus", `at least ±?(?P<n>\d+)`, `from (?P<n>\d+)`, [2]string{"at least 5", "from 5"}, "a sign"},
	{"a tail behind the end of a line", `(?m)must be good$(?:\n.*)?`, `must be fine`, [2]string{"must be good", "must be fine"},
		"a number"},

	{"words in any case", `(?i)must be a good (?P<n>\d+)th name`, `should be the (?P<n>\d+)th name`,
		[2]string{"must be a good 5th name", "should be the 5th name"}, ""},
	{"one hexadecimal number", `(must|has to) be 0xff`, `should be 0xff`, [2]string{"must be 0xff", "should be 0xff"}, ""},
	{"fixed words", `must be good`, `must be fine`, [2]string{"must be good", "must be fine"}, ""},
	{"a number in a group", `must be at most (?P<n>\d+)`, `should be at most (?P<n>\d+)`,
		[2]string{"must be at most 5", "should be at most 5"}, ""},
	{"groups in another order, in other words", `between (?P<low>\d+) and (?P<high>\d+)`,
		`at most (?P<high>\d+), at least (?P<low>\d+)`, [2]string{"between 1 and 2", "at most 2, at least 1"}, ""},
	{"words that mean the same", `(must|has to) be good`, `should be fine`, [2]string{"must be good", "should be fine"}, ""},
	{"a negation in every alternative", `(may not|cannot|must never) be good`, `should be bad`,
		[2]string{"may not be good", "should be bad"}, ""},
	{"a plural", `must have (?P<n>\d+) items?`, `should have (?P<n>\d+) items`, [2]string{"must have 5 items", "should have 5 items"}, ""},
	{"a unit that is always there", `at most (?P<n>\d+)m long`, `up to (?P<n>\d+)m long`, [2]string{"at most 5m long", "up to 5m long"},
		""},
	{"an article", `must be (a |the )?good name`, `should be fine`, [2]string{"must be good name", "should be fine"}, ""},
	{"the same direction", `must be (greater than or equal to|at least) (?P<n>\d+)`, `should be at least (?P<n>\d+)`,
		[2]string{"must be at least 5", "should be at least 5"}, ""},
}

func TestOpenWords(t *testing.T) {
	for _, tc := range openWordCases {
		t.Run(tc.why, func(t *testing.T) {
			quote := func(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
			_, err := equivalence.LoadRules("rules.yaml", fmt.Appendf(nil, `
- name: r
  why: a test
  type: FieldValueInvalid
  native: %s
  declarative: %s
  examples: {match: [[%s, %s]], differ: [[it is odd, it is even]]}
`, quote(tc.native), quote(tc.declarative), quote(tc.match[0]), quote(tc.match[1])))
			switch {
			case tc.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tc.want != "" && err == nil:
				t.Errorf("loaded; want a mistake with %q", tc.want)
			case tc.want != "" && !strings.Contains(err.Error(), tc.want):
				t.Errorf("want a mistake with %q:\n%v", tc.want, err)
			}
		})
	}
}
