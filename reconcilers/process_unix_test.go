//go:build unix

package reconcilers

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store/filestore"
)

// processVariable names the repository of which a process of this test is the controller.
const processVariable = "IDUMB_TEST_CONTROLLER"

func TestMain(m *testing.M) {
	if root := os.Getenv(processVariable); root != "" {
		if err := control(root); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// control is the controller of a repository. To each line of its input it answers with one, when
// all is settled; it ends with its input.
func control(root string) error {
	s, err := filestore.Open(root)
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(context.Background())
	m := controller.New(s, All(NewPacks(), mutate.Repo{}), controller.Options{QuietPeriod: quietPeriod})
	go func() {
		defer end()
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			if m.WaitSettled(ctx) == nil {
				fmt.Println("settled")
			}
		}
	}()
	return m.Run(ctx)
}

// process is a controller in a process of its own, so that it can be killed and hung.
type process struct {
	t     testing.TB
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	hangs bool
}

func startProcess(t testing.TB, root string) *process {
	p := &process{t: t, cmd: exec.Command(os.Args[0])}
	p.cmd.Env = append(os.Environ(), processVariable+"="+root)
	p.cmd.Stderr = testLog{t}
	var err error
	p.in, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	p.out = bufio.NewReader(out)
	require.NoError(t, p.cmd.Start())
	return p
}

// WaitSettled is that of the process's manager.
func (p *process) WaitSettled(ctx context.Context) error {
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	if _, err := fmt.Fprintln(p.in, "settled?"); err != nil {
		return err
	}
	_, err := p.out.ReadString('\n')
	return err
}

// end lets the controller end as it does when it is asked to.
func (p *process) end() {
	p.goOn()
	require.NoError(p.t, p.in.Close())
	late := time.AfterFunc(20*time.Second, p.kill)
	defer late.Stop()
	require.NoError(p.t, p.cmd.Wait())
}

// die ends it with SIGKILL.
func (p *process) die() {
	p.kill()
	var killed *exec.ExitError
	require.ErrorAs(p.t, p.cmd.Wait(), &killed)
	require.False(p.t, killed.Exited(), "it ended by itself")
}

func (p *process) kill() { p.signal(syscall.SIGKILL) }

// hang has it do nothing until goOn.
func (p *process) hang() {
	p.signal(syscall.SIGSTOP)
	p.hangs = true
}

func (p *process) goOn() {
	p.signal(syscall.SIGCONT)
	p.hangs = false
}

func (p *process) signal(s os.Signal) {
	if err := p.cmd.Process.Signal(s); !errors.Is(err, os.ErrProcessDone) {
		require.NoError(p.t, err)
	}
}
