package mutate

import (
	"context"

	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/resources"
)

// Redirect revokes a delegation and delegates its task to another role or
// agent, on the same terms. moved.Also has the new delegation, even if it was
// refused. If the old one is done or the new one is not allowed, nothing
// changes; a crash between the two files leaves the old one revoked.
func (r Repo) Redirect(ctx context.Context, old resources.Key, to string) (moved ActResult, err error) {
	err = r.Run(ctx, func(tx *Tx) error {
		record, o, err := tx.get(old)
		if err != nil {
			return err
		}
		recalled, err := transition.Delegation(o.(*resources.Delegation), transition.Recall)
		if err != nil {
			return err
		}
		given := resources.New[*resources.Delegation](resources.Delegations, "")
		given.Spec = recalled.Spec
		given.Spec.To, given.Spec.Session, given.Spec.State = to, "", ""
		moved.Related = []Result{{Key: given.Key(), New: given}}
		results, err := tx.putAll([]resources.Object{recalled, given}, []string{record.Rev, ""})
		if err == nil {
			moved.Result, moved.Related = results[0], results[1:]
		}
		return err
	})
	return moved, err
}
