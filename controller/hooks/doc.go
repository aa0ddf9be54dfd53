// Package hooks answers the hooks of coding agents. It reads one event of a
// host from standard input, decides with package admission or collects the
// packed context, and writes the answer in the format of the host.
//
// Package hosts converts bytes to an Event and an Answer to bytes. The handlers
// (gate.go, record.go, context.go, stop.go) convert an Event to an Answer.
// repo.go is the view of the repository in one run, based on the controller's
// cache or on the files (files.go; speccache.go avoids reading files again).
// statefiles.go stores the data that hooks keep between runs.
//
// # Design
//
// The hook runs once for every tool call. It links few packages, reads files by
// name and writes only changes. On every host a hook that crashes, hangs or
// gives a wrong answer opens the gate. Therefore the hook has its own deadline.
// If it cannot judge a write while governance is enforced, it denies the write
// with a reason. It leaves every other event to the host and prints nothing.
package hooks
