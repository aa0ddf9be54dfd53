package mutate

import (
	"context"
	"errors"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Comment creates a comment. It generates its name and sets its author. If the
// comment has no subject, it uses the subject of the comment that it answers,
// resolves or replaces. local keeps the comment out of git. A comment that
// refers to a local one is local too.
func (r Repo) Comment(ctx context.Context, c *resources.Comment, local bool) (Result, error) {
	given := *c
	var result Result
	err := r.Run(ctx, func(tx *Tx) error {
		*c = given // Run may call this function again
		beside, err := tx.aboutTheSame(c)
		if err != nil {
			return err
		}
		key, err := tx.newName(resources.Comments, "")
		if err != nil {
			return err
		}
		if c.Metadata.Name = key.Name; local || beside || resources.LocalSubject(resources.CommentAbout(c).Kind) {
			c.Metadata.Name += resources.LocalSuffix
		}
		results, err := tx.putAll([]resources.Object{c}, []string{""})
		if err == nil {
			result = results[0]
		}
		return err
	})
	return result, err
}

// aboutTheSame sets a missing subject from the comments to which c refers. It
// reports whether one of them is local, because the reference would be missing
// in other clones.
func (t *Tx) aboutTheSame(c *resources.Comment) (local bool, err error) {
	for _, name := range append([]string{c.Spec.InReplyTo, c.Spec.Supersedes}, c.Spec.Resolves...) {
		if name == "" {
			continue
		}
		of, ok := t.View().Comment(name)
		if !ok {
			return false, apierrors.NotFound(resources.Key{Kind: resources.Comments, Name: name})
		}
		local = local || strings.HasSuffix(name, resources.LocalSuffix)
		if c.Spec.About == "" {
			c.Spec.About = of.Spec.About
		}
	}
	if c.Spec.About == "" {
		return false, errors.New(`a comment is about something: name it, as in idumb comment task/NAME "..."`)
	}
	return local, nil
}
