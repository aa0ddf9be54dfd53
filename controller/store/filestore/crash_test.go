package filestore

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writerRoot makes this test binary a writer that TestKilledWriters kills.
const writerRoot = "IDUMB_TEST_WRITER_ROOT"

func TestMain(m *testing.M) {
	if root := os.Getenv(writerRoot); root != "" {
		fmt.Fprintln(os.Stderr, writeForever(root))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// writeForever counts up in one file, and says each number when it is on disk.
func writeForever(root string) error {
	ctx := context.Background()
	s, err := Open(root)
	if err != nil {
		return err
	}
	for {
		got, err := s.Get(ctx, task("a"))
		if err != nil {
			return err
		}
		n, err := number(string(got.Spec))
		if err != nil {
			return err
		}
		if _, err := s.Put(ctx, task("a"), numbered(n+1), got.Rev); err != nil {
			return err
		}
		fmt.Println(n + 1)
	}
}

// numbered is a text that is not whole unless it ends as it begins.
func numbered(n int) []byte {
	return fmt.Appendf(nil, "%d %s %d", n, strings.Repeat(".", 5000), n)
}

func number(text string) (int, error) {
	first, rest, _ := strings.Cut(text, " ")
	_, last, _ := strings.Cut(rest, " ")
	if first != last {
		return 0, fmt.Errorf("the file is not whole: it begins with %q and ends with %q", first, last)
	}
	return strconv.Atoi(first)
}

// Writers are killed at random moments. The file is whole whenever one looks, and
// what was acknowledged stays.
func TestKilledWriters(t *testing.T) {
	s := empty(t)
	put(t, s, task("a"), string(numbered(0)), "")
	for range 25 {
		acknowledged := runAndKill(t, string(s.root), time.Duration(rand.Int64N(int64(12*time.Millisecond))))
		n, err := number(read(t, s, task("a")))
		require.NoError(t, err)
		assert.GreaterOrEqual(t, n, acknowledged)
	}
	got, err := s.Get(t.Context(), task("a"))
	require.NoError(t, err)
	put(t, s, task("a"), "the end", got.Rev)
	assert.Equal(t, []string{"a.json"}, filesIn(t, s, ".idumb/tasks"), "the last writer cleaned up")
}

// runAndKill runs a writer, kills it some time after its first acknowledgement, and
// returns the last one.
func runAndKill(t *testing.T, root string, after time.Duration) (acknowledged int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerRoot+"="+root)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if acknowledged == 0 {
			time.AfterFunc(after, func() { cmd.Process.Kill() })
		}
		acknowledged, err = strconv.Atoi(lines.Text())
		require.NoError(t, err)
	}
	require.Error(t, cmd.Wait(), "it was killed")
	require.Positive(t, acknowledged)
	return acknowledged
}
