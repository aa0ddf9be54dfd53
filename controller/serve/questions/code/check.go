package code

import (
	"context"
	"net/url"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/findings"
	"github.com/idumb-dev/idumb/resources/status"
)

// Check holds the inconsistencies of the working tree.
type Check struct {
	Scope inventory.Scope    `json:"scope"`
	Since string             `json:"since,omitempty"` // commit against which the items are new
	Items []findings.Finding `json:"items"`
}

// CheckOf returns inconsistencies of the working tree. Parameters restrict them
// to files and directories (path), or to those that a revision does not have
// (since).
func CheckOf(s *questions.Source, v url.Values) (Check, error) {
	answer := Check{Items: []findings.Finding{}}
	ctx, known := context.Background(), s.Inventory()
	past, err := openPast(ctx, known, v.Get("since"))
	if err != nil {
		return answer, err
	}
	if past != nil {
		defer past.Close()
	}
	covers := coversOf(v["path"])
	err = known.Ask(ctx, func(k inventory.Known) {
		now := present(ctx, s, k)
		now.Covers, answer.Scope = covers, k.Scope()
		if past == nil {
			answer.Items = append(answer.Items, findings.Find(now)...)
			return
		}
		before := pastTree(ctx, s, past)
		before.Covers, answer.Since = covers, past.Commit
		answer.Items = append(answer.Items, findings.Since(before, now)...)
	})
	return answer, err
}

// openPast opens a revision. It returns nil for an empty name.
func openPast(ctx context.Context, known *inventory.Inventory, revision string) (*inventory.Past, error) {
	if revision == "" {
		return nil, nil
	}
	return known.At(ctx, revision)
}

// coversOf returns a function that reports whether a file is one of places or
// below one. It returns nil, which means all files, without places.
func coversOf(places []string) func(string) bool {
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

// present returns the current working tree.
func present(ctx context.Context, s *questions.Source, k inventory.Known) findings.Tree {
	return findings.Tree{Files: k, Facts: k.Facts, Graph: k.Graph(), Was: removed(ctx, s, ""), Completed: completed(s), Decisions: resolved(s)}
}

// pastTree returns a revision, with the current tasks.
func pastTree(ctx context.Context, s *questions.Source, p *inventory.Past) findings.Tree {
	return findings.Tree{Files: p, Facts: p.Facts, Graph: project.Build(p, p.Facts), Was: removed(ctx, s, p.Commit), Completed: completed(s), Decisions: resolved(s)}
}

// removed returns a function that reports whether a file was removed in the
// history of a revision; "" means the working tree. Git runs at the first call.
func removed(ctx context.Context, s *questions.Source, revision string) func(string) bool {
	all := sync.OnceValue(func() map[string]bool { return s.Inventory().Removed(ctx, revision) })
	return func(path string) bool { return all()[path] }
}

// completed returns a function that reports whether a task is completed.
func completed(s *questions.Source) func(string) bool {
	return func(name string) bool {
		object, _ := s.Get(resources.Key{Kind: resources.Tasks, Name: name})
		task, ok := object.(*resources.Task)
		return ok && task.Spec.State == resources.TaskCompleted
	}
}

// resolved returns the valid decisions.
func resolved(s *questions.Source) (all []*resources.Decision) {
	for _, key := range s.List(resources.Decisions) {
		object, _ := s.Get(key)
		if d, ok := object.(*resources.Decision); ok && status.DecisionPhase(d, s) == resources.DecisionResolved {
			all = append(all, d)
		}
	}
	return all
}
