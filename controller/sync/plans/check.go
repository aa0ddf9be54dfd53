package plans

import (
	"errors"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// read decodes a version as strictly as what a person gives: what is torn, or what only a newer build
// understands, neither goes up nor comes in.
func read(key resources.Key, text []byte) (resources.Object, error) {
	o, _, err := resources.Decode(key, text)
	if p := (resources.Problem{}); errors.As(err, &p) {
		p.File = key.String() // it may stand in no file
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

// ErrSecret: what goes to the team is on every machine of it, and in backups.
var ErrSecret = errors.New("it looks like it holds a token or a key")

// ErrUnproven: checkpoints stay on this machine, so others would see a claim without its proof.
var ErrUnproven = errors.New("it is completed without result.evidence or result.verified, and the team could not see why; `idumb complete` fills them in")

// ErrUnfollowed: what of a plan stands here may be a part of it.
var ErrUnfollowed = errors.New("it is completed here, and its tasks are not followed, so that some may be open; `idumb sync subscribe` it first")

// sendable says why an object that could be read does not go up; nil: it does.
func (x *Exchange) sendable(o resources.Object, text []byte) error {
	if t, ok := o.(*resources.Task); ok && t.Spec.State == resources.TaskCompleted {
		if r := t.Spec.Result; r == nil || strings.TrimSpace(r.Evidence) == "" && len(r.Verified) == 0 {
			return ErrUnproven
		}
	}
	if p, ok := o.(*resources.WorkPlan); ok && p.Spec.State == resources.PlanCompleted && x.known != nil && x.known.unfollowed(p.Metadata.Name) {
		return ErrUnfollowed
	}
	if resources.HoldsSecret(string(text)) && !x.agreedToSend(o.Key(), text) {
		kind, _ := resources.KindOf(o.Key().Kind)
		return fmt.Errorf("%w; `idumb sync resolve %s/%s --send` sends it all the same", ErrSecret, kind.Singular, o.Key().Name)
	}
	return nil
}
