// Package agents puts iDumb into the settings of coding agents' hosts, and takes
// out exactly that again. Settings belong to people: what they wrote stays, byte
// for byte, with its order, its comments and its spacing; only what is ours comes
// and goes. Each host is one row of a table: the files that it gets, how to see
// that somebody uses it, and what a person has to know about it.
package agents
