package dash

import (
	"bufio"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// plainly runs the plain dashboard into a pipe, with a state to begin with.
func plainly(t *testing.T, ctx context.Context) (states chan State, read *os.File, ended chan error) {
	states, ended = make(chan State, 4), make(chan error, 1)
	read, write, err := os.Pipe()
	require.NoError(t, err)
	go func() {
		ended <- Plain(ctx, write, Options{Host: &desk{}, Repository: "shop", Unicode: true, Now: func() time.Time { return noon }, LookedAt: noon.Add(-time.Hour), States: states})
		write.Close()
	}()
	states <- shop()
	return states, read, ended
}

// What there is, and then a line for each change; the same as before is no change.
func TestPlain(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	states, read, ended := plainly(t, ctx)
	lines := bufio.NewScanner(read)
	var now []string
	for lines.Scan() {
		now = append(now, lines.Text())
		if strings.Contains(lines.Text(), "the same call 4 times") {
			break
		}
	}
	golden(t, "plain", strings.Join(now, "\n")+"\n")
	states <- shop()
	changed := shop()
	changed.task("login-api").Phase = "active"
	states <- changed
	require.True(t, lines.Scan())
	assert.Equal(t, "● task/login-api was blocked and is active", lines.Text())
	cancel()
	assert.ErrorIs(t, <-ended, context.Canceled)
}

// Nobody reads any more: it ends, though nothing changes.
func TestPlainEndsWithItsReader(t *testing.T) {
	t.Parallel()
	_, read, ended := plainly(t, t.Context())
	_, err := bufio.NewReader(read).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, read.Close())
	select {
	case err := <-ended:
		assert.NoError(t, err)
	case <-time.After(10 * time.Second):
		t.Fatal("it goes on")
	}
	assert.NoError(t, ignoreClosedPipe(nil))
	assert.Error(t, ignoreClosedPipe(errors.New("disk full")))
}
