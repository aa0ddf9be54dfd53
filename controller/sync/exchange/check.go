package exchange

import (
	"errors"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// decodeStrict decodes and validates a version strictly, like user input. A truncated
// version, or one that only a newer build understands, is neither pushed nor
// pulled.
func decodeStrict(key resources.Key, text []byte) (resources.Object, error) {
	o, _, err := resources.Decode(key, text)
	if p := (resources.Problem{}); errors.As(err, &p) {
		p.File = key.String() // it may not be in a file
		return nil, p
	}
	if err != nil {
		return nil, err
	}
	if errs := resources.Validate(o); len(errs) > 0 {
		return nil, &resources.InvalidError{Key: key, Errs: errs}
	}
	return o, nil
}

// ErrSecret means that a version seems to contain a secret. A pushed version is
// on every machine of the team and in backups.
var ErrSecret = errors.New("it seems to contain a token or a key")

// ErrUnproven means that a completed task lacks evidence. Checkpoints are
// local, so other clones would see a claim without proof.
var ErrUnproven = errors.New("it is completed without result.evidence or result.verified, and the team could not see why; `idumb complete` fills them in")

// ErrUnfollowed means that a plan is completed locally but its tasks are not
// followed, so some may be open.
var ErrUnfollowed = errors.New("it is completed here, and its tasks are not followed, so that some may be open; `idumb sync subscribe` it first")

// sendable returns the reason why a readable object is not pushed, or nil.
func (x *Exchange) sendable(o resources.Object, text []byte) error {
	if t, ok := o.(*resources.Task); ok && t.Spec.State == resources.TaskCompleted {
		if r := t.Spec.Result; r == nil || strings.TrimSpace(r.Evidence) == "" && len(r.Verified) == 0 {
			return ErrUnproven
		}
	}
	if p, ok := o.(*resources.WorkPlan); ok && p.Spec.State == resources.PlanCompleted && x.passState != nil && x.passState.unfollowed(p.Metadata.Name) {
		return ErrUnfollowed
	}
	if resources.HoldsSecret(string(text)) && !x.agreedToSend(o.Key(), text) {
		kind, _ := resources.KindOf(o.Key().Kind)
		return fmt.Errorf("%w; `idumb sync resolve %s/%s --send` sends it all the same", ErrSecret, kind.Singular, o.Key().Name)
	}
	return nil
}
