package reconcilers

import (
	"context"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

func commentKey(name string) resources.Key {
	return resources.Key{Kind: resources.Comments, Name: name}
}

// commentKeys returns the comment itself, also when its log grew, the comments that it names, and
// the comments that name an object that was created or deleted.
func commentKeys(ch controller.Change, c controller.Client) []resources.Key {
	switch {
	case ch.Initial:
		return firstKeys(ch, resources.Comments)
	case ch.Key.Kind == resources.CheckpointsKind:
		if _, found := c.Get(commentKey(ch.Key.Name)); found {
			return append(commentsNamed(commentKey(ch.Key.Name), c), commentKey(ch.Key.Name))
		}
		return nil
	case ch.StatusOnly:
		return nil
	case ch.Key.Kind == resources.Comments:
		keys := []resources.Key{ch.Key}
		for _, o := range []resources.Object{ch.Old, ch.New} {
			keys = append(keys, namedBy(o)...)
		}
		return append(keys, referring(c, ch.Key, resources.Comments)...)
	case existenceChanged(ch):
		return referring(c, ch.Key, resources.Comments)
	}
	return nil
}

// commentsNamed returns the comments that a comment names. Whether it affects them depends on its
// log.
func commentsNamed(key resources.Key, c controller.Client) []resources.Key {
	o, _ := c.Get(key)
	return namedBy(o)
}

// namedBy returns the comments that a comment answers, resolves or supersedes.
func namedBy(o resources.Object) (keys []resources.Key) {
	comment, ok := o.(*resources.Comment)
	if !ok {
		return nil
	}
	for _, r := range resources.References(comment) {
		if r.Key.Kind == resources.Comments {
			keys = append(keys, r.Key)
		}
	}
	return keys
}

// reconcileComment writes the status of a comment: the sessions that received it, and what resolved
// it.
func reconcileComment(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	seen, done, err := finishMissing(ctx, c, key)
	if done {
		return controller.Result{}, err
	}
	before := statusBefore[resources.CommentStatus](seen)
	st, _ := status.DeriveComment(seen.Object.(*resources.Comment), newSnapshot(c))
	phase, told := st.Phase, st.ToldTo
	if err := c.WriteStatus(ctx, seen, &st); err != nil {
		return controller.Result{}, err
	}
	announce(c, key, before.Phase, phase, func(_, now string) event { return commentNews(now, told) })
	return controller.Result{}, nil
}

// commentNews returns the event about the new phase of a comment. told lists
// the deliveries; it must not be empty for the phase CommentTold.
func commentNews(phase string, told []resources.Telling) event {
	switch phase {
	case resources.CommentTold:
		return event{resources.Normal, "Told", "it was delivered to session/" + told[len(told)-1].Session}
	case resources.CommentResolved:
		return event{resources.Normal, "Resolved", "it was settled"}
	}
	return event{resources.Normal, "Said", "it was not delivered yet"}
}
