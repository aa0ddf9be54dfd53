package resources

import (
	"crypto/sha256"
	"encoding/hex"
)

// Checkpoint is one line of .idumb/checkpoints/<task>.jsonl: something that was
// really done for a task, recorded by the hook after the tool ran. It is
// written for writes, edits and for build, test and git commands only. The log of a comment says
// where it came from and who was told it (ToolMade, ToolCame, ToolTold).
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
	Turn          int      `json:"turn,omitempty" doc:"The turn of the session in which it was told, of a comment."`
	DurationMs    int      `json:"durationMs,omitempty" doc:"How long the whole command line ran, in milliseconds; absent where it was not measured."`
}

// ToolHalt is the tool of a checkpoint that tells of a halt. It is shown among the others, and
// shows neither that anything was done nor that anybody is at work.
const ToolHalt = "halt"

// Tools of the lines in a comment's log.
const (
	ToolMade = "comment" // it was made here, by idumb
	ToolCame = "git"     // it came by git: Agent is who added it, Succeeded whether they are one of the person's people
	ToolTold = "told"    // Session was told it, in its Turn
)

// CheckpointsKind stands in a Key for a task's checkpoint log. It is no
// resource kind: the log only grows.
const CheckpointsKind = "checkpoints"

// EventsKind names the event log in commands (idumb get events).
const EventsKind = "events"

// Event is one line of .idumb/events/<day>.jsonl: what a reconciler or the hook
// did or saw, aggregated.
type Event struct {
	Time    Time   `json:"time"`
	Type    string `json:"type"`   // Normal or Warning
	Reason  string `json:"reason"` // one CamelCase word
	Object  string `json:"object"` // "task/build-login-form"
	Message string `json:"message"`
	Count   int    `json:"count,omitempty"` // how often since First, where more than once
	First   Time   `json:"firstTime,omitzero"`
	From    string `json:"from,omitempty"` // "task-reconciler", "hook/claude"
	// Violation is there for those that tell of a call against the rules, or what a person makes of it.
	Violation *Violation `json:"violation,omitempty"`
}

// Reasons of the events that tell of a call against the rules.
const (
	ReasonDenied     = "Denied"     // the gate denied it
	ReasonWouldDeny  = "WouldDeny"  // mode log let it pass; enforce would have denied it
	ReasonGotThrough = "GotThrough" // it ran though the gate was not asked, or not heeded
	ReasonAsked      = "Asked"      // the person is asked where the agent runs
)

// Reasons of the events that tell what a person makes of a denial.
const (
	ReasonGranted = "Granted"     // the same call passes once
	ReasonFine    = "DenialFine"  // it was right
	ReasonAllowed = "AllowedOnce" // the call that was granted passed
)

// ReasonPassed is the reason of the events that tell of a call that passed after the same call of its
// session was denied: the denial needs no decision any more.
const ReasonPassed = "PassedLater"

// Verdict returns in words what the gate did about the call of an event. It is empty for an event of another reason.
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

// ReasonTriggered is the reason of the events that tell of a trigger that was set off.
const ReasonTriggered = "Triggered"

// Violation is a call against the rules, as the hook recorded it.
type Violation struct {
	Session string `json:"session,omitempty"` // who made it, by the name of the record
	Agent   string `json:"agent,omitempty"`
	Tool    string `json:"tool,omitempty"` // as the host names it
	Rule    string `json:"rule"`
	Task    string `json:"task,omitempty"`   // that it was judged under
	Call    string `json:"call,omitempty"`   // what it would have done: equal for equal calls; cut where it is long
	Stays   string `json:"stays,omitempty"`  // of a denial: the rule that would deny the call although a person allows it
	Digest  string `json:"digest,omitempty"` // of the exact call, to the letter; "" where no session is known
}

// ID names a denial: the same for the same call of a session that the same rule denies. "" where it has
// no digest.
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
