package feed

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Looked is where it is noted when a person saw a repository's dashboard last: theirs, not the
// repository's.
type Looked struct{ file string }

// LookedAt returns where that is noted, as the environment says; it is noted nowhere where that is not known.
func LookedAt(root layout.Root, getenv func(string) string) Looked {
	dir := getenv("XDG_STATE_HOME")
	if home := getenv("HOME"); dir == "" && home != "" {
		dir = filepath.Join(home, ".local", "state")
	}
	if !filepath.IsAbs(dir) {
		return Looked{}
	}
	sum := sha256.Sum256([]byte(root))
	return Looked{filepath.Join(dir, "idumb", "looked", hex.EncodeToString(sum[:8]))}
}

// Time is when that was; zero where nobody knows.
func (l Looked) Time() time.Time {
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

// Set notes a time. Where it cannot be noted nothing is lost but the mark.
func (l Looked) Set(t time.Time) {
	if l.file == "" || os.MkdirAll(filepath.Dir(l.file), 0o700) != nil {
		return
	}
	_ = os.WriteFile(l.file, []byte(t.UTC().Format(time.RFC3339)+"\n"), 0o600)
}
