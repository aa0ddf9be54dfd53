// Package adopt makes work plans of the to-do lists and plans that agents keep in their hosts. The command and
// the page use it.
package adopt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// Latest is the word for the latest list that was not adopted, in place of a session.
const Latest = "latest"

// ListOf returns the to-do list of a session. It returns an error if the list does not exist, has no open items or was
// adopted.
func ListOf(root layout.Root, session string) (*resources.TodoList, error) {
	for _, l := range hooks.TodoLists(root) {
		switch {
		case session == Latest && (l.Adopted != "" || len(l.Steps()) == 0), session != Latest && l.Session != session:
		case l.Adopted != "":
			return nil, adoptedError(session, l.Adopted)
		case len(l.Steps()) == 0:
			return nil, fmt.Errorf("the list of session %q has no open items; see the lists: idumb get todos", session)
		default:
			return &l, nil
		}
	}
	if session == Latest {
		return nil, errors.New("no agent has a to-do list with open items; see the lists: idumb get todos")
	}
	return nil, Missing(root, session)
}

// adoptedError returns the error for a list that was adopted.
func adoptedError(session, plan string) error {
	return fmt.Errorf("the list of session %q is already workplan/%s; see it: idumb tree workplan/%[2]s", session, plan)
}

// Missing returns the error for a session without a to-do list in this worktree.
func Missing(root layout.Root, session string) error {
	for _, tree := range root.Trees() {
		if _, found := hooks.TodoListOf(tree, session); found {
			return fmt.Errorf("session %q keeps its to-do list in another worktree; run the command there: idumb -C %s", session, resources.ShellWord(string(tree)))
		}
	}
	return fmt.Errorf("session %q has no to-do list; see the lists: idumb get todos", session)
}

// Adoption is a plan that was made of a list, or with a dry run would be.
type Adoption struct {
	Plan    *resources.WorkPlan
	Tasks   []*resources.Task
	Results []mutate.Result
	Started resources.Object // the task of the item in progress, if it was started
	Notes   []string         // failures after the plan was written
}

// Adopt creates the plan, and a task for each open item of a list. The plan is active unless it names another state.
// A list of which a plan was made before is an error, also if its record was not marked then.
// Adopt starts the item in progress of an active plan for the session that works on it, so that the plan does not stop
// its writes.
func Adopt(ctx context.Context, repo mutate.Repo, root layout.Root, list *resources.TodoList, plan *resources.WorkPlan) (*Adoption, error) {
	if agent := repo.Author; agent.Kind == admission.Agent && agent.Session != list.Session {
		return nil, fmt.Errorf("cannot make a plan of the list of session %q: it belongs to another agent; a user can: idumb create workplan --from-session=%[1]s", list.Session)
	}
	if !repo.DryRun {
		unlock, err := hooks.LockAdoptions(root)
		if err != nil {
			return nil, err
		}
		defer unlock()
		if list, err = ListOf(root, list.Session); err != nil { // another process may have adopted it
			return nil, err
		}
	}
	if name := hooks.AdoptedAs(root, list); name != "" {
		if !repo.DryRun {
			if err := finish(ctx, repo, root, list, name); err != nil {
				return nil, err
			}
		}
		return nil, adoptedError(list.Session, name)
	}
	plan.Spec.State = cmp.Or(plan.Spec.State, resources.PlanActive)
	plan.Spec.Title = cmp.Or(plan.Spec.Title, list.PlanTitle())
	plan.Metadata.Name = cmp.Or(plan.Metadata.Name, resources.NameOf(plan.Spec.Title))
	if plan.Metadata.Annotations == nil {
		plan.Metadata.Annotations = map[string]string{}
	}
	plan.Metadata.Annotations[resources.AnnotationTodoList] = list.ID()
	steps, tasks, current := list.NewTasks(plan.Metadata.Name, Project(root))
	objects := []resources.Object{plan}
	for _, t := range tasks {
		objects = append(objects, t)
	}
	made := &Adoption{Plan: plan, Tasks: tasks}
	var err error
	if made.Results, err = repo.Create(ctx, objects...); err != nil || repo.DryRun {
		return made, err
	}
	if err := hooks.MarkAdopted(root, list.Session, plan.Metadata.Name, steps, tasks); err != nil {
		made.Notes = append(made.Notes, fmt.Sprintf("the list is not marked as adopted: %v", err))
	}
	if current < 0 || plan.Spec.State != resources.PlanActive {
		return made, nil
	}
	name := tasks[current].Metadata.Name
	repo.Author, repo.Process = admission.Author{Kind: admission.Agent, Session: list.Session}, list.Process
	moved, err := repo.Move(ctx, transition.Move{Verb: transition.Start}, resources.Key{Kind: resources.Tasks, Name: name})
	if err != nil {
		made.Notes = append(made.Notes, fmt.Sprintf("task/%s is not started for the session: %v", name, err))
		return made, nil
	}
	if made.Started = moved.New; hooks.WorkOn(root, list.Session, name) != nil {
		made.Notes = append(made.Notes, fmt.Sprintf("session %s does not know that it works on task/%s", list.Session, name))
	}
	return made, nil
}

// finish marks a list from whose items a plan and tasks were made.
func finish(ctx context.Context, repo mutate.Repo, root layout.Root, list *resources.TodoList, plan string) error {
	var made []resources.Todo
	var found []*resources.Task
	steps, tasks, _ := list.NewTasks(plan, Project(root))
	for i, t := range tasks {
		if present, _ := repo.Present(ctx, []resources.Key{t.Key()}); len(present) > 0 {
			made, found = append(made, steps[i]), append(found, t)
		}
	}
	return hooks.MarkAdopted(root, list.Session, plan, made, found)
}

// Project returns the facts about a repository from which paths and evidence of tasks are proposed.
func Project(root layout.Root) resources.TodoProject {
	return resources.TodoProject{Pattern: func(file string) string { return pattern(root, file) }, Test: TestCommand(root)}
}

// pattern returns the pattern for a file or directory that a text names, or "". A file that does not exist must have an
// extension, in a directory that exists; a word such as Node.js is no file.
func pattern(root layout.Root, file string) string {
	info, err := os.Lstat(root.Abs(file))
	switch {
	case resources.IsGlob(file):
		return ""
	case err == nil && info.IsDir():
		return file + "/**"
	case err == nil:
		return file
	}
	dir, err := os.Lstat(root.Abs(path.Dir(file)))
	if path.Dir(file) == "." || path.Ext(file) == "" || err != nil || !dir.IsDir() {
		return ""
	}
	return file
}

// TestCommand returns the command that runs the tests of the project from its root, or "".
func TestCommand(root layout.Root) string {
	for _, c := range technologies.Commands(rootFiles{root}) {
		if c.Purpose == technologies.ToTest && technologies.IsPlain(c.Run) {
			return c.Run
		}
	}
	return ""
}

// rootFiles are the files in the root directory of a repository. It implements project.Files.
type rootFiles struct{ root layout.Root }

// Paths returns the sorted names of the files.
func (f rootFiles) Paths() (names []string) {
	all, _ := os.ReadDir(string(f.root))
	for _, entry := range all {
		if entry.Type().IsRegular() {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names)
	return names
}

// Read returns the content of a file.
func (f rootFiles) Read(name string) ([]byte, error) {
	data, _ := f.root.SourceText(name)
	if data == nil {
		return nil, fmt.Errorf("cannot read %s", name)
	}
	return data, nil
}
