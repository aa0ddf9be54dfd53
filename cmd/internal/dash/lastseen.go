package dash

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// LastSeen is the file with the time of the user's last look at a repository's dashboard. It is
// outside the repository.
type LastSeen struct{ file string }

// LastSeenFile returns the file for a repository, based on the environment. Without a state directory
// the time is not stored.
func LastSeenFile(root layout.Root, getenv func(string) string) LastSeen {
	dir := getenv("XDG_STATE_HOME")
	if home := getenv("HOME"); dir == "" && home != "" {
		dir = filepath.Join(home, ".local", "state")
	}
	if !filepath.IsAbs(dir) {
		return LastSeen{}
	}
	sum := sha256.Sum256([]byte(root))
	return LastSeen{filepath.Join(dir, "idumb", "looked", hex.EncodeToString(sum[:8]))}
}

// Time returns the time of the last look, zero if unknown.
func (l LastSeen) Time() time.Time {
	data, err := os.ReadFile(l.file)
	if err != nil {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, strings.TrimSpace(string(data)))
	if err != nil {
		return time.Time{}
	}
	return t
}

// Set stores a time. Errors are ignored, because the time is not essential.
func (l LastSeen) Set(t time.Time) {
	if l.file == "" || os.MkdirAll(filepath.Dir(l.file), 0o700) != nil {
		return
	}
	_ = os.WriteFile(l.file, []byte(t.UTC().Format(time.RFC3339)+"\n"), 0o600)
}
