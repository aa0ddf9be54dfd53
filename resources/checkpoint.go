package resources

import (
	"crypto/sha256"
	"encoding/hex"
)

// Checkpoint is one line of .idumb/checkpoints/<task>.jsonl: a completed action for a task,
// recorded by the hook after the tool ran. Checkpoints are written for writes, edits, and
// build, test and git commands only. The log of a comment records its source and its
// deliveries (ToolMade, ToolCame, ToolTold).
type Checkpoint struct {
	Time          Time     `json:"time" doc:"When it was recorded."`
	Session       string   `json:"session,omitempty" doc:"The session that did it."`
	Agent         string   `json:"agent,omitempty" doc:"The agent that did it."`
	Tool          string   `json:"tool" doc:"The tool that ran: write, edit, shell, ..."`
	Summary       string   `json:"summary,omitempty" doc:"One line for people."`
	FilesModified []string `json:"filesModified,omitempty" doc:"Files that were written, from the repository's root."`
	Command       string   `json:"command,omitempty" doc:"The command line, for a shell tool."`
	Succeeded     *bool    `json:"succeeded,omitempty" doc:"Whether the command ended with exit code 0; absent where the host does not say."`
	ExitCode      *int     `json:"exitCode,omitempty" doc:"The exit code of the whole command line, -1 if it was ended at its timeout; absent where the host does not say."`
	Turn          int      `json:"turn,omitempty" doc:"For a comment, the session's turn in which it was delivered."`
	DurationMs    int      `json:"durationMs,omitempty" doc:"Duration of the command line in milliseconds; absent if it was not measured."`
}

// ToolHalt is the tool of a checkpoint that records a halt. The checkpoint is listed with
// the other checkpoints, but is not evidence of completed work or of a running agent.
const ToolHalt = "halt"

// Tools of the lines in a comment's log.
const (
	ToolMade = "comment" // created in this clone by idumb
	ToolCame = "git"     // arrived through git: Agent is the commit author, Succeeded reports whether the user trusts the author
	ToolTold = "told"    // delivered to Session in its Turn
)

// CheckpointsKind is the Kind in the Key of a task's checkpoint log. It is not a resource
// kind, because the log is append-only.
const CheckpointsKind = "checkpoints"

// EventsKind names the event log in commands (idumb get events).
const EventsKind = "events"

// Event is one line of .idumb/events/<day>.jsonl: an aggregated action or observation of a
// reconciler or the hook.
type Event struct {
	Time    Time   `json:"time"`
	Type    string `json:"type"`   // Normal or Warning
	Reason  string `json:"reason"` // one CamelCase word
	Object  string `json:"object"` // "task/build-login-form"
	Message string `json:"message"`
	Count   int    `json:"count,omitempty"` // number of occurrences since First; omitted for a single occurrence
	First   Time   `json:"firstTime,omitzero"`
	From    string `json:"from,omitempty"` // "task-reconciler", "hook/claude"
	// Violation is set for events about a call against the rules, or about the user's
	// decision on it.
	Violation *Violation `json:"violation,omitempty"`
}

// Reasons of events about a call against the rules.
const (
	ReasonDenied     = "Denied"     // the gate denied the call
	ReasonWouldDeny  = "WouldDeny"  // the call ran in mode log; mode enforce denies it
	ReasonGotThrough = "GotThrough" // the call ran without a decision of the gate, or against it
	ReasonAsked      = "Asked"      // the host prompted the user
)

// Reasons of events about the user's decision on a denial.
const (
	ReasonGranted = "Granted"     // the same call is allowed once
	ReasonFine    = "DenialFine"  // the user confirmed the denial
	ReasonAllowed = "AllowedOnce" // a call with a one-time permission ran
)

// ReasonPassed is the reason of events about a call that was allowed after an earlier
// denial of the same call in its session. The denial no longer needs a decision.
const ReasonPassed = "PassedLater"

// Verdict returns the gate's decision on the call of an event, as text. It returns "" for
// other reasons.
func (e *Event) Verdict() string {
	switch e.Reason {
	case ReasonDenied:
		return "denied"
	case ReasonWouldDeny:
		return "would deny"
	case ReasonGotThrough:
		return "got through"
	case ReasonPassed:
		return "passed later"
	}
	return ""
}

// ReasonTriggered is the reason of events about a trigger that fired.
const ReasonTriggered = "Triggered"

// Violation is a call against the rules, as recorded by the hook.
type Violation struct {
	Session string `json:"session,omitempty"` // name of the caller's session record
	Agent   string `json:"agent,omitempty"`
	Tool    string `json:"tool,omitempty"` // name of the tool in the host
	Rule    string `json:"rule"`
	Task    string `json:"task,omitempty"`   // the task that the gate evaluated the call for
	Call    string `json:"call,omitempty"`   // effect of the call: equal for equal calls, truncated if long
	Stays   string `json:"stays,omitempty"`  // for denials: the rule that still denies the call after a one-time permission
	Digest  string `json:"digest,omitempty"` // hash of the exact call; empty if the session is unknown

	Why        string `json:"why,omitempty"` // causes, one per line
	UseInstead string `json:"useInstead,omitempty"`
	Evidence   string `json:"evidence,omitempty"` // sources
}

// ID returns the ID of a denial. Denials of the same call in the same session by the same
// rule share an ID. It returns "" if the session, the rule or the digest is empty.
func (v Violation) ID() string {
	if v.Session == "" || v.Rule == "" || v.Digest == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(v.Session + "\x00" + v.Rule + "\x00" + v.Digest))
	return hex.EncodeToString(sum[:6])
}

// Types of events.
const (
	Normal  = "Normal"
	Warning = "Warning"
)
