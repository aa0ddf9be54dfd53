package layout

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTracked: what is read of git's index is what git lists, whatever form it has.
func TestTracked(t *testing.T) {
	for name, tc := range map[string]struct{ init, index []string }{
		"as git makes it":    {nil, nil},
		"version 3":          {nil, []string{"add", "--intent-to-add", "late"}},
		"version 4":          {nil, []string{"update-index", "--index-version", "4"}},
		"names of 64 digits": {[]string{"--object-format=sha256"}, nil},
		"both of these":      {[]string{"--object-format=sha256"}, []string{"update-index", "--index-version", "4"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			git := func(args ...string) string {
				c := exec.Command("git", append([]string{"-C", dir, "-c", "core.quotePath=false"}, args...)...)
				c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
				out, err := c.CombinedOutput()
				require.NoError(t, err, "%s", out)
				return string(out)
			}
			git(append([]string{"init", "-q"}, tc.init...)...)
			for _, file := range []string{"a", "ab", "src/a.go", "src/login/" + strings.Repeat("x", 200), "src/ä b", "srcs", "zz/z"} {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), nil, 0o644))
			}
			git("add", "-A")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "late"), nil, 0o644))
			if tc.index != nil {
				git(tc.index...)
			}
			assert.Equal(t, strings.Fields(strings.ReplaceAll(git("ls-files"), "ä b", "ä_b")), strings.Fields(strings.ReplaceAll(strings.Join(Root(dir).Tracked(), "\n"), "ä b", "ä_b")))
			assert.Len(t, Root(filepath.Join(dir, "src")).Tracked(), 3, "below a folder of it")
			assert.Len(t, Root(dir).IndexIn("src/"), 3, "in a folder of it")

			whole, err := os.ReadFile(filepath.Join(dir, ".git/index"))
			require.NoError(t, err)
			for cut := 0; cut < len(whole)-100; cut += 7 {
				require.NoError(t, os.WriteFile(filepath.Join(dir, ".git/index"), whole[:cut], 0o644))
				assert.LessOrEqual(t, len(Root(dir).Tracked()), 8, "torn after %d bytes", cut)
			}
		})
	}
	assert.Empty(t, Root(t.TempDir()).Tracked())
}

// FuzzIndex: whatever stands in an index, reading it ends, and gives names of files of its size.
func FuzzIndex(f *testing.F) {
	entry := func(name string) string {
		plain := strings.Repeat("\x01", 60) + "\x00\x00" + name
		return plain + strings.Repeat("\x00", 8-len(plain)%8)
	}
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x02"+entry("a")+entry("src/b")), false)
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x02"+strings.Repeat("\x01", 62)+"\x00a/b\x00"+strings.Repeat("\x01", 62)+"\x01c\x00"), true)
	f.Fuzz(func(t *testing.T, data []byte, long bool) {
		hash := 20
		if long {
			hash = 32
		}
		for _, e := range indexed(data, hash, "", "") {
			assert.NotEmpty(t, e.File)
			assert.LessOrEqual(t, len(e.File), maxName)
			assert.Len(t, e.stamp, 40)
		}
	})
}

// TestIndexNamesGrow: an index of version 4 whose every name is the one before and a thousand bytes
// more is not believed beyond the longest name that a file can have.
func TestIndexNamesGrow(t *testing.T) {
	const entries = 20_000
	data := []byte("DIRC\x00\x00\x00\x04\x00\x00\x4e\x20")
	for range entries {
		data = append(data, strings.Repeat("\x01", 62)+"\x00"+strings.Repeat("x", 1000)+"\x00"...)
	}
	assert.Empty(t, indexed(data, 20, "", ""))
}
