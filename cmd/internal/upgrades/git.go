package upgrades

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/idumb-dev/idumb/controller/gitcommand"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// trackedLocals returns the local files that git tracks, relative to the repository's root. It
// returns nil without git.
func trackedLocals(root layout.Root) ([]string, error) {
	out, err := git(root, append([]string{"ls-files", "-z", "--"}, localFiles()...)...)
	if missing := (*exec.Error)(nil); errors.As(err, &missing) {
		return nil, nil
	}
	if broken := (*exec.ExitError)(nil); errors.As(err, &broken) {
		return nil, nil // not a git repository
	}
	if err != nil {
		return nil, fmt.Errorf("list the files that git tracks: %w", err)
	}
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), nil
}

// untrack removes a file from git's index and keeps the file.
func untrack(root layout.Root, file string) error {
	_, err := git(root, "rm", "--cached", "-q", "--", file)
	return err
}

// git runs git in the repository and returns its output. Paths in args are taken literally.
func git(root layout.Root, args ...string) (string, error) {
	out, err := gitcommand.New(context.Background(), string(root), append([]string{"--literal-pathspecs"}, args...)...).Output()
	return string(out), err
}
