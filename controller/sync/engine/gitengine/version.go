package gitengine

import (
	"context"
	"errors"
	"fmt"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// versionRef is the ref with the version item. A later iDumb may write it to
// exclude older readers. This build never writes it, because it uses the first
// protocol. The blob has the format of Txn.
const versionRef = "v"

// checkVersion returns an error if the remote's version item excludes this build.
func (e *Engine) checkVersion(ctx context.Context, rev string) error {
	if known := e.acceptedVersion.Load(); rev == "" || known != nil && *known == rev {
		return nil
	}
	at := []engine.Item{{Key: versionRef, Rev: rev}}
	moved, err := e.fetch(ctx, at, "")
	if err == nil && moved {
		err = errors.New("the version item changed during the fetch; try again")
	}
	if err != nil {
		return err
	}
	found, err := e.values(ctx, at, stripRandom)
	if err != nil {
		return err
	}
	why := errors.New("the version item is invalid")
	if len(found) > 0 {
		why = engine.CheckVersion(found[0].Value)
	}
	if why != nil {
		return &engine.PersonError{Err: fmt.Errorf("%s%s of %s: %w", Refs, versionRef, e.Remote, why), Step: "install a newer iDumb"}
	}
	e.acceptedVersion.Store(&rev)
	return nil
}
