// Package hooks answers the hooks of coding agents: it reads one event of a host
// from standard input, decides by package admission or gathers the packed
// context, and writes that host's own form of the answer.
//
// The parts, from outside in: package hosts turns bytes into an Event and an Answer
// into bytes; the handlers (gate.go, record.go, context.go, stop.go) turn an Event
// into an Answer; repo.go is the repository as one run sees it, over the controller's cache
// or the files (files.go, which ledger.go spares reading again); folder.go keeps what hooks remember between two runs.
//
// # Why it is built the way it is
//
// It runs once for every tool call, so it links little, reads files by name and
// writes only what changed. On every host a hook that crashes, hangs or answers
// wrongly opens the gate; so it keeps a deadline of its own, and where it cannot
// judge a write while governance is enforced, it denies and says why. Everything
// else it leaves to the host, in silence.
package hooks
