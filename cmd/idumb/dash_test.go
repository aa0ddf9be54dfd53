package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// initialized is a line of what the runtime says of each package when a program starts.
var initialized = regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, \S+ ms clock, (\d+) bytes, (\d+) allocs`)

// screened are the packages that only a screen needs.
var screened = regexp.MustCompile(`^github\.com/(gdamore|clipperhouse|lucasb-eyer|idumb-dev/idumb/cmd/internal/dash)/|^github\.com/idumb-dev/idumb/cmd/internal/dash$`)

// ours are the packages of this module that the program is made of.
var ours = regexp.MustCompile(`^github\.com/idumb-dev/idumb/(cmd/internal|controller|packer|reconcilers|resources|watch)`)

// A working tree beside the main one says of which repository it is.
func TestCheckoutOfADash(t *testing.T) {
	main := filepath.Join(t.TempDir(), "shop")
	for _, args := range [][]string{{"init", "-q", main}, {"-C", main, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "x"}, {"-C", main, "worktree", "add", "-q", filepath.Join(main, "..", "second")}} {
		out, err := exec.Command("git", args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	repository, worktree := checkoutOf(layout.Root(main))
	assert.Equal(t, []string{"shop", ""}, []string{repository, worktree})
	repository, worktree = checkoutOf(layout.Root(filepath.Join(main, "..", "second")))
	assert.Equal(t, []string{"shop", "second"}, []string{repository, worktree})
}

// Every verb pays for the start of every package. What those of the dashboard's screen and our own
// allocate then is counted, and not their time, which is the machine's as much as theirs.
func TestStartsOfPackagesCostLittle(t *testing.T) {
	cmd := exec.Command("idumb", "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, most := range []struct {
		of            *regexp.Regexp
		bytes, allocs int
	}{{screened, 160 << 10, 2000}, {ours, 64 << 10, 600}} {
		bytes, allocs, seen := 0, 0, 0
		for _, found := range initialized.FindAllSubmatch(out, -1) {
			if !most.of.Match(found[1]) {
				continue
			}
			b, err := strconv.Atoi(string(found[2]))
			require.NoError(t, err)
			a, err := strconv.Atoi(string(found[3]))
			require.NoError(t, err)
			bytes, allocs, seen = bytes+b, allocs+a, seen+1
		}
		require.NotZero(t, seen, "%s", out)
		t.Log(most.of, bytes, allocs, seen)
		assert.LessOrEqual(t, bytes, most.bytes)
		assert.LessOrEqual(t, allocs, most.allocs)
	}
}
