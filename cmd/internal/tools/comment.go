package tools

import (
	"github.com/idumb-dev/idumb/resources"
)

func commentTask(c *call) (answer, error) {
	o := resources.New[*resources.Comment](resources.Comments, "")
	o.Spec = resources.CommentSpec{Type: c.args.text("type"), Body: c.args.text("text"), InReplyTo: keyOf(resources.Comments, c.args.text("answer")).Name}
	key := taskKey(c.args.text("task"))
	switch {
	case o.Spec.InReplyTo != "":
		o.Spec.Type, key = resources.CommentAnswer, resources.Key{Kind: resources.Comments, Name: o.Spec.InReplyTo}
	case key.Name != "":
		o.Spec.About = "task/" + key.Name
	default:
		return nil, refusal("govern_task comment needs a task or a comment to answer.", `"task" and "answer" are missing.`, c.repeat("task", "the-task"), "govern_task comment")
	}
	result, err := c.repo.Comment(c.ctx, o, false)
	if err != nil {
		return nil, c.explainWrite(err, key)
	}
	return objectAnswer(result.New).add("about", o.Spec.About).add("type", resources.CommentType(o)), nil
}
