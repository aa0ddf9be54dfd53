package resources

import (
	"cmp"
	"strings"
)

// Comment is a remark about an object. Comments are immutable: another comment resolves or
// replaces them.
type Comment = Resource[CommentSpec, CommentStatus]

// CommentSpec is one remark of a user or an agent.
type CommentSpec struct {
	About      string   `json:"about" idumb:"required,format=reference" doc:"The subject, as kind/name: a task, plan, mem, anchor, delegation or session."`
	Type       string   `json:"type,omitempty" idumb:"enum=instruction|question|answer|note" doc:"The type. Only users write instructions. Default note."`
	Body       string   `json:"body" idumb:"required,max=2000" doc:"The text."`
	Author     string   `json:"author,omitempty" doc:"The author: person/NAME or session/NAME. The program sets it. For a comment that came by git, the author of the commit counts."`
	Hold       bool     `json:"hold,omitempty" doc:"For an instruction or a question of a user about a task: writes for the task are denied until the comment is answered or resolved."`
	InReplyTo  string   `json:"inReplyTo,omitempty" idumb:"ref=comments" doc:"The comment that it answers."`
	Resolves   []string `json:"resolves,omitempty" idumb:"ref=comments,set" doc:"Comments that are settled by it."`
	Supersedes string   `json:"supersedes,omitempty" idumb:"ref=comments" doc:"The comment that it corrects."`
}

// Types of comments.
const (
	CommentInstruction = "instruction"
	CommentQuestion    = "question"
	CommentAnswer      = "answer"
	CommentNote        = "note"
)

// Phases of a comment, in addition to PhaseInvalid.
const (
	CommentOpen     = "open"     // not delivered to an agent yet
	CommentTold     = "told"     // delivered to an agent
	CommentResolved = "resolved" // resolved or replaced; for questions also: answered
)

// CommentStatus is the observed state of a comment.
type CommentStatus struct {
	Common
	From       string    `json:"from,omitempty" doc:"The git author who added it, if it came by git: a name and an e-mail address."`
	Binds      bool      `json:"binds,omitempty" doc:"The comment is an instruction to agents here and its hold is in effect: it was written here, or by one of the trusted people."`
	ToldTo     []Telling `json:"toldTo,omitempty" doc:"The sessions that received it, in order."`
	Holds      bool      `json:"holds,omitempty" doc:"Writes for the task are denied until the comment is answered or resolved."`
	AnsweredBy []string  `json:"answeredBy,omitempty" doc:"The comments that answer it."`
	SettledBy  string    `json:"settledBy,omitempty" doc:"The comment that resolved or replaced it."`
}

// Telling records the delivery of a comment to a session.
type Telling struct {
	Session string `json:"session" doc:"The session, by the name of its record."`
	Turn    int    `json:"turn,omitempty" doc:"The session's turn in which it was delivered."`
	At      Time   `json:"at" doc:"When it was delivered."`
}

// LocalSuffix ends the name of a comment that is kept out of git.
const LocalSuffix = ".local"

// PersonPrefix and SessionPrefix begin the author of a comment.
const (
	PersonPrefix  = "person/"
	SessionPrefix = "session/"
)

// CommentType returns spec.type, or its default, note.
func CommentType(c *Comment) string { return cmp.Or(c.Spec.Type, CommentNote) }

// CommentAbout returns the key of the object that a comment describes.
func CommentAbout(c *Comment) Key {
	self, _ := KindOf(Comments)
	return relatedKey(self, c.Spec.About)
}

// LocalSubject reports whether comments on objects of a kind stay on this machine.
func LocalSubject(kind string) bool { return kind == Sessions || kind == Delegations }

// comment checks the subject, the hold and the reference of a comment.
func (v *validator) comment(c *Comment) {
	about := CommentAbout(c)
	switch about.Kind {
	case Tasks, WorkPlans, Mems, Anchors, Delegations, Sessions:
	default:
		v.add(invalid("spec.about", c.Spec.About, "name a task, plan, mem, anchor, delegation or session, as task/NAME"))
	}
	if LocalSubject(about.Kind) && !strings.HasSuffix(c.Metadata.Name, LocalSuffix) {
		v.add(invalid("metadata.name", c.Metadata.Name, "a comment on a "+strings.TrimSuffix(about.Kind, "s")+" is local: its name ends in "+LocalSuffix))
	}
	asks := CommentType(c) == CommentInstruction || CommentType(c) == CommentQuestion
	if c.Spec.Hold && (about.Kind != Tasks || !asks) {
		v.add(Forbidden("spec.hold", "only an instruction or a question about a task holds it"))
	}
	if CommentType(c) == CommentAnswer && c.Spec.InReplyTo == "" {
		v.add(required("spec.inReplyTo"))
	}
}
