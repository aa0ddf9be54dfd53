package process

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStateOf(t *testing.T) {
	self, ok := Lookup(os.Getpid())
	require.True(t, ok)
	assert.Equal(t, Running, StateOf(&self))
	other := self
	other.Started++
	assert.Equal(t, Exited, StateOf(&other), "another process has had the number since")
	elsewhere := self
	elsewhere.Namespace++
	assert.Equal(t, Unknown, StateOf(&elsewhere), "its number means nothing here")
	assert.Equal(t, Unknown, StateOf(nil))

	child := exec.Command("sleep", "100")
	require.NoError(t, child.Start())
	p, ok := Lookup(child.Process.Pid)
	require.True(t, ok)
	require.NoError(t, child.Process.Kill())
	require.Eventually(t, func() bool { return StateOf(&p) == Exited }, 10*time.Second, time.Millisecond, "a process that nobody waited for is gone as well")
	_ = child.Wait()
	assert.Equal(t, Exited, StateOf(&p))
}

// The shells between a host and its hook are not the host.
func TestHost(t *testing.T) {
	self, _ := Lookup(os.Getpid())
	hook := exec.Command("sh", "-c", "env sleep 100; true")
	require.NoError(t, hook.Start())
	defer func() {
		_ = hook.Process.Kill()
		_ = hook.Wait()
	}()
	host := Host(hook.Process.Pid)
	require.NotNil(t, host)
	assert.Equal(t, self, *host)
	assert.Nil(t, Host(0))
	assert.Nil(t, Host(-1))
}
