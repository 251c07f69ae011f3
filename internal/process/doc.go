// Package process runs programs that answer each line of their stdin with a line of their stdout.
//
// A Child is one running program, with its process group and the end of its stderr. A Pool starts as many children as
// there are questions at once, keeps those that answered for the next question, and ends all of them when it is closed.
package process
