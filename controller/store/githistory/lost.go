package githistory

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// IsExplained reports whether a removal since then is known to be intended: by a
// command, or by git, which moved HEAD, stashed the file, or removed or renamed
// it in the index.
func IsExplained(ctx context.Context, root layout.Root, key resources.Key, since time.Time) bool {
	file := layout.Path(key)
	if root.RemovedByCommand(key, since) || root.GitMoved(since) && RemovedByGit(ctx, root, file, since) {
		return true
	}
	return root.IndexMoved(since) && stagedRemovals(ctx, root)[file]
}

// FindLost marks the open tasks, plans and decisions that git has and whose files are missing
// without an explanation, so that their last versions count, and drops the marks of removals that
// are explained by now. Without a controller it is the only way to know of a removal. It does
// nothing while git changes its index. It starts git only if a file is missing.
func FindLost(ctx context.Context, root layout.Root, now time.Time) {
	if root.Indexing() {
		return
	}
	for _, kind := range plannedKinds {
		for _, name := range root.LostNames(kind) {
			key := resources.Key{Kind: kind, Name: name}
			mark := root.MarkOf(key)
			if mark == nil {
				continue
			}
			o, _, err := resources.Read(key, mark.LastGood)
			if err == nil && identityKept(root, o) || IsExplained(ctx, root, key, mark.Since.Add(-beforeMark)) {
				_ = root.Marks().Remove(key)
			}
		}
	}
	missing := missingFiles(root)
	if len(missing) == 0 {
		return
	}
	b, err := openBlobs(ctx, root)
	if err != nil {
		return
	}
	defer b.Close()
	var away map[string]bool
	for _, m := range missing {
		if m.blob == "" && away == nil {
			away = stagedRemovals(ctx, root)
		}
		if m.blob == "" && away[layout.Path(m.key)] {
			continue
		}
		data, err := b.read(m.revision())
		if errors.Is(err, errLarge) || errors.Is(err, errAbsent) {
			continue
		}
		if err != nil {
			return
		}
		if o, _, err := resources.Read(m.key, data); err == nil && status.Open(o) && !identityKept(root, o) && !root.Indexing() {
			_ = root.Marks().Put(m.key, store.Mark{
				Problem: store.RemovedProblem(m.key, layout.Path(m.key)), Since: resources.NewTime(now),
				LastGood: data, Revision: resources.Revision(data), ModTime: now, // git does not know when it was written
			})
		}
	}
}

// LastGood returns the last readable version of an object whose file is broken or missing, with its
// revision: the one in its mark, else, for work that is planned, the one in git. It returns nil if
// none is known.
func LastGood(ctx context.Context, root layout.Root, key resources.Key) (spec []byte, rev string) {
	if spec, rev, known := root.LastGood(key); known {
		return spec, rev
	}
	if !slices.Contains(plannedKinds[:], key.Kind) || resources.CheckName(key.Name) != nil || Head(root) == "" {
		return nil, ""
	}
	b, err := openBlobs(ctx, root)
	if err != nil {
		return nil, ""
	}
	defer b.Close()
	for _, tree := range [...]string{":./", "HEAD:./"} { // a conflict leaves none in the index
		data, err := b.read(tree + layout.Path(key))
		if _, _, invalid := resources.Read(key, data); err == nil && invalid == nil {
			return data, resources.Revision(data)
		}
	}
	return nil, ""
}

// beforeMark is the time before a mark in which git or a command may have begun the removal.
const beforeMark = time.Minute

// plannedKinds lists the kinds of planned work, which FindLost looks for.
var plannedKinds = [...]string{resources.WorkPlans, resources.Tasks, resources.Decisions}

// missingFile is an object that git or its status knows, and whose file is missing.
type missingFile struct {
	key  resources.Key
	blob string // object in the index; empty if only HEAD may have the file
}

// revision returns a git revision of the file's content.
func (m missingFile) revision() string {
	if m.blob != "" {
		return m.blob
	}
	return "HEAD:./" + layout.Path(m.key)
}

