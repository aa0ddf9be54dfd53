package page

import (
	"context"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// remark is a comment of the person's.
func remark(spec resources.CommentSpec) *resources.Comment {
	kind, _ := resources.KindOf(resources.Comments)
	c := kind.New().(*resources.Comment)
	c.Spec = spec
	return c
}

// reference names an object as comments do: task/NAME.
func reference(key resources.Key) string {
	kind, _ := resources.KindOf(key.Kind)
	return kind.Singular + "/" + key.Name
}

func comment(ctx context.Context, p *Pages, key resources.Key, in *wish) (mutate.Result, error) {
	return p.Repo.Comment(ctx, remark(resources.CommentSpec{About: reference(key), Type: resources.CommentInstruction, Body: in.Content}), false)
}

func answer(ctx context.Context, p *Pages, key resources.Key, in *wish) (mutate.Result, error) {
	return p.Repo.Comment(ctx, remark(resources.CommentSpec{InReplyTo: key.Name, Type: resources.CommentAnswer, Body: in.Content}), false)
}

// hold holds a task until a text is answered, or without one settles whatever holds it.
func hold(ctx context.Context, p *Pages, key resources.Key, in *wish) (mutate.Result, error) {
	if in.Content != "" {
		return p.Repo.Comment(ctx, remark(resources.CommentSpec{About: reference(key), Type: resources.CommentInstruction, Body: in.Content, Hold: true}), false)
	}
	held, err := p.holding(ctx, key)
	if err != nil {
		return mutate.Result{}, err
	}
	return p.Repo.Comment(ctx, remark(resources.CommentSpec{About: reference(key), Type: resources.CommentNote, Body: "Released.", Resolves: held}), false)
}

// holding are the comments that hold a task.
func (p *Pages) holding(ctx context.Context, key resources.Key) (names []string, err error) {
	v, err := p.Repo.Store.Load(ctx, p.Repo.Now())
	if err != nil {
		return nil, err
	}
	for _, c := range status.CommentsOn(key, v) {
		if status.CommentHolds(c, v) {
			names = append(names, c.Metadata.Name)
		}
	}
	if len(names) == 0 {
		return nil, apierrors.Refuse(notHeld, reference(key)+" is not held", "no comment holds it", "say what is to be answered, and it is held until then")
	}
	return names, nil
}

// notHeld is the cause of a refusal: there is nothing to release.
const notHeld apierrors.Cause = "NotHeld"
