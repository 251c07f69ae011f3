package main

import (
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/gomodule/read"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// readLine is a line of "infer --read -o json": a site, or a part of a function that is left out.
type readLine struct {
	Function  string `json:"function"`
	Operation string `json:"operation,omitempty"`
	// At is the file and line of the site; Calls are those of the calls that lead there, outermost first.
	At    string   `json:"at,omitempty"`
	Calls []string `json:"calls,omitempty"`
	Type  string   `json:"type,omitempty"`
	Field string   `json:"field,omitempty"`
	Text  string   `json:"text,omitempty"`
	// Refuses is true where the error is made. Rule is its opposite, if all of it was read.
	Refuses string `json:"refuses,omitempty"`
	Rule    string `json:"rule,omitempty"`
	// Settings are the feature gates on which the condition depends.
	Settings []readSetting `json:"settings,omitempty"`
	Unread   []unreadPart  `json:"unread,omitempty"`
	// Class is not empty if no rule about an object can say the condition, for this reason.
	Class   read.Class  `json:"class,omitempty"`
	LeftOut *unreadPart `json:"leftOut,omitempty"`
}

// unreadPart is a place in the source that is not read.
type unreadPart struct {
	At    string     `json:"at"`
	Why   string     `json:"why"`
	Class read.Class `json:"class,omitempty"`
}

type readSetting struct {
	At      string `json:"at"`
	Gate    string `json:"gate"`
	On      bool   `json:"on"`
	Default bool   `json:"default"`
}

func unreadPartOf(one read.Unread) unreadPart {
	return unreadPart{position(one.Pos), one.Why, one.Class}
}

// printRootJSON prints the sites of a function and what is left out of it, one a line.
func printRootJSON(out *plaintext.Printer, root read.Root, sites []read.Site, left []read.Unread) error {
	var lines []readLine
	for _, site := range sites {
		line := readLine{
			At: position(site.Pos), Type: site.Type, Field: site.Field, Text: site.Text, Refuses: celexpr.String(site.Condition),
		}
		if site.Rule != nil {
			line.Rule = celexpr.String(site.Rule)
		}
		for _, call := range site.Calls {
			line.Calls = append(line.Calls, position(call))
		}
		for _, gate := range site.Settings {
			line.Settings = append(line.Settings, readSetting{position(gate.Pos), gate.Name, gate.On, gate.Default})
		}
		for _, one := range site.Unread {
			line.Unread = append(line.Unread, unreadPartOf(one))
		}
		if one, is := site.NotExpressible(); is {
			line.Class = one.Class
		}
		lines = append(lines, line)
	}
	for _, one := range left {
		part := unreadPartOf(one)
		lines = append(lines, readLine{LeftOut: &part})
	}
	for _, line := range lines {
		line.Function, line.Operation = root.Func.FullName(), root.Operation
		text, err := plaintext.JSON(line)
		if err != nil {
			return err
		}
		out.Printf("%s\n", plaintext.Text(text))
	}
	return nil
}
