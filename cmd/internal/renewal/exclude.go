package renewal

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
)

// The lines between these are those of init --private in .git/info/exclude.
const (
	excludeBegin = "# idumb init --private: only what idumb installs, in this clone"
	excludeEnd   = "# end of idumb init --private"
)

// ExcludeFile is the file by which git leaves files out in this clone alone; "" without git.
func ExcludeFile(root string) string {
	git := layout.GitDir(root)
	if git == "" {
		return ""
	}
	return filepath.Join(layout.CommonDir(git), "info", "exclude")
}

// below is where the repository's root lies in the working tree.
func below(root string) string {
	rel, err := filepath.Rel(filepath.Dir(layout.GitDir(root)), root)
	if err != nil || !filepath.IsLocal(rel) { // a linked tree: there root is the top
		rel = "."
	}
	return path.Join("/", filepath.ToSlash(rel))
}

// Exclude has git leave out .idumb and the files that are installed into hosts, in this clone. What else
// a user keeps in their folders git goes on to offer.
func Exclude(root string, hosts []agents.Host) error {
	lines := []string{excludeBegin, path.Join(below(root), layout.Dir)}
	for _, h := range hosts {
		planned, err := agents.Install(h, root, agents.FindCommands(h.Name), agents.Options{DryRun: true})
		if err != nil {
			return err
		}
		for _, change := range planned {
			lines = append(lines, path.Join(below(root), change.File))
		}
	}
	return editExclude(root, append(lines, excludeEnd))
}

// editExclude replaces the lines of init --private; nil takes them out. An earlier version wrote whole
// folders, without the lines around them.
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

// withoutExcludes is a text without the lines of init --private, and reports whether it had any.
func withoutExcludes(root, text string) (kept string, found bool) {
	earlier := []string{path.Join(below(root), layout.Dir)}
	for _, h := range agents.Hosts() {
		for _, shared := range h.Shared {
			earlier = append(earlier, path.Join(below(root), shared))
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

// unexclude is the step that takes the lines of init --private out; none if there are none.
func unexclude(root layout.Root) []Step {
	file := ExcludeFile(string(root))
	text, err := os.ReadFile(file)
	if _, found := withoutExcludes(string(root), string(text)); file == "" || err != nil || !found {
		return nil
	}
	return []Step{{"removed", "lines of idumb in " + file, func() error { return editExclude(string(root), nil) }}}
}

// shared are the steps that remove what all working trees of the clone share: leases and notes of sync below
// git's common folder. If other trees have a .idumb, it stays.
func shared(root layout.Root) []Step {
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

// Unshare is the step that forgets how this clone shares its plans; none if it does not.
func Unshare(root layout.Root, settings *sync.Settings) []Step {
	if settings == nil {
		return nil
	}
	return []Step{{"removed", "settings of this clone in sync.json", func() error { return sync.Save(root, os.Getenv, nil) }}}
}

// Remains names what uninstall leaves, each with the command that removes it.
func Remains(root layout.Root, settings *sync.Settings) (all []string) {
	for _, tree := range root.Trees() {
		what := ".idumb of the working tree " + string(tree)
		if tree.ControllerAlive() {
			what = "the controller and " + what
		}
		all = append(all, what+": idumb -C "+string(tree)+" uninstall --all")
	}
	if settings != nil && settings.Remote != "" {
		remote := settings.Remote
		all = append(all, "refs/idumb/* of the remote "+remote+", which the team shares: git ls-remote "+remote+" 'refs/idumb/*' lists them; git push "+remote+" --delete REF removes one for everybody")
	}
	return all
}
