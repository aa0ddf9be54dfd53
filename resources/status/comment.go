package status

import (
	"slices"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Comments is what was said about objects.
type Comments interface {
	// Comment returns the last good version of a comment.
	Comment(name string) (*resources.Comment, bool)
	// CommentsNaming returns the comments that name that object anywhere in their spec, sorted by
	// name.
	CommentsNaming(key resources.Key) []*resources.Comment
	// CommentsBy returns the comments of that author, as spec.author has it, sorted by name.
	CommentsBy(author string) []*resources.Comment
}

// CommentLog is what a comment's log says of it. The zero log: nobody knows where it came from.
type CommentLog struct {
	Here  bool                // it was made here, by idumb
	From  string              // who added it to git; "" if it did not come from there, or nobody looked
	Known bool                // that is one of the person's people
	Told  []resources.Telling // each session once, as it was told last
}

// add takes in a line; false for one that is about no comment.
func (l *CommentLog) add(c resources.Checkpoint) bool {
	switch c.Tool {
	case resources.ToolMade:
		l.Here = true
	case resources.ToolCame: // also of a log that came by git itself, whatever it says
		l.Here, l.From, l.Known = false, c.Agent, c.Succeeded != nil && *c.Succeeded
	case resources.ToolTold:
		l.Told = slices.DeleteFunc(l.Told, func(t resources.Telling) bool { return t.Session == c.Session })
		l.Told = append(l.Told, resources.Telling{Session: c.Session, Turn: c.Turn, At: c.Time})
	default:
		return false
	}
	return true
}

// own reports whether what a comment says is the word of this machine's person or agents, or of
// somebody whom the person counts among their people.
func (l *CommentLog) own() bool { return l.Here || l.Known }

// CommentBinds reports whether a comment is an instruction to agents here: a person's, made here, or
// by somebody of the person's people. Any other one is information, and holds nothing.
func CommentBinds(c *resources.Comment, v View) bool {
	t := resources.CommentType(c)
	asks := t == resources.CommentInstruction || c.Spec.Hold && t == resources.CommentQuestion
	return asks && v.Evidence(c.Metadata.Name).Comment.own()
}

// CommentSettledBy is the comment that resolved or replaced one, or answered it if it is a question;
// "" for none. One that binds is settled only by the person's own, by agents here and by their people.
func CommentSettledBy(c *resources.Comment, v View) string {
	return repliedTo(c, v, func(by *resources.Comment) bool {
		name := c.Metadata.Name
		answered := resources.CommentType(c) == resources.CommentQuestion && answers(by, name)
		return answered || by.Spec.Supersedes == name || slices.Contains(by.Spec.Resolves, name)
	})
}

// CommentHolds reports whether what is written for the task of a comment is denied: it binds, holds,
// and is neither answered nor settled.
func CommentHolds(c *resources.Comment, v View) bool {
	if !c.Spec.Hold || !CommentBinds(c, v) {
		return false
	}
	answered := func(by *resources.Comment) bool { return answers(by, c.Metadata.Name) }
	return repliedTo(c, v, answered) == "" && CommentSettledBy(c, v) == ""
}

// HeldBy returns a comment that holds a task; nil if none does.
func HeldBy(task resources.Key, v View) *resources.Comment {
	for _, c := range v.CommentsNaming(task) {
		if resources.CommentAbout(c) == task && CommentHolds(c, v) {
			return c
		}
	}
	return nil
}

// answers reports whether a comment answers the one of that name.
func answers(by *resources.Comment, name string) bool {
	return resources.CommentType(by) == resources.CommentAnswer && by.Spec.InReplyTo == name
}

// repliedTo is the first comment that does something to another one, and counts.
func repliedTo(c *resources.Comment, v View, does func(by *resources.Comment) bool) string {
	binds := CommentBinds(c, v)
	for _, by := range v.CommentsNaming(c.Key()) {
		if by.Metadata.Name != c.Metadata.Name && does(by) && (!binds || v.Evidence(by.Metadata.Name).Comment.own()) {
			return by.Metadata.Name
		}
	}
	return ""
}

// CommentsOn returns the comments about an object that are not settled, the oldest first.
func CommentsOn(key resources.Key, v View) []*resources.Comment {
	return slices.DeleteFunc(slices.Clone(v.CommentsNaming(key)), func(c *resources.Comment) bool {
		return resources.CommentAbout(c) != key || CommentSettledBy(c, v) != ""
	})
}

// OpenQuestions returns the questions of a session's agent that nobody answered, the oldest first.
func OpenQuestions(session string, v View) []*resources.Comment {
	return slices.DeleteFunc(slices.Clone(v.CommentsBy(resources.SessionPrefix+session)), func(c *resources.Comment) bool {
		return resources.CommentType(c) != resources.CommentQuestion || CommentSettledBy(c, v) != ""
	})
}

// DeriveComment computes what holds about a comment.
func DeriveComment(c *resources.Comment, v WideView) (st resources.CommentStatus, next time.Time) {
	log := v.Evidence(c.Metadata.Name).Comment
	st.ToldTo, st.Binds, st.SettledBy = log.Told, CommentBinds(c, v), CommentSettledBy(c, v)
	if !log.Here {
		st.From = log.From
	}
	for _, by := range v.CommentsNaming(c.Key()) {
		if answers(by, c.Metadata.Name) {
			st.AnsweredBy = append(st.AnsweredBy, by.Metadata.Name)
		}
	}
	switch {
	case st.SettledBy != "":
		st.Phase = resources.CommentResolved
	case len(st.ToldTo) > 0:
		st.Phase = resources.CommentTold
	default:
		st.Phase = resources.CommentOpen
	}
	st.Conditions = orphanedComment(c, v)
	return st, time.Time{}
}

func orphanedComment(c *resources.Comment, v View) []resources.Condition {
	o := Orphan{View: v}
	if about := resources.CommentAbout(c); about.Kind != resources.Sessions {
		o.Check("spec.about", about.Kind, about.Name)
	}
	for i, name := range c.Spec.Resolves {
		o.Check("spec.resolves["+strconv.Itoa(i)+"]", resources.Comments, name)
	}
	o.Check("spec.inReplyTo", resources.Comments, c.Spec.InReplyTo)
	o.Check("spec.supersedes", resources.Comments, c.Spec.Supersedes)
	return o.conditions()
}
