// Package upgrades upgrades the files that idumb installed in a repository, and uninstalls them.
// Each is a list of steps, so that it can be printed first.
package upgrades

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/scaffold"
	"github.com/idumb-dev/idumb/controller/gitcommand"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
	"github.com/idumb-dev/idumb/resources"
)

// Step is one change.
type Step struct {
	Text, File string // a past participle, and its object
	do         func() error
}

// Untracked is the text of a step that removes a local file from git's index.
const Untracked = "untracked"

// Do performs the step. An error names the file.
func (s Step) Do() error {
	if err := s.do(); err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
	}
	return nil
}

// Upgrade returns the steps that replace files of an earlier version. It never changes a user's
// file. kept lists the spec files with a content that no version shipped. The steps call wrote
// after each replaced spec file, with its old content.
func Upgrade(root layout.Root, wrote func(key resources.Key, before []byte)) (steps []Step, kept []string, err error) {
	steps, err = generated(root)
	if err != nil {
		return nil, nil, err
	}
	specs, kept, err := shippedSpecs(root, wrote)
	if err != nil {
		return nil, nil, err
	}
	steps = append(steps, specs...)
	for _, h := range agents.Hosts() {
		steps = append(steps, renewHost(root, h)...)
	}
	mems, err := specsOfController(root)
	if err != nil {
		return nil, nil, err
	}
	steps = append(append(steps, leftovers(root)...), mems...)
	tracked, err := trackedLocals(root)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range tracked {
		steps = append(steps, Step{Untracked, file, func() error { return untrack(root, file) }})
	}
	return steps, kept, nil
}

// shippedSpecs returns the steps for roles, chain rules and triggers with the content of an earlier
// version. kept lists the files with a content that no version shipped.
func shippedSpecs(root layout.Root, wrote func(resources.Key, []byte)) (steps []Step, kept []string, err error) {
	seen := map[string]bool{}
	for _, set := range scaffold.RoleSets() {
		entries, err := scaffold.Entries(set)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range entries {
			folder, name := path.Split(e.Path)
			file := layout.Dir + "/" + e.Path
			if e.Generated || e.Mode.IsDir() || folder == "" || seen[file] {
				continue
			}
			seen[file] = true
			data, _, err := root.Read(file, layout.MaxSpec)
			if err != nil {
				continue // not installed, or removed
			}
			switch next, found := scaffold.Successor(e.Path, data); {
			case !found:
				kept = append(kept, file)
			case !bytes.Equal(next.Data, data):
				key := resources.Key{Kind: path.Clean(folder), Name: strings.TrimSuffix(name, ".json")}
				steps = append(steps, Step{scaffold.Renewed, file, func() error {
					err := replace.FileBelow(root, file, data, next.Data, next.Mode)
					if err == nil {
						wrote(key, data)
					}
					return err
				}})
			}
		}
	}
	return steps, kept, nil
}

// generated returns the steps for generated files of .idumb that are missing or from another
// version, and for missing lines of .gitignore. It returns none for a .idumb without schemas, which
// a user created by hand.
func generated(root layout.Root) (steps []Step, err error) {
	if _, err := os.Lstat(root.Abs(layout.Dir + "/schemas")); err != nil {
		return nil, nil // created by hand, without init
	}
	entries, err := scaffold.Entries(scaffold.CoreRoles)
	if err != nil {
		return nil, err
	}
	// directories are included: nothing is written through a link
	entries = slices.DeleteFunc(entries, func(e scaffold.Entry) bool { return !e.Generated && !e.Mode.IsDir() })
	outcomes, err := scaffold.Write(root.Abs(layout.Dir), entries, scaffold.Options{DryRun: true, Renew: true})
	if err != nil {
		return nil, err
	}
	for _, o := range outcomes {
		if !o.Mode.IsDir() && (o.Result == scaffold.Created || o.Result == scaffold.Renewed) {
			steps = append(steps, Step{o.Result, layout.Dir + "/" + o.Path, func() error {
				_, err := scaffold.Write(root.Abs(layout.Dir), []scaffold.Entry{o.Entry}, scaffold.Options{Renew: true})
				return err
			}})
		}
	}
	return append(steps, ignored(root)...), nil
}

