// Package plaintext makes text from outside safe to show to people.
//
// Names, messages and values come from files, validators and webhooks that users of
// diffrun may not control. Printed unchanged, they could clear the screen, hide text,
// reverse it, forge lines of a report, or fill a terminal for minutes. Four layers
// prevent that:
//
//   - [Line] and [Lines] escape everything that is not printable (control characters,
//     bidirectional overrides, zero-width characters, line separators, bytes that are
//     not UTF-8) and the commands that CI systems look for in a log, and cut long
//     texts. Package reports and the errors of strictyaml use them where foreign text
//     enters a line.
//   - [Fprintf] and [Sprintf] do so for every argument. The format is the program's own;
//     each argument becomes part of one line. The command writes only through them: its
//     stdout and stderr are not io.Writers, so that fmt.Fprint cannot be used by mistake.
//     A new message is safe without any effort.
//   - [Writer] is the last line of defense. It wraps stdout, stderr and the files of
//     reports, and escapes what the other layers missed. It cannot be the only one,
//     because it cannot distinguish a line break of the program from a foreign one.
//   - [JSON] and [YAML] write the same characters in the escapes of these formats, so
//     that nothing is lost and a terminal shows the same as for text.
//
// The result is for display: a backslash stays as it is, so escaping twice changes
// nothing, and the original text cannot be restored. The limits are in bounds.go.
// Formats for programs escape and cut nothing away.
package plaintext
