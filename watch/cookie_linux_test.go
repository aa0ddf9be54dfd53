package watch

import (
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A cookie that does not come costs the first caller his patience and the others
// nothing; after a loss of history there is another one.
func TestALostCookie(t *testing.T) {
	v := readIn(t, nil)
	v.eventually()
	require.NoError(t, v.w.fsnotifyWatcher().Remove(v.w.proofs.cookie.path))
	began := time.Now()
	require.ErrorIs(t, v.w.Sync(t.Context()), ErrUnproven)
	assert.GreaterOrEqual(t, time.Since(began), proofPatience)
	err := v.w.Sync(t.Context())
	require.ErrorIs(t, err, ErrUnproven)
	assert.Contains(t, err.Error(), "late")
	v.w.failed(fsnotify.ErrEventOverflow)
	v.eventually()
}

// A cookie that was given up on may come in yet. It proves nothing.
func TestALateCookieIsNoProof(t *testing.T) {
	v := readIn(t, nil)
	p := &v.w.proofs
	v.eventually()
	late := p.cookie.path
	require.NoError(t, v.w.fsnotifyWatcher().Remove(late))
	first, err := p.join()
	require.NoError(t, err)
	p.renew(v.w.fsnotifyWatcher(), true)
	<-first.done
	require.ErrorIs(t, first.err, ErrUnproven)
	require.NoError(t, v.w.fsnotifyWatcher().Remove(p.cookie.path))
	second, err := p.join()
	require.NoError(t, err)
	v.w.handle(fsnotify.Event{Name: late, Op: fsnotify.Chmod})
	assert.Same(t, second, p.current, "it waits for its own")
	v.w.handle(fsnotify.Event{Name: p.cookie.path, Op: fsnotify.Chmod})
	<-second.done
	require.NoError(t, second.err)
}

func TestForeignMounts(t *testing.T) {
	assert.Empty(t, foreignMount("/proc"))
	assert.Equal(t, "NFS", foreignFileSystems[0x6969])
}
