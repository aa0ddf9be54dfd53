package mutate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Comment says something about an object. Its name and its author are made up here; what it answers,
// resolves or replaces says what it is about where it does not itself. local keeps it out of git; a
// comment on what is local is, too.
func (r Repo) Comment(ctx context.Context, c *resources.Comment, local bool) (Result, error) {
	given := *c
	var result Result
	err := r.Run(ctx, func(tx *Tx) error {
		*c = given // this may be another attempt
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

// aboutTheSame makes a comment about what those are about to which it refers, and reports whether one
// of them is kept out of git: in another clone nothing is there that it answers.
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

// commentName is a name that no two clones make up at the same time: c-UNIXMS-HHHH.
func commentName(now time.Time) string {
	return fmt.Sprintf("c-%d-%04x", now.UnixMilli(), rand.Uint32N(1<<16))
}

// noteMade writes into the log of a new comment that it was made here, and not by whoever is in git. A
// log that cannot be written leaves it information.
func (t *Tx) noteMade(c *change) {
	if _, ok := c.After.(*resources.Comment); ok && c.What == Created {
		_ = t.repo.Store.AppendCheckpoint(t.ctx, c.Key.Name, resources.Checkpoint{Time: resources.NewTime(t.repo.Now()), Session: t.repo.Who.Session, Tool: resources.ToolMade})
	}
}
