// Package plaintext makes text from outside safe to show to people.
//
// Names, messages and values come from files, validators and webhooks that nobody
// here controls. Printed as they are, they clear the screen, hide text, turn it round,
// forge lines of a report, or fill a terminal for minutes. Four layers prevent that:
//
//   - [Line] and [Lines] escape everything that is not printable (control characters,
//     bidirectional overrides, zero-width characters, line separators, bytes that are
//     not UTF-8), and what systems that run builds take for commands in a log, and cut
//     what is too long. Package reports and the errors of
//     strictyaml use them where foreign text enters a line.
//   - [Fprintf] and [Sprintf] do so for every argument. The format is the program's own;
//     whatever is an argument becomes a piece of one line. The command writes through
//     them alone: its stdout and stderr are no io.Writer, so that fmt.Fprint cannot be
//     used by mistake. A new message is safe without a thought for it.
//   - [Writer] is the last line of defence. It stands around stdout, stderr and the files
//     of reports, and escapes what got past the others. It cannot be the only one: at
//     the end nobody can tell a line break of the program from a foreign one.
//   - [JSON] and [YAML] write the same characters in the escapes of these formats, so
//     that nothing is lost and a terminal shows nothing else than it does for text.
//
// All is for display: a backslash stays as it is, so escaping twice changes nothing, and
// the original cannot be told from the text. The bounds stand in bounds.go. Formats for
// programs escape and cut nothing away.
package plaintext
