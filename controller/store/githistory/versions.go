package githistory

import (
	"context"
	"errors"
	"iter"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// maxVersions is the maximum number of commits of a file that are read.
const maxVersions = 200

// Versions yields the versions of a file in the commits reachable from HEAD, newest
// first. It yields at most maxVersions versions and omits those over 1 MiB. It
// yields nothing without git.
func Versions(ctx context.Context, root layout.Root, file string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		raw, err := git(ctx, root, "--literal-pathspecs", "log", "-n", strconv.Itoa(maxVersions), "--format=", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=d", "--", file)
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
