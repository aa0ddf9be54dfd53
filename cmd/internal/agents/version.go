package agents

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// versionPatience is how long a host's program may take to say its version.
const versionPatience = 10 * time.Second

// Version asks a host's program, which has to be in PATH, for its version. The
// program is started in a folder of its own, which it takes for the person's home as
// well: some make folders there when they start.
func Version(h Host) (string, error) {
	dir, err := os.MkdirTemp("", "idumb-version-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), versionPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, h.Binary(), "--version")
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Env = append(os.Environ(), "HOME="+dir, "USERPROFILE="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_STATE_HOME="+dir, "CODEX_HOME="+dir, "CLAUDE_CONFIG_DIR="+dir)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", h.Program, err)
	}
	found := regexp.MustCompile(`\d+\.\d+\.\d+`).FindString(string(out))
	if found == "" {
		return "", fmt.Errorf("%s --version names no version", h.Program)
	}
	return found, nil
}

// Distance is how a version stands to the one that was tested with.
type Distance int

// Distances. A newer one of the same major version counts as the same.
const (
	Same Distance = iota
	Older
	OtherMajor
)

// CompareVersions compares two versions of three numbers.
func CompareVersions(version, verified string) Distance {
	have, want := numbers(version), numbers(verified)
	switch {
	case have[0] != want[0]:
		return OtherMajor
	case slices.Compare(have[:], want[:]) < 0:
		return Older
	}
	return Same
}

func numbers(version string) (n [3]int) {
	for i, part := range strings.SplitN(version, ".", 3) {
		n[i], _ = strconv.Atoi(part) // digits only
	}
	return n
}
