package githistory

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Took reports whether git took a file of the repository out of the working tree since then: HEAD
// stood at a commit that has it and stands at one that does not, or it went into a stash.
func Took(ctx context.Context, root layout.Root, file string, since time.Time) bool {
	dir := layout.GitDir(string(root))
	if dir == "" {
		return false
	}
	has := func(tree string) bool {
		_, err := git(ctx, root, "cat-file", "-e", tree+":./"+file)
		return err == nil
	}
	if former := formerIn(filepath.Join(dir, "logs", "HEAD"), since); former != "" && has(former) && !has("HEAD") {
		return true
	}
	stash := filepath.Join(layout.CommonDir(dir), "logs", "refs", "stash")
	return formerIn(stash, since) != "" && (has("refs/stash") || has("refs/stash^3"))
}

// formerIn is what a reference pointed at before it moved since then, by its log; "" if it did not.
func formerIn(log string, since time.Time) string {
	for line := range strings.Lines(string(small(log, 16<<20))) {
		about, _, _ := strings.Cut(line, "\t")
		words := strings.Fields(about)
		if len(words) < 5 {
			continue
		}
		if at, err := strconv.ParseInt(words[len(words)-2], 10, 64); err == nil && at >= since.Unix() {
			return hexOf(words[0])
		}
	}
	return ""
}
