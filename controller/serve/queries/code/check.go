package code

import (
	"cmp"
	"context"
	"net/url"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/lint"
	"github.com/idumb-dev/idumb/resources/project/projectdiff"
	"github.com/idumb-dev/idumb/resources/status"
)

// Check holds the inconsistencies of the working tree.
type Check struct {
	Scope inventory.Scope `json:"scope"`
	Since string          `json:"since,omitempty"` // commit against which the items are new
	Items []lint.Finding  `json:"items"`
}

// CheckOf returns inconsistencies of the working tree. Parameters restrict them
// to files and directories (path), or to those that a revision does not have
// (since).
func CheckOf(s *queries.Source, v url.Values) (Check, error) {
	answer := Check{Items: []lint.Finding{}}
	ctx, known := context.Background(), s.Inventory()
	past, err := openPast(ctx, known, v.Get("since"))
	if err != nil {
		return answer, err
	}
	if past != nil {
		defer past.Close()
	}
	covers := coverFilter(v["path"])
	err = known.Ask(ctx, func(k inventory.Snapshot) {
		now := currentTree(ctx, s, k)
		now.Covers, answer.Scope = covers, k.Scope()
		if past == nil {
			answer.Items = append(answer.Items, lint.Find(now)...)
			return
		}
		before := pastTree(ctx, s, past)
		before.Covers, answer.Since = covers, past.Commit
		answer.Items = append(answer.Items, lint.Since(before, now)...)
	})
	return answer, err
}

// openPast opens a revision. It returns nil for an empty name.
func openPast(ctx context.Context, known *inventory.Inventory, revision string) (*inventory.RevisionIndex, error) {
	if revision == "" {
		return nil, nil
	}
	return known.Revision(ctx, revision)
}

// coverFilter returns a function that reports whether a file is one of places or
// below one. It returns nil, which means all files, without places.
func coverFilter(places []string) func(string) bool {
	if len(places) == 0 {
		return nil
	}
	return func(file string) bool {
		for _, place := range places {
			place = strings.TrimSuffix(place, "/")
			if place == "" || place == "." || file == place || strings.HasPrefix(file, place+"/") {
				return true
			}
		}
		return false
	}
}

// currentTree returns the working tree in the form that package lint compares.
func currentTree(ctx context.Context, s *queries.Source, k inventory.Snapshot) lint.Tree {
	return lint.Tree{Files: k, Facts: k.Facts, Graph: k.Graph(), Was: removedFiles(ctx, s, ""), Completed: completedTasks(s), Decisions: validDecisions(s)}
}

// pastTree returns a revision in the form that package lint compares, with the current tasks.
func pastTree(ctx context.Context, s *queries.Source, p *inventory.RevisionIndex) lint.Tree {
	return lint.Tree{Files: p, Facts: p.Facts, Graph: project.Build(p, p.Facts), Was: removedFiles(ctx, s, p.Commit), Completed: completedTasks(s), Decisions: validDecisions(s)}
}

// removedFiles returns a function that reports whether a file was removed in the
// history of a revision; "" means the working tree. Git runs at the first call.
func removedFiles(ctx context.Context, s *queries.Source, revision string) func(string) bool {
	all := sync.OnceValue(func() map[string]bool { return s.Inventory().Removed(ctx, revision) })
	return func(path string) bool { return all()[path] }
}

// completedTasks returns a function that reports whether a task is completed.
func completedTasks(s *queries.Source) func(string) bool {
	return func(name string) bool {
		object, _ := s.Get(resources.Key{Kind: resources.Tasks, Name: name})
		task, ok := object.(*resources.Task)
		return ok && task.Spec.State == resources.TaskCompleted
	}
}

// validDecisions returns the decisions that are in effect.
func validDecisions(s *queries.Source) (all []*resources.Decision) {
	for _, key := range s.List(resources.Decisions) {
		object, _ := s.Get(key)
		if d, ok := object.(*resources.Decision); ok && status.DecisionPhase(d, s) == resources.DecisionResolved {
			all = append(all, d)
		}
	}
	return all
}

// TreeDiff holds the changes of technologies, documents, symbols, import cycles and findings
// between the working tree and a revision.
type TreeDiff struct {
	Scope inventory.Scope      `json:"scope"`
	Since string               `json:"since"` // commit of the revision
	Items []projectdiff.Change `json:"items"`
}

// TreeDiffOf returns the differences between the working tree and a revision
// (since, default HEAD).
func TreeDiffOf(s *queries.Source, v url.Values) (TreeDiff, error) {
	answer := TreeDiff{Items: []projectdiff.Change{}}
	ctx, known := context.Background(), s.Inventory()
	past, err := known.Revision(ctx, cmp.Or(v.Get("since"), "HEAD"))
	if err != nil {
		return answer, err
	}
	defer past.Close()
	before := pastTree(ctx, s, past)
	err = known.Ask(ctx, func(k inventory.Snapshot) {
		answer.Since, answer.Scope = past.Commit, k.Scope()
		answer.Items = append(answer.Items, projectdiff.Compare(before, currentTree(ctx, s, k))...)
	})
	return answer, err
}
