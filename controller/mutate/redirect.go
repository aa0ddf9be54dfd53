package mutate

import (
	"context"

	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/resources"
)

// Redirect revokes a delegation and delegates its task to another role or
// agent, on the same terms. Moved.Also has the new delegation, even if it was
// refused. If the old one is done or the new one is not allowed, nothing
// changes; a crash between the two files leaves the old one revoked.
func (r Repo) Redirect(ctx context.Context, old resources.Key, to string) (moved Moved, err error) {
	err = r.Run(ctx, func(tx *Tx) error {
		record, o, err := tx.get(old)
		if err != nil {
			return err
		}
		recalled, err := lifecycle.Delegation(o.(*resources.Delegation), lifecycle.Recall)
		if err != nil {
			return err
		}
		given := resources.New[*resources.Delegation](resources.Delegations, "")
		given.Spec = recalled.Spec
		given.Spec.To, given.Spec.Session, given.Spec.State = to, "", ""
		moved.Also = []Result{{Key: given.Key(), After: given}}
		results, err := tx.putAll([]resources.Object{recalled, given}, []string{record.Rev, ""})
		if err == nil {
			moved.Result, moved.Also = results[0], results[1:]
		}
		return err
	})
	return moved, err
}
