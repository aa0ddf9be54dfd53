//go:build unix

package terminal

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const hangup = syscall.SIGHUP

// TestMain lets a test start this very program: called with "wait" it waits for a signal,
// and then for the second.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "wait" {
		waitForTwo()
	}
	os.Exit(m.Run())
}

func waitForTwo() {
	ctx, stop := SignalContext(context.Background(), syscall.SIGTERM)
	os.Stdout.WriteString("ready\n")
	<-ctx.Done()
	stop() // by now a signal does what it always does
	os.Stdout.WriteString("ended\n")
	time.Sleep(time.Minute)
	os.Exit(3)
}

func TestTheSecondSignalEndsTheProcess(t *testing.T) {
	cmd := exec.Command(os.Args[0], "wait")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line := make([]byte, 6)
	for _, want := range []string{"ready\n", "ended\n"} {
		_, err := out.Read(line)
		require.NoError(t, err)
		assert.Equal(t, want, string(line))
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	}
	_ = cmd.Wait()
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	require.True(t, ok)
	assert.True(t, status.Signaled() && status.Signal() == syscall.SIGTERM, cmd.ProcessState.String())
}
