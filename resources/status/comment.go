package status

import (
	"slices"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Comments provides access to comments.
type Comments interface {
	// Comment returns the last valid version of a comment.
	Comment(name string) (*resources.Comment, bool)
	// CommentsNaming returns the comments with a reference to an object in their spec,
	// sorted by name.
	CommentsNaming(key resources.Key) []*resources.Comment
	// CommentsBy returns the comments with that spec.author, sorted by name.
	CommentsBy(author string) []*resources.Comment
}

// CommentLog summarizes the log of a comment. The zero value means that the source is
// unknown.
type CommentLog struct {
	Local       bool                // created in this clone by idumb
	GitAuthor   string              // git author who added it; empty if it did not come through git or is not checked yet
	FromTrusted bool                // GitAuthor is one of the user's trusted people
	Deliveries  []resources.Telling // deliveries: the last one for each session
}

// add adds a line of the log. It returns false if the line does not concern a comment.
func (l *CommentLog) add(c resources.Checkpoint) bool {
	switch c.Tool {
	case resources.ToolMade:
		l.Local = true
	case resources.ToolCame: // overrides earlier lines, because the log itself may come through git
		l.Local, l.GitAuthor, l.FromTrusted = false, c.Agent, c.Succeeded != nil && *c.Succeeded
	case resources.ToolTold:
		l.Deliveries = slices.DeleteFunc(l.Deliveries, func(t resources.Telling) bool { return t.Session == c.Session })
		l.Deliveries = append(l.Deliveries, resources.Telling{Session: c.Session, Turn: c.Turn, At: c.Time})
	default:
		return false
	}
	return true
}

// isOwn reports whether a comment is from this clone, or from one of the user's trusted
// people.
func (l *CommentLog) isOwn() bool { return l.Local || l.FromTrusted }

// CommentBinds reports whether a comment is binding for agents in this clone. Instructions,
// and questions with spec.hold, are binding if they come from this clone or from the user's
// trusted people. All other comments are information only and cannot block a task.
func CommentBinds(c *resources.Comment, v View) bool {
	t := resources.CommentType(c)
	asks := t == resources.CommentInstruction || c.Spec.Hold && t == resources.CommentQuestion
	return asks && v.Evidence(c.Metadata.Name).Comment.isOwn()
}

// CommentSettledBy returns the comment that resolved, replaced or, for a question, answered
// a comment. It returns "" if there is none. A binding comment can only be settled by a
// comment from this clone or from the user's trusted people.
func CommentSettledBy(c *resources.Comment, v View) string {
	return repliedTo(c, v, func(by *resources.Comment) bool {
		name := c.Metadata.Name
		answered := resources.CommentType(c) == resources.CommentQuestion && answers(by, name)
		return answered || by.Spec.Supersedes == name || slices.Contains(by.Spec.Resolves, name)
	})
}

// CommentHolds reports whether a comment blocks writes for its task: it is binding, has
// spec.hold, and is not answered or settled.
func CommentHolds(c *resources.Comment, v View) bool {
	if !c.Spec.Hold || !CommentBinds(c, v) {
		return false
	}
	answered := func(by *resources.Comment) bool { return answers(by, c.Metadata.Name) }
	return repliedTo(c, v, answered) == "" && CommentSettledBy(c, v) == ""
}

// HeldBy returns a comment that blocks writes for a task, or nil if no comment does.
func HeldBy(task resources.Key, v View) *resources.Comment {
	for _, c := range v.CommentsNaming(task) {
		if resources.CommentAbout(c) == task && CommentHolds(c, v) {
			return c
		}
	}
	return nil
}

// HoldNote returns a short note if a comment blocks writes for a task; otherwise empty.
func HoldNote(task resources.Key, v View) string {
	c := HeldBy(task, v)
	if c == nil {
		return ""
	}
	return "held until comment/" + c.Metadata.Name + " is answered"
}

// answers reports whether by is an answer to the comment with a name.
func answers(by *resources.Comment, name string) bool {
	return resources.CommentType(by) == resources.CommentAnswer && by.Spec.InReplyTo == name
}

// repliedTo returns the name of the first comment that names c and for which
// does returns true, or "". If c is binding, only comments from this clone or
// from trusted people count.
func repliedTo(c *resources.Comment, v View, does func(by *resources.Comment) bool) string {
	binds := CommentBinds(c, v)
	for _, by := range v.CommentsNaming(c.Key()) {
		if by.Metadata.Name != c.Metadata.Name && does(by) && (!binds || v.Evidence(by.Metadata.Name).Comment.isOwn()) {
			return by.Metadata.Name
		}
	}
	return ""
}

// CommentsOn returns the unsettled comments about an object, oldest first.
func CommentsOn(key resources.Key, v View) []*resources.Comment {
	return slices.DeleteFunc(slices.Clone(v.CommentsNaming(key)), func(c *resources.Comment) bool {
		return resources.CommentAbout(c) != key || CommentSettledBy(c, v) != ""
	})
}

// OpenQuestions returns the unsettled questions of a session's agent, oldest
// first.
func OpenQuestions(session string, v View) []*resources.Comment {
	return slices.DeleteFunc(slices.Clone(v.CommentsBy(resources.SessionPrefix+session)), func(c *resources.Comment) bool {
		return resources.CommentType(c) != resources.CommentQuestion || CommentSettledBy(c, v) != ""
	})
}

// DeriveComment computes the status of a comment. The time is always zero.
func DeriveComment(c *resources.Comment, v WideView) (st resources.CommentStatus, next time.Time) {
	log := v.Evidence(c.Metadata.Name).Comment
	st.ToldTo, st.Binds, st.SettledBy = log.Deliveries, CommentBinds(c, v), CommentSettledBy(c, v)
	st.Holds = CommentHolds(c, v)
	if !log.Local {
		st.From = log.GitAuthor
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
	// Sessions may be missing.
	o := Orphan{View: v, Object: c.Key()}
	if about := resources.CommentAbout(c); about.Kind != resources.Sessions {
		o.Check("spec.about", about.Kind, about.Name)
	}
	for i, name := range c.Spec.Resolves {
		o.Check("spec.resolves["+strconv.Itoa(i)+"]", resources.Comments, name)
	}
	o.Check("spec.inReplyTo", resources.Comments, c.Spec.InReplyTo)
	o.Check("spec.supersedes", resources.Comments, c.Spec.Supersedes)
	st.Conditions = o.conditions()
	return st, time.Time{}
}
