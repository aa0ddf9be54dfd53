package planvisibility

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Elsewhere describes open plans of another worktree of the repository that this worktree
// does not have.
type Elsewhere struct {
	Tree   layout.Root // the other worktree; empty if there are no such plans
	Plans  []string    // names of the plans, sorted
	Commit string      // its commit, which has the plans and which this worktree did not merge; empty if it lacks some
}

// findElsewhere returns the open plans of the first other worktree that has some, if this
// worktree has no open plan itself.
func findElsewhere(root layout.Root) Elsewhere {
	if !hasWorktrees(root) {
		return Elsewhere{} // the usual case, in a hook too
	}
	for _, tree := range root.Trees() {
		plans := openPlans(tree, root)
		if len(plans) == 0 {
			continue
		}
		if len(openPlans(root, "")) > 0 {
			break
		}
		lacks := func(name string) bool { return !githistory.Tracks(context.Background(), tree, plansDir+name+".json") }
		e := Elsewhere{Tree: tree, Plans: plans}
		if !slices.ContainsFunc(plans, lacks) {
			e.Commit = githistory.Head(tree)
		}
		return e
	}
	return Elsewhere{}
}

// hasWorktrees reports whether git knows linked worktrees of the repository.
func hasWorktrees(root layout.Root) bool {
	git := layout.GitDir(string(root))
	if git == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(layout.CommonDir(git), "worktrees"))
	return err == nil
}

// plansDir is the directory of plans.
const plansDir = layout.Dir + "/" + resources.WorkPlans + "/"

// openPlans returns the names of the draft and active plans of a worktree without those that
// another worktree has or archived.
func openPlans(tree, without layout.Root) (names []string) {
	entries, _ := os.ReadDir(tree.Abs(plansDir)) // an unreadable directory shows no plans
	for _, entry := range entries {
		name, isJSON := strings.CutSuffix(entry.Name(), ".json")
		if !isJSON || without != "" && (exists(without, plansDir+entry.Name()) || exists(without, path.Join(layout.Dir, "archive", resources.WorkPlans, entry.Name()))) {
			continue
		}
		data, _, err := tree.Read(plansDir+entry.Name(), maxFile)
		if err != nil {
			continue
		}
		object, _, _ := resources.DecodeFile(resources.Key{Kind: resources.WorkPlans, Name: name}, data)
		if plan, ok := object.(*resources.WorkPlan); ok && (resources.PlanState(plan) == resources.PlanDraft || resources.PlanState(plan) == resources.PlanActive) {
			names = append(names, name)
		}
	}
	return names
}

// exists reports whether a worktree has a file.
func exists(root layout.Root, file string) bool {
	_, err := root.Lstat(file)
	return err == nil
}

// Trees are the other worktrees of a repository.
type Trees []layout.Root

// OtherTrees returns the other worktrees of a repository that have their own .idumb.
func OtherTrees(root layout.Root) Trees {
	if !hasWorktrees(root) {
		return nil
	}
	return root.Trees()
}

// Ended returns a clause about the first other worktree that completed or abandoned a task, or "".
func (t Trees) Ended(task *resources.Task) string {
	for _, tree := range t {
		data, _, err := tree.Read(layout.Dir+"/"+resources.Tasks+"/"+task.Metadata.Name+".json", maxFile)
		if err != nil {
			continue
		}
		object, _, _ := resources.DecodeFile(task.Key(), data)
		other, ok := object.(*resources.Task)
		if !ok || !resources.IsFinal(resources.TaskState(other)) {
			continue
		}
		if a, b := task.Metadata.UID, other.Metadata.UID; a == b || a == "" || b == "" { // hand-written files have none
			return fmt.Sprintf("%s in the worktree %s", resources.TaskState(other), tree)
		}
	}
	return ""
}

// maxListed is the number of plans that a message names.
const maxListed = 3
