package markdown

import (
	"os"
	"regexp"
	"strings"
)

// Page is a Markdown file.
type Page struct {
	File     string
	Blocks   []Block
	Tables   []Table
	Links    []Link
	Code     []Span // `code` in running text and tables
	Headings []Span
}

// Block is a code block. An indented one has no Info.
type Block struct {
	Line int // of the first line of Text
	// Info is the text after the fence: the language, then attributes.
	Info string
	Text string
}

// Span is a piece of text.
type Span struct {
	Line int
	Text string
}

// Link is [text](Target).
type Link struct {
	Line   int
	Target string
}

// Language returns the first word of the info string.
func (b Block) Language() string {
	language, _, _ := strings.Cut(b.Info, " ")
	return language
}

// Attribute returns the value of "name=value" in the info string, or "".
func (b Block) Attribute(name string) string {
	for word := range strings.FieldsSeq(b.Info) {
		if value, found := strings.CutPrefix(word, name+"="); found {
			return value
		}
	}
	return ""
}

// Lines returns the lines of the block.
func (b Block) Lines() []string { return strings.Split(strings.TrimSuffix(b.Text, "\n"), "\n") }

// Read reads a file.
func Read(file string) (*Page, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, string(data)), nil
}

// Parse reads the text of a file.
func Parse(file, text string) *Page {
	p := &Page{File: file}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); {
		switch line := lines[i]; {
		case isFence(line):
			i = p.fenced(lines, i)
		case strings.HasPrefix(line, indent) && (i == 0 || lines[i-1] == ""):
			i = p.indented(lines, i)
		case strings.HasPrefix(line, "|"):
			i = p.table(lines, i)
		default:
			p.running(line, i+1)
			i++
		}
	}
	return p
}

// indent begins the lines of a code block without a fence.
const indent = "    "

const fence = "```"

func isFence(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " "), fence) }

// fenced reads the block that begins at line i, and returns the line after it.
func (p *Page) fenced(lines []string, i int) int {
	margin, info, _ := strings.Cut(lines[i], fence)
	block := Block{Line: i + 2, Info: strings.TrimSpace(info)}
	for i++; i < len(lines) && !isFence(lines[i]); i++ {
		block.Text += strings.TrimPrefix(lines[i], margin) + "\n"
	}
	p.Blocks = append(p.Blocks, block)
	return i + 1
}

// indented reads the block that begins at line i, and returns the line after it.
func (p *Page) indented(lines []string, i int) int {
	block := Block{Line: i + 1}
	for ; i < len(lines) && strings.HasPrefix(lines[i], indent); i++ {
		block.Text += strings.TrimPrefix(lines[i], indent) + "\n"
	}
	p.Blocks = append(p.Blocks, block)
	return i
}

var (
	link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code = regexp.MustCompile("`([^`]+)`")
)

// running reads a line of text.
func (p *Page) running(line string, number int) {
	if heading, isHeading := strings.CutPrefix(line, "#"); isHeading {
		p.Headings = append(p.Headings, Span{number, strings.TrimSpace(strings.TrimLeft(heading, "#"))})
	}
	for _, found := range link.FindAllStringSubmatch(line, -1) {
		p.Links = append(p.Links, Link{number, found[1]})
	}
	for _, found := range code.FindAllStringSubmatch(line, -1) {
		p.Code = append(p.Code, Span{number, found[1]})
	}
}
