package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// initialized is a line of what the runtime says of each package when a program starts.
var initialized = regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock`)

// screened are the packages that only a screen needs.
var screened = regexp.MustCompile(`^github\.com/(gdamore|clipperhouse|lucasb-eyer|idumb-dev/idumb/cmd/internal/dash)/|^github\.com/idumb-dev/idumb/cmd/internal/dash$`)

// Every verb pays for the start of every package: those of the dashboard's screen cost half a
// millisecond at most. The least of some starts counts, for the machine may be busy.
func TestTheScreenCostsOtherVerbsNothing(t *testing.T) {
	const most, tries = 500 * time.Microsecond, 10
	least := time.Hour
	for range tries {
		cmd := exec.Command("idumb", "version")
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		var sum time.Duration
		seen := 0
		for _, found := range initialized.FindAllSubmatch(out, -1) {
			if !screened.Match(found[1]) {
				continue
			}
			took, err := strconv.ParseFloat(string(found[2]), 64)
			require.NoError(t, err)
			sum, seen = sum+time.Duration(took*float64(time.Millisecond)), seen+1
		}
		require.NotZero(t, seen, "%s", out)
		least = min(least, sum)
	}
	t.Log(least)
	assert.LessOrEqual(t, least, most)
}
