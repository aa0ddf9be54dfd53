package mutate

import (
	"context"

	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/resources"
)

// Redirect takes a delegation back and hands its task to another role or agent, on the same
// terms. Where the old one is done or the new one may not be given, neither happens, and given
// is nil or what was refused; a crash between the two files leaves the old one recalled.
func (r Repo) Redirect(ctx context.Context, old resources.Key, to string) (recalled, given *resources.Delegation, err error) {
	err = r.Run(ctx, func(tx *Tx) error {
		record, o, err := tx.get(old)
		if err != nil {
			return err
		}
		if recalled, err = lifecycle.Delegation(o.(*resources.Delegation), lifecycle.Recall); err != nil {
			return err
		}
		given = resources.New[*resources.Delegation](resources.Delegations, "")
		given.Spec = recalled.Spec
		given.Spec.To, given.Spec.Session, given.Spec.State = to, "", ""
		_, err = tx.putAll([]resources.Object{recalled, given}, []string{record.Rev, ""})
		return err
	})
	return recalled, given, err
}
