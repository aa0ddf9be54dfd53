package acts

import (
	"cmp"
	"context"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// edit returns the function that changes a field of a task.
func edit(change func(*resources.TaskSpec, Said)) func(context.Context, Actor, resources.Key, Said) (mutate.ActResult, error) {
	return func(ctx context.Context, by Actor, key resources.Key, said Said) (mutate.ActResult, error) {
		return plainResult(by.Repo.One(ctx, key, func(o resources.Object, _ *mutate.View) (resources.Object, error) {
			change(&o.(*resources.Task).Spec, said)
			return o, nil
		}))
	}
}

// createTask adds a task to a plan.
func createTask(ctx context.Context, by Actor, _ resources.Key, said Said) (mutate.ActResult, error) {
	t := resources.New[*resources.Task](resources.Tasks, "")
	t.Spec = resources.TaskSpec{Title: said.Title, WorkPlan: said.Plan, ExpectedOutput: said.Expect, Description: said.Description, DependsOn: said.DependsOn, Paths: said.Paths}
	for _, command := range said.Commands {
		t.Spec.Evidence = append(t.Spec.Evidence, resources.EvidenceItem{Command: command, Succeeds: true})
	}
	return firstResult(by.Repo.Add(ctx, t))
}

// createPlan creates a plan with a name derived from its title.
func createPlan(ctx context.Context, by Actor, _ resources.Key, said Said) (mutate.ActResult, error) {
	p := resources.New[*resources.WorkPlan](resources.WorkPlans, resources.NameOf(said.Title))
	p.Spec = resources.WorkPlanSpec{Title: said.Title, Acceptance: said.Accept, DependsOn: said.DependsOn, State: said.State}
	return firstResult(by.Repo.Create(ctx, p))
}

// firstResult returns the result for the first of several objects.
func firstResult(results []mutate.Result, err error) (mutate.ActResult, error) {
	if err != nil {
		return mutate.ActResult{}, err
	}
	return plainResult(results[0], nil)
}

// plainResult wraps the result of an act without further effects.
func plainResult(result mutate.Result, err error) (mutate.ActResult, error) {
	return mutate.ActResult{Result: result}, err
}

// splitTask splits a task into the tasks that the caller names.
func splitTask(ctx context.Context, by Actor, key resources.Key, said Said) (mutate.ActResult, error) {
	return by.Repo.Branch(ctx, key, said.Into)
}

// focus sets the focus of the working tree to a plan or a task.
func focus(ctx context.Context, by Actor, key resources.Key, said Said) (mutate.ActResult, error) {
	return by.Repo.Focus(ctx, said.Intent, key)
}

// decide returns the function that sets the state of a decision.
func decide(state string) func(context.Context, Actor, resources.Key, Said) (mutate.ActResult, error) {
	return func(ctx context.Context, by Actor, key resources.Key, said Said) (mutate.ActResult, error) {
		if by.Repo.Author.Kind == admission.Agent {
			by.Person = "session/" + by.Repo.Author.Session
		}
		return by.Repo.Decide(ctx, key, mutate.Verdict{State: state, Author: by.Person, Reason: said.Reason})
	}
}

// endArtifact returns the function that ends a document.
func endArtifact(end func(*resources.Artifact, string, artifacts.View) (*resources.Artifact, error)) func(context.Context, Actor, resources.Key, Said) (mutate.ActResult, error) {
	return func(ctx context.Context, by Actor, key resources.Key, said Said) (mutate.ActResult, error) {
		return plainResult(by.Repo.One(ctx, key, func(o resources.Object, v *mutate.View) (resources.Object, error) {
			return end(o.(*resources.Artifact), said.Reason, v)
		}))
	}
}

// purge removes a mem from all contexts, with a reason.
func purge(ctx context.Context, by Actor, key resources.Key, said Said) (mutate.ActResult, error) {
	return plainResult(by.Repo.One(ctx, key, func(o resources.Object, v *mutate.View) (resources.Object, error) {
		return mems.Purge(o.(*resources.Mem), said.Reason, v)
	}))
}

// confirm confirms an object, or the section of a document after "#" in its name.
func confirm(ctx context.Context, by Actor, key resources.Key, said Said) (confirmed mutate.ActResult, err error) {
	name, section, _ := strings.Cut(key.Name, "#")
	if key.Kind == resources.Artifacts {
		key.Name = name
	}
	author := cmp.Or(said.By, by.Person)
	var stale []status.StaleLink
	confirmed.Result, err = by.Repo.One(ctx, key, func(o resources.Object, v *mutate.View) (next resources.Object, err error) {
		switch o := o.(type) {
		case *resources.Mem:
			return mems.Confirm(o, mems.Confirmation{Author: author, Note: said.Reason, Check: said.Check, Evidence: said.Cites}, v)
		case *resources.Artifact:
			next, stale, err = artifacts.Confirm(o, section, author, v)
			return next, err
		}
		return mutate.Validate(o, v)
	})
	for _, link := range stale {
		confirmed.Notes = append(confirmed.Notes, artifacts.DescribeLink(link))
	}
	return confirmed, err
}

// supersede saves a new mem that replaces another one.
func supersede(ctx context.Context, by Actor, key resources.Key, said Said) (mutate.ActResult, error) {
	m := resources.New[*resources.Mem](resources.Mems, "")
	m.Spec.Content, m.Spec.Supersedes, m.Spec.SupersedeReason = said.Content, key.Name, said.Reason
	result, _, err := by.Repo.SaveMem(ctx, m, mems.Save)
	return plainResult(result, err)
}

// say writes a comment.
func say(ctx context.Context, by Actor, spec resources.CommentSpec) (mutate.ActResult, error) {
	c := resources.New[*resources.Comment](resources.Comments, "")
	c.Spec = spec
	return plainResult(by.Repo.Comment(ctx, c, false))
}

// reference names an object as comments do: task/NAME.
func reference(key resources.Key) string {
	kind, _ := resources.KindOf(key.Kind)
	return kind.Singular + "/" + key.Name
}

// comment writes an instruction to the agents about an object.
func comment(ctx context.Context, by Actor, key resources.Key, said Said) (mutate.ActResult, error) {
	return say(ctx, by, resources.CommentSpec{About: reference(key), Type: resources.CommentInstruction, Body: said.Content})
}

// answer writes an answer to a comment.
func answer(ctx context.Context, by Actor, key resources.Key, said Said) (mutate.ActResult, error) {
	return say(ctx, by, resources.CommentSpec{InReplyTo: key.Name, Type: resources.CommentAnswer, Body: said.Content})
}

// hold holds a task until a text is answered.
func hold(ctx context.Context, by Actor, key resources.Key, said Said) (mutate.ActResult, error) {
	return say(ctx, by, resources.CommentSpec{About: reference(key), Type: resources.CommentInstruction, Body: said.Content, Hold: true})
}

// release resolves the comments that hold a task.
func release(ctx context.Context, by Actor, key resources.Key, _ Said) (mutate.ActResult, error) {
	held, err := holding(ctx, by, key)
	if err != nil {
		return mutate.ActResult{}, err
	}
	return say(ctx, by, resources.CommentSpec{About: reference(key), Type: resources.CommentNote, Body: "Released.", Resolves: held})
}

// holding returns the names of the comments that hold a task, or a refusal if none
// does.
func holding(ctx context.Context, by Actor, key resources.Key) (names []string, err error) {
	v, err := by.Repo.Store.Load(ctx, by.Repo.Now())
	if err != nil {
		return nil, err
	}
	for _, c := range status.CommentsOn(key, v) {
		if status.CommentHolds(c, v) {
			names = append(names, c.Metadata.Name)
		}
	}
	if len(names) == 0 {
		return nil, apierrors.Refuse(notHeld, reference(key)+" is not held", "no comment holds it", "to hold it, enter the question that must be answered first")
	}
	return names, nil
}

// notHeld is the cause of a refusal: there is nothing to release.
const notHeld apierrors.Cause = "NotHeld"
