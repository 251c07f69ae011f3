// Package explore looks for inputs on which two validators disagree.
//
// An [Explorer] starts from objects that a validator accepts. It first changes one thing at a time:
// for each field it tries values at and beside the bounds of the schema, the values that rules
// compare the field with, missing and repeated parts, and other spellings. Objects that are
// accepted and have something new are changed as well, and become updates of each other. Then it
// combines changes at random, and prefers inputs that made a validator do something new.
//
// A [Maker] makes objects for a single keyword or rule, from the same values.
//
// The explorer knows nothing about the validators: [Ask] answers for both of them. Each new
// disagreement is shrunk to a small input before it is reported. The inputs depend only on the
// seed, the starts and the answers, not on the number of cores.
package explore
