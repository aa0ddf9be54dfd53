package reconcilers

import (
	"context"
	"fmt"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// memLoop keeps the statuses of mems: what is left of their confidence, and which
// ones were replaced.
func memLoop() controller.Registration {
	return controller.Registration{
		Name: "mem",
		Keys: memKeys,
		New: func(c controller.Client) controller.Reconciler {
			return controller.Func(func(ctx context.Context, key resources.Key) (controller.Result, error) {
				return reconcileMem(ctx, c, key)
			})
		},
	}
}

// memKeys: the mem itself, all that it replaces or replaced, one after the other,
// and those that name an object that came or went.
func memKeys(ch controller.Change, c controller.Client) []resources.Key {
	if isConfig(ch) {
		return c.List(resources.Mems) // memFadingBelow, memStaleBelow
	}
	if ch.StatusOnly || ch.Key.Kind == resources.CheckpointsKind {
		return nil
	}
	var keys []resources.Key
	if ch.Key.Kind == resources.Mems {
		keys = append(keys, ch.Key)
		keys = append(keys, replaced(asMem(ch.Old), c)...)
		keys = append(keys, replaced(asMem(ch.New), c)...)
	}
	if appeared(ch) {
		keys = append(keys, referring(c, ch.Key, resources.Mems)...)
	}
	return keys
}

// replaced follows spec.supersedes from a mem, to the end or once around.
func replaced(m *resources.Mem, c controller.Client) []resources.Key {
	var keys []resources.Key
	seen := map[string]bool{}
	for m != nil && m.Spec.Supersedes != "" && !seen[m.Spec.Supersedes] {
		seen[m.Spec.Supersedes] = true
		key := memKey(m.Spec.Supersedes)
		keys = append(keys, key)
		o, _ := c.Get(key)
		m = asMem(o)
	}
	return keys
}

func reconcileMem(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	if done, err := settle(ctx, c, key); done {
		return controller.Result{}, err
	}
	object, _ := c.Get(key)
	now := at(c)
	before := statusBefore[resources.MemStatus](c, key)
	status, next := resources.DeriveMem(object.(*resources.Mem), now)
	told := status
	if err := c.WriteStatus(ctx, key, &status); err != nil {
		return controller.Result{}, err
	}
	announce(c, key, before.Phase, told.Phase, func(_, now string) news { return memNews(now, &told) })
	return now.until(next), nil
}

// memNews says in a sentence what a new phase means.
func memNews(phase string, status *resources.MemStatus) news {
	switch phase {
	case resources.Fading:
		return news{resources.Normal, "Fading", fmt.Sprintf("its confidence is down to %d; confirm it, or let it fade", status.Confidence)}
	case resources.StalePhase:
		return news{resources.Normal, resources.Stale, fmt.Sprintf("its confidence is down to %d, and it leaves the context", status.Confidence)}
	case resources.Superseded:
		return news{resources.Normal, "Superseded", fmt.Sprintf("%s took its place", status.SupersededBy)}
	}
	return news{resources.Normal, "Fresh", fmt.Sprintf("it counts again, with a confidence of %d", status.Confidence)}
}
