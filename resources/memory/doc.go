// Package memory says what mems amount to: how much of a confidence is left (curve.go), which
// mem took the place of which (chain.go), what a mem contradicts or cites in vain
// (conditions.go), which mems follow from tasks, decisions and commits (derived.go), and what
// exports of sessions come to (export.go, synthesis.go).
//
// Its functions are pure and need no more than a Graph of mems or a status.View.
package memory
