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

// originKey stands for all comments of which it is not known who made them: git is asked once for all.
var originKey = resources.Key{Kind: "origins", Name: "origins"}

// originKeys: a comment that came, and HEAD that moved: with it comes who committed what.
func originKeys(ch controller.Change, _ controller.Client) []resources.Key {
	if ch.Key == (resources.Key{}) || ch.Key == (resources.Key{Kind: store.FilesKind, Name: store.HeadFile}) || ch.Key.Kind == resources.Comments && !ch.StatusOnly {
		return []resources.Key{originKey}
	}
	return nil
}

// newOriginFinder writes into the logs of comments that were not made here who added them to git, and
// whether those are the person's people: what they say is an instruction here.
func newOriginFinder(repo mutate.Repo, c controller.Client) controller.Reconciler {
	return controller.Func(func(ctx context.Context, _ resources.Key) (controller.Result, error) {
		return controller.Result{}, findOrigins(ctx, repo, c)
	})
}

func findOrigins(ctx context.Context, repo mutate.Repo, c controller.Client) error {
	strange, err := comeByGit(ctx, repo.Store, c)
	if len(strange) == 0 || err != nil {
		return err
	}
	added, err := githistory.Added(ctx, repo.Store.Root(), layout.Folder(resources.Comments))
	if err != nil {
		return err
	}
	people := trust.People(repo.Store.Root(), os.Getenv)
	for _, name := range strange {
		by, ok := added[name]
		known := slices.ContainsFunc(people, func(mail string) bool { return strings.EqualFold(mail, by.Mail) })
		log := c.Evidence(name).Comment
		if !ok || log.From == by.String() && log.Known == known {
			continue
		}
		line := resources.Checkpoint{Time: resources.NewTime(repo.Now()), Tool: resources.ToolCame, Agent: by.String(), Succeeded: &known}
		if err := repo.Store.AppendCheckpoint(ctx, name, line); err != nil {
			return err
		}
	}
	return nil
}

// comeByGit are the comments that were not made here, by their logs; a log that git has may be anybody's.
func comeByGit(ctx context.Context, repo store.Repository, c controller.Client) (names []string, err error) {
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
		if !c.Evidence(key.Name).Comment.Here || tracked[layout.CheckpointPath(key.Name)] {
			names = append(names, key.Name)
		}
	}
	return names, nil
}
