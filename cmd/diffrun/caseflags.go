package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// parseOnly reads --run; nil: all cases.
func parseOnly(text string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	only, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("--run: %w", err)
	}
	return only, nil
}

// shownIDs is how many ids a message shows as examples.
const shownIDs = 3

// leaveOut counts the cases, and remembers the first ones, that --run leaves out.
func (s *session) leaveOut(id string) {
	s.unchosenCases++
	if len(s.unchosen) < shownIDs {
		s.unchosen = append(s.unchosen, id)
	}
}

// noneChosen says that --run matches no id, and what ids look like.
func (s *session) noneChosen() error {
	if len(s.unchosen) == 0 {
		return errors.New("no case: a run that compares nothing proves nothing")
	}
	return fmt.Errorf("no case has an id that --run %q matches; ids are such as %s", s.options.only, listIDs(s.unchosen))
}

// listIDs gives ids in quotes, because they may have spaces.
func listIDs(ids []string) string {
	quoted := make([]string, len(ids))
	for i, id := range ids {
		quoted[i] = strconv.Quote(id)
	}
	return plaintext.List(quoted)
}
