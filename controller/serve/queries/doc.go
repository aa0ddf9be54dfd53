// Package queries implements the read queries of commands and tools. Each
// question is a function of a Source and its parameters. A Source reads from
// the controller's cache or from the files, with the same answers. Answers can
// be encoded as JSON.
package queries
