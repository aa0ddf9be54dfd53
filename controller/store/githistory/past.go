package githistory

import (
	"context"
	"errors"
	"iter"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// maxPast is how many commits of a file are looked into.
const maxPast = 200

// Past yields what stood in a file of the repository at the commits that HEAD leads to, the newest first: of
// so many commits at most, and what is larger than 1 MiB left out. Nothing where git cannot be asked.
func Past(ctx context.Context, root layout.Root, file string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		raw, err := git(ctx, root, "--literal-pathspecs", "log", "-n", strconv.Itoa(maxPast), "--format=", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=d", "--", file)
		if err != nil || len(raw) == 0 {
			return
		}
		held, err := openBlobs(ctx, root)
		if err != nil {
			return
		}
		defer held.Close()
		for line := range strings.Lines(string(raw)) { // :MODE MODE BEFORE AFTER STATUS<tab>FILE
			fields := strings.Fields(line)
			if len(fields) < 5 || hexOf(fields[3]) == "" {
				continue
			}
			data, err := held.read(fields[3])
			if err != nil && !errors.Is(err, errLarge) || err == nil && !yield(data) {
				return
			}
		}
	}
}
