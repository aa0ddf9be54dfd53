package admission

import (
	"reflect"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// CommentFixed is the cause of a rejected change of a comment.
const CommentFixed apierrors.Cause = "Said"

// Author returns the author of a requester's comment; person is the local user's name.
func (w Author) Author(person string) string {
	switch {
	case w.Kind == Controller:
		return "controller"
	case w.Kind != Agent:
		return resources.PersonPrefix + person
	case w.Session == "":
		return "agent"
	}
	return resources.SessionPrefix + w.Session
}

// judgeComment checks changes of comments. Comments keep their text. Agents may write
// notes, questions and answers. They may resolve comments of agents and answer persons.
func judgeComment(old, next resources.Object, who Author, v status.Comments) error {
	c, ok := next.(*resources.Comment)
	if !ok || who.Kind == Controller {
		return nil
	}
	name := c.Metadata.Name
	if was, _ := old.(*resources.Comment); was != nil {
		if reflect.DeepEqual(was.Spec, c.Spec) {
			return nil
		}
		return apierrors.Refuse(CommentFixed, "comment/"+name+" is not changed", "agents may have read it already", "correct it with another comment: idumb comment --supersedes "+name+` "..."`)
	}
	if who.Kind != Agent {
		return nil
	}
	refuse := func(what, step string) error {
		return apierrors.Refuse(Persons, "only a user can "+what, "agents write notes, questions and answers", step)
	}
	switch {
	case resources.CommentType(c) == resources.CommentInstruction:
		return refuse("write instructions", `write a note or a question: idumb comment `+c.Spec.About+` --type question "..."`)
	case c.Spec.Hold:
		return refuse("hold tasks", "omit --hold and write a question")
	}
	for _, settled := range append(slices.Clone(c.Spec.Resolves), c.Spec.Supersedes) {
		if of, found := v.Comment(settled); found && strings.HasPrefix(of.Spec.Author, resources.PersonPrefix) {
			return refuse("settle a user's comment", "answer it: "+AnswerTo(of))
		}
	}
	return nil
}

// judgeCommentGone rejects the deletion of comments by agents.
func judgeCommentGone(old resources.Object, who Author) error {
	c, ok := old.(*resources.Comment)
	if !ok || who.Kind != Agent {
		return nil
	}
	return apierrors.Refuse(CommentFixed, "cannot remove comment/"+c.Metadata.Name, "a comment stays on record", "mark it as settled: idumb comment --resolve "+c.Metadata.Name)
}

// heldByComment denies writes for a task while a person's comment with spec.hold is not
// answered.
func heldByComment(e *evaluation) *Reason {
	task := e.work().task
	c := status.HeldBy(task.Key(), e.view)
	if c == nil {
		return nil
	}
	return e.heldTask(task, c)
}

// heldTask returns the denial of a write for a task that a comment holds.
func (e *evaluation) heldTask(task *resources.Task, c *resources.Comment) *Reason {
	return &Reason{
		What:       triedText(e.call) + " but a comment holds task " + quote(task.Metadata.Name) + ".",
		Why:        []string{commentSays(c, e.view) + ": " + c.Spec.Body},
		UseInstead: "Answer it: `" + AnswerTo(c) + "`; then write.",
		Evidence:   []string{"comments/" + c.Metadata.Name + " spec.hold = true"},
	}
}

// AnswerTo returns the command that answers a comment.
func AnswerTo(c *resources.Comment) string {
	return "idumb comment --answer " + c.Metadata.Name + ` "..."`
}

// judgeHeld rejects the completion or submission of a task by an agent while a comment
// holds it.
func judgeHeld(old, next resources.Object, v status.View) error {
	was, _ := old.(*resources.Task)
	t, _ := next.(*resources.Task)
	if was == nil || t == nil || was.Spec.State == t.Spec.State {
		return nil
	}
	does := map[string]string{resources.TaskCompleted: "complete", resources.TaskReview: "submit"}[t.Spec.State]
	c := status.HeldBy(t.Key(), v)
	if does == "" || c == nil {
		return nil
	}
	return apierrors.Refuse(CommentFixed, "cannot "+does+" task/"+t.Metadata.Name, "a comment holds it until it is answered: "+commentSays(c, v)+": "+strings.Join(strings.Fields(c.Spec.Body), " "), "answer it: "+AnswerTo(c)+"; then repeat the command")
}

// commentSays returns the author, subject and name of a comment: person/ann on task/login
// (c-1).
func commentSays(c *resources.Comment, v status.View) string {
	return CommentAuthor(c, v) + " on " + c.Spec.About + " (" + c.Metadata.Name + ")"
}

// CommentAuthor returns the author of a comment. For a comment received by git, that is the
// committer.
func CommentAuthor(c *resources.Comment, v status.View) string {
	switch log := v.Evidence(c.Metadata.Name).Comment; {
	case log.Local && c.Spec.Author != "":
		return c.Spec.Author
	case log.GitAuthor != "":
		return log.GitAuthor + ", by git"
	}
	return "an unknown author, by git"
}

// CommentLine formats a comment for agents. Instructions only have the author's name, other
// comments also their type. The text is untrusted and not yet made safe to show.
func CommentLine(c *resources.Comment, v status.View) string {
	line, holds := "COMMENT by "+commentSays(c, v), status.CommentHolds(c, v)
	kind := resources.CommentType(c)
	switch {
	case holds:
		line += ", which blocks writes until it is answered"
	case kind == resources.CommentInstruction && !status.CommentBinds(c, v):
		line += ", for information"
	case kind == resources.CommentAnswer:
		line += ", an answer to " + c.Spec.InReplyTo
	case len(c.Spec.Resolves) > 0:
		line += ", settling " + strings.Join(c.Spec.Resolves, ", ")
	case kind != resources.CommentInstruction:
		line += ", a " + kind
	}
	line += ": " + strings.Join(strings.Fields(c.Spec.Body), " ")
	if kind == resources.CommentQuestion || holds {
		line += " [answer it: `" + AnswerTo(c) + "`]"
	}
	return line
}
