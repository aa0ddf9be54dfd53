// Package memory computes the state of mems: the remaining confidence
// (curve.go), chains of replacements (chain.go), contradictions and changed
// evidence (conditions.go). It also derives mems from tasks, decisions and
// anchors (derived.go), from commits (derived_commit.go) and from exports of
// sessions (export.go, synthesis.go).
//
// All functions are pure. They require only a Graph of mems or a status.View.
package memory
