package reconcilers

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
)

// originKey is the only key of the origin reconciler: one git command serves all comments.
var originKey = resources.Key{Kind: "origins", Name: "origins"}

// originKeys returns the key when a comment changed, at the end of a listing,
// and when HEAD moved, because a commit may show who wrote a comment.
func originKeys(ch controller.Change, _ controller.Client) []resources.Key {
	if ch.Key == (resources.Key{}) || ch.Key == (resources.Key{Kind: store.FilesKind, Name: store.HeadFile}) || ch.Key.Kind == resources.Comments && !ch.StatusOnly {
		return []resources.Key{originKey}
	}
	return nil
}

// newOriginFinder returns the reconciler that records, in the log of each comment that was not
// written in this clone, who committed it, and whether that author is a trusted colleague. A
// trusted author's comment is an instruction here.
func newOriginFinder(repo mutate.Repo, c controller.Client) controller.Reconciler {
	return controller.Func(func(ctx context.Context, _ resources.Key) (controller.Result, error) {
		return controller.Result{}, findOrigins(ctx, repo, c)
	})
}

// findOrigins queries git for the author of each comment that was not written in this clone. It
// appends the author, and whether the trusted colleagues include the author, to the log of each
// comment for which that is new.
func findOrigins(ctx context.Context, repo mutate.Repo, c controller.Client) error {
	strange, err := foreignComments(ctx, repo.Store, c)
	if len(strange) == 0 || err != nil {
		return err
	}
	added, err := githistory.AddedBy(ctx, repo.Store.Root(), layout.Folder(resources.Comments))
	if err != nil {
		return err
	}
	people := trust.People(repo.Store.Root(), os.Getenv)
	for _, name := range strange {
		by, ok := added[name]
		known := slices.ContainsFunc(people, func(mail string) bool { return strings.EqualFold(mail, by.Mail) })
		log := c.Evidence(name).Comment
		if !ok || log.GitAuthor == by.String() && log.FromTrusted == known {
			continue
		}
		line := resources.Checkpoint{Time: resources.NewTime(repo.Now()), Tool: resources.ToolCame, Agent: by.String(), Succeeded: &known}
		if err := repo.Store.AppendCheckpoint(ctx, name, line); err != nil {
			return err
		}
	}
	return nil
}

// foreignComments returns the comments that were not written in this clone according to their logs. A log
// that git tracks proves nothing.
func foreignComments(ctx context.Context, repo store.Repository, c controller.Client) (names []string, err error) {
	all := c.List(resources.Comments)
	if len(all) == 0 {
		return nil, nil
	}
	files, err := repo.Tracked(ctx)
	if err != nil {
		return nil, err
	}
	tracked := map[string]bool{}
	for _, file := range files {
		tracked[file] = strings.HasPrefix(file, layout.CheckpointsDir+"/")
	}
	for _, key := range all {
		if !c.Evidence(key.Name).Comment.Local || tracked[layout.CheckpointPath(key.Name)] {
			names = append(names, key.Name)
		}
	}
	return names, nil
}
