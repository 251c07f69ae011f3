package celproof

// outcomes is a set of possible outcomes of an expression.
type outcomes uint8

const (
	isTrue outcomes = 1 << iota
	isFalse
	isError
	isAny = isTrue | isFalse | isError
)

func outcome(is bool) outcomes {
	if is {
		return isTrue
	}
	return isFalse
}

func (o outcomes) not() outcomes {
	return o&isError | (o&isTrue)<<1 | (o&isFalse)>>1
}

// or returns the outcomes of CEL's "||", in which true absorbs an error.
func (o outcomes) or(other outcomes) outcomes {
	made := (o | other) & isTrue
	if o&isFalse != 0 && other&isFalse != 0 {
		made |= isFalse
	}
	if o&isError != 0 && other&(isFalse|isError) != 0 || other&isError != 0 && o&(isFalse|isError) != 0 {
		made |= isError
	}
	return made
}
