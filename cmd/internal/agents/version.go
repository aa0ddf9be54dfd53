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

// versionTimeout is the timeout for a host's program to print its version.
const versionTimeout = 10 * time.Second

// Version returns the version of a host's program, which must be in PATH. It starts the program in
// a temporary directory that is also its home, because some programs create directories there.
func Version(h Host) (string, error) {
	dir, err := os.MkdirTemp("", "idumb-version-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), versionTimeout)
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

// Distance is the relation of a version to the tested version.
type Distance int

// Distances. A newer version with the same major number counts as SameVersion.
const (
	SameVersion Distance = iota
	Older
	OtherMajor
)

// CompareVersions returns the relation of a version to the verified one: another major version,
// older, or neither.
func CompareVersions(version, verified string) Distance {
	have, want := numbers(version), numbers(verified)
	switch {
	case have[0] != want[0]:
		return OtherMajor
	case slices.Compare(have[:], want[:]) < 0:
		return Older
	}
	return SameVersion
}

// numbers returns the parts of a version MAJOR.MINOR.PATCH; missing parts are 0.
func numbers(version string) (n [3]int) {
	for i, part := range strings.SplitN(version, ".", 3) {
		n[i], _ = strconv.Atoi(part) // digits only
	}
	return n
}
