package onboarding

import (
	"context"
	"fmt"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// CarryOut performs the steps of a plan through package mutate and records them, so that Undo can
// revert the completed steps after an error. It calls tell after each step.
func CarryOut(ctx context.Context, repo mutate.Repo, root layout.Root, p Plan, tell func(Step)) error {
	r, err := readUndoRecord(root)
	if err != nil {
		return err
	}
	for _, group := range groups(p.Steps) {
		keys, err := do(ctx, repo, root, group)
		if err != nil {
			return fmt.Errorf("%s %s: %w; idumb onboard --undo reverts the completed steps", group[0].Action, group[0].Subject, err)
		}
		for _, key := range keys {
			if err := r.addObject(root, key); err != nil {
				return err
			}
		}
		if s := group[0]; s.Block != "" {
			r.addBlock(s.Subject, agents.FittedText(s.Block))
		}
		if err := r.write(root); err != nil {
			return err
		}
		for _, s := range group {
			tell(s)
		}
	}
	return nil
}

// groups groups steps that are written together because they refer to each other: all decisions,
// and the plan with its tasks and its delegation. Each other step is a group.
func groups(steps []Step) (all [][]Step) {
	together := map[string]string{"decide": "decide", "plan": "plan", "task": "plan", "delegate": "plan"}
	for i, s := range steps {
		if i > 0 && together[s.Action] != "" && together[s.Action] == together[steps[i-1].Action] {
			all[len(all)-1] = append(all[len(all)-1], s)
			continue
		}
		all = append(all, []Step{s})
	}
	return all
}

// do performs the steps of a group. It returns the keys of the created objects.
func do(ctx context.Context, repo mutate.Repo, root layout.Root, group []Step) ([]resources.Key, error) {
	s := group[0]
	if s.Block != "" {
		return nil, agents.WriteFitted(string(root), s.Subject, agents.FittedText(s.Block))
	}
	if s.Adoption != nil {
		result, err := repo.Adopt(ctx, s.adopt)
		return created(err, result)
	}
	if m, isMem := s.Object.(*resources.Mem); isMem {
		result, _, err := repo.SaveMem(ctx, m, mems.Save)
		return created(err, result)
	}
	objects := make([]resources.Object, len(group))
	for i, s := range group {
		objects[i] = s.Object
	}
	results, err := repo.Create(ctx, objects...)
	return created(err, results...)
}

// created returns the keys of the objects that were created.
func created(err error, results ...mutate.Result) (keys []resources.Key, _ error) {
	for _, r := range results {
		if err == nil && r.Operation == mutate.Created {
			keys = append(keys, r.Key)
		}
	}
	return keys, err
}

// adopt makes the artifact of a document, with the state that the document contains.
func (s Step) adopt(v artifacts.View) (*resources.Artifact, error) {
	a, err := artifacts.Adopt(*s.Adoption, v)
	if err == nil && s.State != "" {
		a.Spec.State, a.Spec.Reason = s.State, "stated in the document"
	}
	return a, err
}
