package mutate

import (
	"context"

	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/resources"
)

// Redirect takes a delegation back and hands its task to another role or agent, on the same
// terms: both or neither. name is that of the new delegation, "" for one that is made up. It is
// refused where the old one is over, or where the new one could not be given.
func (r Repo) Redirect(ctx context.Context, old resources.Key, to, name string) (recalled, given *resources.Delegation, err error) {
	err = r.Run(ctx, func(tx *Tx) error {
		record, o, err := tx.get(old)
		if err != nil {
			return err
		}
		if recalled, err = lifecycle.Delegation(o.(*resources.Delegation), lifecycle.Recall); err != nil {
			return err
		}
		kind, _ := resources.KindOf(resources.Delegations)
		given = kind.New().(*resources.Delegation)
		given.Metadata.Name = name
		given.Spec = recalled.Spec
		given.Spec.To, given.Spec.Session, given.Spec.State = to, "", ""
		_, err = tx.putAll([]resources.Object{recalled, given}, []string{record.Rev, ""})
		return err
	})
	return recalled, given, err
}