// ignored returns the steps that create the ignore file of each existing local directory.
func ignored(root layout.Root) (steps []Step) {
	for _, dir := range layout.LocalDirs() {
		if info, err := os.Lstat(root.Abs(dir)); err != nil || !info.IsDir() {
			continue
		}
		file, what := dir+"/"+layout.IgnoreFile, "updated"
		data, _, err := root.Read(file, layout.MaxSpec)
		all := scaffold.WithLines(data, []byte(layout.IgnoreAll))
		switch {
		case errors.Is(err, store.ErrNotFound):
			what, all, data = scaffold.Created, []byte(layout.IgnoreAll), nil
		case err != nil:
			continue // it exists, and doctor reports why it is not read
		}
		if err != nil || !bytes.Equal(data, all) {
			steps = append(steps, Step{what, file, func() error { return replace.FileBelow(root, file, data, all, 0o600) }})
		}
	}
	return steps
}

// renewHost returns the step that reinstalls iDumb in an agent's host if it is incomplete or of
// another version. If the change cannot be planned, the step returns the error.
func renewHost(root layout.Root, h agents.Host) (steps []Step) {
	c := agents.FindCommands(h.Name)
	if word := agents.Status(h, string(root), c).Summary(); word != agents.OtherVersion && word != agents.InPart {
		return nil
	}
	planned, err := agents.Install(h, string(root), c, agents.Options{DryRun: true})
	if err != nil {
		return []Step{{"updated", h.Title, func() error { return err }}}
	}
	files := changedFiles(planned)
	if len(files) == 0 {
		return nil // all differences are edits of a user
	}
	return []Step{{"updated", h.Title + " (" + strings.Join(files, ", ") + ")", func() error {
		_, err := agents.Install(h, string(root), c, agents.Options{})
		return err
	}}}
}

// changedFiles returns the files that the planned changes modify.
func changedFiles(planned []agents.Change) (files []string) {
	for _, change := range planned {
		if change.Changed() {
			files = append(files, change.File)
		}
	}
	return files
}

// obsoleteFiles lists files and directories of earlier versions that are no longer read.
var obsoleteFiles = [...]string{layout.RunDir + "/index", layout.ControllerLog + ".old"}

// leftovers returns the steps that remove files of earlier versions.
func leftovers(root layout.Root) (steps []Step) {
	for _, file := range obsoleteFiles {
		if _, err := os.Lstat(root.Abs(file)); err == nil {
			steps = append(steps, Step{"removed", file, func() error { return remove(root, file) }})
		}
	}
	return steps
}

// remove removes a file, or a directory with its content. It follows no links in the directories of
// the path, including .idumb.
func remove(root layout.Root, file string) error {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		info, err := os.Lstat(root.Abs(dir))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !info.IsDir() {
			return errors.Join(err, fmt.Errorf("%s is no folder; look at it, and remove it", dir))
		}
	}
	return os.RemoveAll(root.Abs(file))
}

// localFiles returns the files and directories that are local to this machine and never committed.
func localFiles() []string { return append(layout.LocalDirs(), layout.LocalFiles()...) }

// Uninstall returns the steps that remove the hooks and the local files from the repository. Committed
// files of .idumb, and local files that git tracks, are kept: only a user may commit their removal.
// unread is the error for hosts whose settings cannot be read; their hooks stay.
// No controller may run while the steps are performed.
func Uninstall(root layout.Root) (steps []Step, unread, err error) {
	for _, h := range agents.Hosts() {
		c := agents.FindCommands(h.Name)
		planned, err := agents.Uninstall(h, string(root), c, agents.Options{DryRun: true})
		if err != nil {
			unread = errors.Join(unread, fmt.Errorf("remove the hooks of %s: %w", h.Title, err))
			continue
		}
		if files := changedFiles(planned); len(files) > 0 {
			steps = append(steps, Step{"removed", "hooks of " + h.Title + " (" + strings.Join(files, ", ") + ")", func() error {
				_, err := agents.Uninstall(h, string(root), c, agents.Options{})
				return err
			}})
		}
	}
	tracked, err := trackedLocals(root)
	if err != nil {
		return nil, nil, err
	}
	if book := leases.Open(root); len(book.OwnFiles()) > 0 {
		steps = append(steps, Step{"removed", "leases of tasks", book.Leave})
	}
	for _, file := range localFiles() {
		if _, err := os.Lstat(root.Abs(file)); err != nil {
			continue
		}
		isTracked := func(t string) bool { return t == file || strings.HasPrefix(t, file+"/") }
		if slices.ContainsFunc(tracked, isTracked) {
			continue
		}
		steps = append(steps, Step{"removed", file, func() error { return remove(root, file) }})
	}
	return steps, unread, nil
}

// RemoveAll returns the steps that remove .idumb with its content, its data below .git, and the lines of
// init --private.
func RemoveAll(root layout.Root) []Step {
	steps := []Step{{"removed", layout.Dir, func() error { return os.RemoveAll(filepath.Join(string(root), layout.Dir)) }}}
	return slices.Concat(steps, removeShared(root), unexclude(root))
}

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
