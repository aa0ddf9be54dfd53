package githistory

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// RemovedByGit reports whether git removed a file from the working tree since then:
// HEAD moved from a commit with the file to one without it, or the file was
// stashed.
func RemovedByGit(ctx context.Context, root layout.Root, file string, since time.Time) bool {
	dir := layout.GitDir(string(root))
	if dir == "" {
		return false
	}
	has := func(tree string) bool {
		_, err := git(ctx, root, "cat-file", "-e", tree+":./"+file)
		return err == nil
	}
	if formers := formerValues(filepath.Join(dir, "logs", "HEAD"), since); len(formers) > 0 && !has("HEAD") && slices.ContainsFunc(formers, has) {
		return true
	}
	stash := filepath.Join(layout.CommonDir(dir), "logs", "refs", "stash")
	return formerValues(stash, since) != nil && (has("refs/stash") || has("refs/stash^3"))
}

// maxFormers is the maximum number of examined moves of a reference.
const maxFormers = 16

// formerValues returns the former values of a reference since then, from its log,
// without duplicates.
func formerValues(log string, since time.Time) (formers []string) {
	for line := range strings.Lines(string(readSmall(log, 16<<20))) {
		about, _, _ := strings.Cut(line, "\t")
		words := strings.Fields(about)
		if len(words) < 5 {
			continue
		}
		at, err := strconv.ParseInt(words[len(words)-2], 10, 64)
		if former := hexOf(words[0]); err == nil && at >= since.Unix() && !slices.Contains(formers, former) && len(formers) < maxFormers {
			formers = append(formers, former)
		}
	}
	return formers
}
