// Package renewal brings what idumb put into a repository up to this version, and takes it out
// again: each as a list of steps, so that it can be told before it is done.
package renewal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/scaffold"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
	"github.com/idumb-dev/idumb/resources"
)

// Step is one thing to do.
type Step struct {
	What, File string // a verb in the past, and what is told of
	do         func() error
}

// Do does it.
func (s Step) Do() error {
	if err := s.do(); err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
	}
	return nil
}

// Upgrade returns what is of an earlier version in the repository: nothing of a person's among it. Kept are the
// spec files that hold what no version shipped. Wrote is called behind each spec file that is replaced, with
// what it held.
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
		steps = append(steps, Step{"untracked", file, func() error { return untrack(root, file) }})
	}
	return steps, kept, nil
}

// shippedSpecs are the roles, chain rules and triggers that hold what an earlier version shipped, and those that hold
// what no version shipped.
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
			if e.Ours || e.Mode.IsDir() || folder == "" || seen[file] {
				continue
			}
			seen[file] = true
			data, _, err := root.Read(file, layout.MaxSpec)
			if err != nil {
				continue // nobody installed it, or it was removed
			}
			next, found := scaffold.Successor(e.Path, data)
			switch {
			case !found:
				kept = append(kept, file)
			case !bytes.Equal(next.Data, data):
				key := resources.Key{Kind: path.Clean(folder), Name: strings.TrimSuffix(name, ".json")}
				steps = append(steps, Step{scaffold.Renewed, file, func() error {
					err := replace.Below(root, file, data, next.Data, next.Mode)
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

// generated are the files of .idumb that init makes and nobody writes, where they are missing or
// another version's, and what .gitignore has to name besides what it names.
func generated(root layout.Root) (steps []Step, err error) {
	if _, err := os.Lstat(root.Abs(layout.Dir + "/schemas")); err != nil {
		return nil, nil // made by hand, without init
	}
	entries, err := scaffold.Entries(scaffold.CoreRoles)
	if err != nil {
		return nil, err
	}
	// folders are looked at, too: through a link nothing is written
	entries = slices.DeleteFunc(entries, func(e scaffold.Entry) bool { return !e.Ours && !e.Mode.IsDir() })
	outcomes, err := scaffold.Write(root.Abs(layout.Dir), entries, scaffold.Options{DryRun: true, Renew: true})
	if err != nil {
		return nil, err
	}
	for _, o := range outcomes {
		if !o.Mode.IsDir() && (o.What == scaffold.Made || o.What == scaffold.Renewed) {
			steps = append(steps, Step{o.What, layout.Dir + "/" + o.Path, func() error {
				_, err := scaffold.Write(root.Abs(layout.Dir), []scaffold.Entry{o.Entry}, scaffold.Options{Renew: true})
				return err
			}})
		}
	}
	return append(steps, ignored(root)...), nil
}

// ignored has git leave out each local folder that is there by a file of its own.
func ignored(root layout.Root) (steps []Step) {
	for _, dir := range layout.LocalDirs() {
		if info, err := os.Lstat(root.Abs(dir)); err != nil || !info.IsDir() {
			continue
		}
		file, what := dir+"/"+layout.IgnoreFile, "renewed"
		data, _, err := root.Read(file, layout.MaxSpec)
		all := scaffold.WithLines(data, []byte(layout.IgnoreAll))
		if err != nil {
			what, all, data = "made", []byte(layout.IgnoreAll), nil
		}
		if err != nil || !bytes.Equal(data, all) {
			steps = append(steps, Step{what, file, func() error { return replace.Below(root, file, data, all, 0o600) }})
		}
	}
	return steps
}

// renewHost installs anew what of an agent's host was installed by another version.
func renewHost(root layout.Root, h agents.Host) (steps []Step) {
	c := agents.FindCommands(h.Name)
	if word := agents.Status(h, string(root), c).Summary(); word != agents.OtherVersion && word != agents.InPart {
		return nil
	}
	planned, err := agents.Install(h, string(root), c, agents.Options{DryRun: true})
	if err != nil {
		return []Step{{"renewed", h.Title, func() error { return err }}}
	}
	var files []string
	for _, change := range planned {
		if change.Changed() {
			files = append(files, change.File)
		}
	}
	if len(files) == 0 {
		return nil // all that differs is a person's
	}
	return []Step{{"renewed", h.Title + " (" + strings.Join(files, ", ") + ")", func() error {
		_, err := agents.Install(h, string(root), c, agents.Options{})
		return err
	}}}
}

// earlier are files and folders of earlier versions that nobody reads any more.
var earlier = [...]string{layout.RunDir + "/index", layout.ControllerLog + ".old"}

func leftovers(root layout.Root) (steps []Step) {
	for _, file := range earlier {
		if _, err := os.Lstat(root.Abs(file)); err == nil {
			steps = append(steps, Step{"removed", file, func() error { return remove(root, file) }})
		}
	}
	return steps
}

// remove removes a file, or a folder with all that is in it. It follows no links: neither the
// folder that it stands in nor .idumb may be one.
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

// locals are what belongs to this machine alone, and is never committed.
func locals() []string { return append(layout.LocalDirs(), layout.LocalFiles()...) }

// Leave returns what takes iDumb out of the repository but for .idumb's committed files: hooks and
// all that is local. What git tracks of it stays: to remove that is a commit of a person's. It is to
// be carried out when no controller runs.
func Leave(root layout.Root) ([]Step, error) {
	var steps []Step
	for _, h := range agents.Hosts() {
		c := agents.FindCommands(h.Name)
		planned, err := agents.Uninstall(h, string(root), c, agents.Options{DryRun: true})
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(planned, agents.Change.Changed) {
			steps = append(steps, Step{"removed", "hooks of " + h.Title, func() error {
				_, err := agents.Uninstall(h, string(root), c, agents.Options{})
				return err
			}})
		}
	}
	tracked, err := trackedLocals(root)
	if err != nil {
		return nil, err
	}
	if book := leases.Open(root); len(book.Own()) > 0 {
		steps = append(steps, Step{"removed", "leases of tasks", book.Leave})
	}
	for _, file := range locals() {
		if _, err := os.Lstat(root.Abs(file)); err != nil {
			continue
		}
		isTracked := func(t string) bool { return t == file || strings.HasPrefix(t, file+"/") }
		if slices.ContainsFunc(tracked, isTracked) {
			continue
		}
		steps = append(steps, Step{"removed", file, func() error { return remove(root, file) }})
	}
	return steps, nil
}

// All returns the steps that remove .idumb with everything in it, what is kept of it below .git, and the
// lines by which git leaves it out.
func All(root layout.Root) []Step {
	steps := []Step{{"removed", layout.Dir, func() error { return os.RemoveAll(filepath.Join(string(root), layout.Dir)) }}}
	return slices.Concat(steps, shared(root), unexclude(root))
}
