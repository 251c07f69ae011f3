package equivalence

import "fmt"

// LoadTested loads a file of the built-in rules with their checks.
func LoadTested(file string, data []byte) (*RuleSet, error) {
	return loadRules(file, data, builtinTested)
}

// OpenWords lists the numbers, units, negations and directions that the rules leave open.
func (s *RuleSet) OpenWords() []string {
	var all []string
	for _, rule := range s.rules {
		for _, of := range []sideName{nativeSide, declarativeSide} {
			if detail := rule.pattern(of); detail != nil && (rule.Kind == kindWording || rule.Kind == kindJoins) {
				if open, is := detail.openWord(rule.compared()); is {
					all = append(all, fmt.Sprintf("%s, %s: %s: %q | %q", rule.Name, of, open.kind, open.without, open.has))
				}
			}
		}
	}
	return all
}
