// Package scaffold finds what an operator's repository has to compare, and writes suites that run it.
//
// In comes a directory. Find reads its CustomResourceDefinitions, webhook configurations, policies,
// samples and Go sources into a Project. NewPlan decides which suites these make and what is left open,
// and Plan.Write writes them: a suite and a file of cases for each definition, and a program in the
// module of the project that serves its webhooks.
//
// It starts no program and asks no cluster; package main of the command does.
package scaffold
