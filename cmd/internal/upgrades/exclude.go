package upgrades

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
)

// Markers around the lines of init --private in .git/info/exclude.
const (
	excludeBegin = "# idumb init --private: only what idumb installs, in this clone"
	excludeEnd   = "# end of idumb init --private"
)

// ExcludeFile returns the path of the file with ignore patterns of this clone, empty without git.
func ExcludeFile(root string) string {
	git := layout.GitDir(root)
	if git == "" {
		return ""
	}
	return filepath.Join(layout.CommonDir(git), "info", "exclude")
}

// pathInTree returns the path of root within the working tree.
func pathInTree(root string) string {
	rel, err := filepath.Rel(filepath.Dir(layout.GitDir(root)), root)
	if err != nil || !filepath.IsLocal(rel) { // in a linked working tree, root is its top
		rel = "."
	}
	return path.Join("/", filepath.ToSlash(rel))
}

// Exclude makes git ignore .idumb and the files that are installed into hosts, in this clone only.
// Other files in these directories are not ignored.
func Exclude(root string, hosts []agents.Host) error {
	lines := []string{excludeBegin, path.Join(pathInTree(root), layout.Dir)}
	for _, h := range hosts {
		planned, err := agents.Install(h, root, agents.FindCommands(h.Name), agents.Options{DryRun: true})
		if err != nil {
			return err
		}
		for _, change := range planned {
			lines = append(lines, path.Join(pathInTree(root), change.File))
		}
	}
	return editExclude(root, append(lines, excludeEnd))
}

// editExclude replaces the lines of init --private. nil removes them. An earlier version wrote
// whole directories, without markers.
func editExclude(root string, lines []string) error {
	file := ExcludeFile(root)
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	kept, _ := withoutExcludes(root, string(text))
	if len(lines) > 0 {
		if kept != "" && !strings.HasSuffix(kept, "\n") {
			kept += "\n"
		}
		kept += strings.Join(lines, "\n") + "\n"
	}
	if kept == string(text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return replace.File(file, text, []byte(kept), 0o644)
}

// withoutExcludes returns a text without the lines of init --private, and whether it had any.
func withoutExcludes(root, text string) (kept string, found bool) {
	earlier := []string{path.Join(pathInTree(root), layout.Dir)}
	for _, h := range agents.Hosts() {
		for _, shared := range h.Shared {
			earlier = append(earlier, path.Join(pathInTree(root), shared))
		}
	}
	all := strings.SplitAfter(text, "\n")
	old := slices.ContainsFunc(all, func(line string) bool { return strings.TrimSpace(line) == earlier[0] })
	inside := false
	for _, line := range all {
		switch plain := strings.TrimSpace(line); {
		case plain == excludeBegin:
			inside, found = true, true
		case inside:
			inside = plain != excludeEnd
		case old && slices.Contains(earlier, plain):
			found = true
		default:
			kept += line
		}
	}
	return kept, found
}

// unexclude returns the step that removes the lines of init --private, or nil if there are no such
// lines.
func unexclude(root layout.Root) []Step {
	file := ExcludeFile(string(root))
	text, err := os.ReadFile(file)
	if _, found := withoutExcludes(string(root), string(text)); file == "" || err != nil || !found {
		return nil
	}
	return []Step{{"removed", "lines of idumb in " + file, func() error { return editExclude(string(root), nil) }}}
}

// removeShared returns the steps that remove the data that all working trees of the clone share:
// leases and notes of sync below git's common directory. They are kept while another tree has a
// .idumb.
func removeShared(root layout.Root) []Step {
	git := layout.GitDir(string(root))
	if git == "" || len(root.Trees()) > 0 {
		return nil
	}
	folder := filepath.Join(layout.CommonDir(git), "idumb")
	if info, err := os.Lstat(folder); err != nil || !info.IsDir() {
		return nil
	}
	return []Step{{"removed", folder, func() error { return os.RemoveAll(folder) }}}
}

// Unshare returns the step that removes the sync settings of this clone, or nil if it has none.
func Unshare(root layout.Root, settings *sync.Settings) []Step {
	if settings == nil {
		return nil
	}
	return []Step{{"removed", "settings of this clone in sync.json", func() error { return sync.Save(root, os.Getenv, nil) }}}
}

// Remains lists the data that uninstall keeps, each with the command that removes it. untrusts means
// that the other working trees lose the trust with this one.
func Remains(root layout.Root, settings *sync.Settings, untrusts bool) (all []string) {
	for _, tree := range root.Trees() {
		what := ".idumb of the working tree " + string(tree)
		if tree.ControllerAlive() {
			what = "the controller and " + what
		}
		run := "idumb -C " + resources.ShellWord(string(tree))
		what += ": " + run + " uninstall --all removes it"
		if untrusts {
			what += "; " + run + " trust trusts it again"
		}
		all = append(all, what)
	}
	if settings != nil && settings.Remote != "" {
		remote := resources.ShellWord(settings.Remote)
		all = append(all, "refs/idumb/* of the remote "+remote+", which the team shares: git ls-remote "+remote+" 'refs/idumb/*' lists them; git push "+remote+" --delete REF removes one for all clones")
	}
	return all
}
