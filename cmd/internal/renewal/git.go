package renewal

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/idumb-dev/idumb/controller/gitcommand"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// trackedLocals are the files of locals that git tracks, from the repository's root; none where
// there is no git.
func trackedLocals(root layout.Root) ([]string, error) {
	out, err := git(root, append([]string{"ls-files", "-z", "--"}, locals()...)...)
	if missing := (*exec.Error)(nil); errors.As(err, &missing) {
		return nil, nil
	}
	if broken := (*exec.ExitError)(nil); errors.As(err, &broken) {
		return nil, nil // no repository of git's: nothing is tracked
	}
	if err != nil {
		return nil, fmt.Errorf("ask git what it tracks: %w", err)
	}
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), nil
}

// untrack has git forget a file at the next commit, and leaves it where it is.
func untrack(root layout.Root, file string) error {
	_, err := git(root, "rm", "--cached", "-q", "--", file)
	return err
}

func git(root layout.Root, args ...string) (string, error) {
	out, err := gitcommand.New(context.Background(), string(root), append([]string{"--literal-pathspecs"}, args...)...).Output()
	return string(out), err
}