// missingFiles lists the objects of plannedKinds whose files are missing without a mark, an archived
// version or a command that explains it. It looks for objects in git's index. Unless a merge or the
// like is unfinished, it also looks for objects with a status of open work.
func missingFiles(root layout.Root) (missing []missingFile) {
	seen := map[resources.Key]bool{}
	add := func(key resources.Key, blob string, since time.Time) {
		if seen[key] || exists(root.Abs(layout.Path(key))) || root.HasObject(key) || root.MarkOf(key) != nil || root.RemovedByCommand(key, since) || finished(root, key) {
			return
		}
		seen[key], missing = true, append(missing, missingFile{key, blob})
	}
	for _, e := range root.IndexIn(layout.Dir + "/") {
		if key, ok := plannedKey(e.File); ok && !e.Skipped {
			add(key, e.Blob(), e.ModTime())
		}
	}
	if merging(root) || root.GitAtWork() || Head(root) == "" {
		return missing
	}
	for _, kind := range plannedKinds {
		keys, _ := root.KeysBelow(layout.StatusDir, kind)
		for _, key := range keys {
			add(key, "", time.Time{})
		}
	}
	return missing
}

// plannedKey returns the object of plannedKinds that a path is for. It returns
// false for any other path.
func plannedKey(file string) (resources.Key, bool) {
	rest, below := strings.CutPrefix(file, layout.Dir+"/")
	kind, base, _ := strings.Cut(rest, "/")
	if !below || !slices.Contains(plannedKinds[:], kind) {
		return resources.Key{}, false
	}
	name, ok := layout.ObjectName(base)
	return resources.Key{Kind: kind, Name: name}, ok && resources.CheckName(name) == nil
}

// finished reports whether an object was completed, failed or abandoned according to its status.
// Its last version is then newer than git's.
func finished(root layout.Root, key resources.Key) bool {
	var observed struct {
		Phase string `json:"phase"`
	}
	data, _, err := root.Read(layout.StatusPath(key), layout.MaxSpec)
	if err != nil || json.Unmarshal(data, &observed) != nil {
		return false
	}
	switch observed.Phase {
	case resources.TaskCompleted, resources.TaskFailed, resources.TaskAbandoned, resources.PlanArchived:
		return true
	}
	return false
}

// identityKept reports whether another object has the uid of one: it was renamed.
func identityKept(root layout.Root, o resources.Object) bool {
	uid := o.Head().Metadata.UID
	if uid == "" {
		return false
	}
	names, _ := root.SpecNames(o.Key().Kind)
	return slices.ContainsFunc(names, func(file string) bool {
		name, ok := layout.ObjectName(file)
		key := resources.Key{Kind: o.Key().Kind, Name: name}
		if !ok || resources.CheckName(name) != nil {
			return false
		}
		data, _, err := root.Read(layout.Path(key), layout.MaxSpec)
		if err != nil || !strings.Contains(string(data), uid) {
			return false
		}
		other, _, err := resources.Read(key, data)
		return err == nil && other.Head().Metadata.UID == uid
	})
}

// merging reports whether git waits for the user to finish a merge, a rebase or the like.
func merging(root layout.Root) bool {
	dir := layout.GitDir(string(root))
	return slices.ContainsFunc([]string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"}, func(name string) bool {
		return exists(filepath.Join(dir, name))
	})
}

// exists reports whether anything exists at a path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// stagedRemovals returns the files that HEAD has and the index does not, as after
// git rm or git mv.
func stagedRemovals(ctx context.Context, root layout.Root) map[string]bool {
	away := map[string]bool{}
	out, _ := git(ctx, root, "diff", "--cached", "--no-renames", "-z", "--no-ext-diff", "--diff-filter=D", "--name-only", "--relative", "HEAD")
	for _, file := range fieldsOf(out) {
		away[file] = true
	}
	return away
}

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
