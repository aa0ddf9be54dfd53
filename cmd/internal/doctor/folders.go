package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/idumb-dev/idumb/cmd/internal/scaffold"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/grants"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// localDirs returns the names of the directories of .idumb that are local to this machine.
func localDirs() (names []string) {
	for _, dir := range layout.LocalDirs() {
		if path.Dir(dir) == layout.Dir {
			names = append(names, path.Base(dir))
		}
	}
	return names
}

// checkDirs reports files that iDumb does not read because of their directory or their name.
func (x *examination) checkDirs() {
	owned := scaffold.Names()
	for _, name := range x.names(layout.Dir) {
		if !slices.Contains(owned, name) {
			x.stray(layout.Dir, name)
		}
	}
	for _, kind := range resources.Kinds() {
		if kind.Single {
			continue
		}
		for _, name := range x.names(layout.Folder(kind.Plural)) {
			x.objectFile(layout.Folder(kind.Plural), name)
		}
	}
	for _, parent := range append(localDirs(), "archive") {
		if _, isKind := resources.KindOf(parent); isKind {
			continue
		}
		for _, name := range x.names(layout.Dir + "/" + parent) {
			if _, isKind := resources.KindOf(name); isKind {
				x.names(layout.Dir + "/" + parent + "/" + name)
			}
		}
	}
}

// names lists a directory. It reports a problem if the directory cannot be listed.
func (x *examination) names(folder string) []string {
	names, err := x.root.Names(folder)
	if err != nil {
		x.unlistable(folder, err)
	}
	return names
}

// unlistable reports a directory that cannot be listed.
func (x *examination) unlistable(folder string, err error) {
	var p resources.Problem
	if errors.As(err, &p) {
		x.problem(p)
		return
	}
	x.fileProblem(folder, err.Error(), "make it a readable directory")
}

// objectFile checks the name of a file in a directory of objects. Files with the name of an object
// are checked as objects.
func (x *examination) objectFile(folder, name string) {
	if folder+"/"+name == layout.ExportsDir {
		return
	}
	if _, ok := layout.ObjectName(name); ok {
		return
	}
	if strings.HasSuffix(name, ".json") && !strings.HasPrefix(name, ".") {
		reported := slices.ContainsFunc(x.report.Problems, func(p resources.Problem) bool { return p.File == folder+"/"+name })
		if err := resources.CheckName(strings.TrimSuffix(name, ".json")); err != nil && !reported { // the controller does not read such a file
			x.fileProblem(folder+"/"+name, err.Error(), "rename the file")
		}
		return
	}
	x.stray(folder, name)
}

// stray reports a file in .idumb that is not read, except temporary files and files of older
// versions and of editors.
func (x *examination) stray(folder, name string) {
	switch file := folder + "/" + name; {
	case migrated(folder, name):
	case strings.HasPrefix(name, layout.TempPrefix): // reported by leftovers
	case strings.EqualFold(lastSuffix(name), ".json") && strings.ToLower(name) != name:
		x.fileProblem(file, "is not read: file names must be lower case and end in .json", "rename it to "+strings.ToLower(name)+", or move it away")
	case fromEditor(name): // not a problem
	default:
		remedy := "move it out of .idumb"
		if kind := resources.MisspeltKind(name); kind != nil && folder == layout.Dir {
			remedy = "did you mean " + kind.Plural + "? rename it, or move it out of .idumb"
		}
		x.fileProblem(file, "unknown file; not read", remedy)
	}
}

// checkLeftovers reports temporary files of killed processes.
func (x *examination) checkLeftovers() {
	files := filestore.Leftovers(x.root, x.now)
	if len(files) == 0 {
		return
	}
	reason := "is a temporary file of a killed process"
	if more := len(files) - 1; more > 0 {
		reason += fmt.Sprintf("; %d more exist below .idumb", more)
	}
	x.fileProblem(files[0], reason, "idumb doctor --fix")
}

// lastSuffix returns the part of a name from its last dot, "" without a dot.
func lastSuffix(name string) string {
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		return name[dot:]
	}
	return ""
}

// fromEditor reports whether a file is a temporary or backup file of a common editor, tool or
// desktop.
func fromEditor(name string) bool {
	for _, suffix := range [...]string{"~", ".swp", ".swo", ".swx", ".tmp", ".bak", ".orig", ".rej", ".save"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return strings.HasPrefix(name, ".#") || strings.HasPrefix(name, "#") || name == "4913" || name == ".DS_Store" || name == "Thumbs.db" || len(name) == 9 && strings.HasPrefix(name, "sed")
}

// checkIgnore checks that .gitignore lists the local files.
func (x *examination) checkIgnore() {
	const file = layout.Dir + "/.gitignore"
	data, _, err := x.root.Read(file, layout.MaxSpec)
	const remedy = "run \"idumb init\" to add missing lines"
	if x.sharing.Branch != "" { // reported by checkTeam
		return
	}
	if err != nil {
		x.fileProblem(file, "is missing: local files would be committed", remedy)
		return
	}
	have := map[string]bool{}
	for line := range bytes.Lines(data) {
		have[strings.Trim(strings.TrimSpace(string(line)), "/")] = true
	}
	var missing []string
	for _, folder := range localDirs() {
		_, err := os.Lstat(x.root.Abs(layout.Dir + "/" + folder))
		own := x.root.Abs(layout.Dir + "/" + folder + "/" + layout.IgnoreFile)
		if _, itself := os.Lstat(own); err == nil && itself != nil && !have[folder] && !have["*"] {
			missing = append(missing, folder+"/")
		}
	}
	if len(missing) > 0 {
		x.fileProblem(file, "does not list "+strings.Join(missing, " "), remedy)
	}
}

// checkGit reports a repository of git that cannot be read.
func (x *examination) checkGit() {
	if gone := x.root.MissingGitDir(); gone != "" {
		x.fileProblem(".git", "names "+gone+", which does not exist: git has pruned this worktree or was moved, and tasks cannot be started", layout.Reconnect)
		return
	}
	if _, err := exec.LookPath("git"); err != nil && layout.GitDir(string(x.root)) != "" {
		x.fileProblem(".git", "the program git is not found: removed tasks, other branches and commits are unknown", "install git, or add its folder to PATH")
	}
}

// checkWritable reports folders of .idumb, and the lock of writers, that the user may not write to.
func (x *examination) checkWritable() {
	names := []string{layout.Dir}
	for _, kind := range resources.Kinds() {
		names = append(names, layout.Folder(kind.Plural))
	}
	names = append(append(names, layout.LocalDirs()...), layout.WriteLock)
	slices.Sort(names)
	var refused []string
	for _, name := range slices.Compact(names) {
		switch err := mayWrite(x.root.Abs(name)); {
		case errors.Is(err, syscall.EROFS):
			x.notice("%s is on a file system that is mounted read-only: commands record nothing here", name)
			return
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			refused = append(refused, name)
		}
	}
	if len(refused) > 0 {
		x.fileProblem(refused[0], "no permission to write "+resources.Listed(refused, 3, ", ")+": changes are not recorded",
			"check owner and mode: ls -ld "+strings.Join(refused[:min(len(refused), 3)], " "))
	}
}

// checkRunDir reports a run directory that other users may write to. A user who can take its locks can
// block every command.
func (x *examination) checkRunDir() {
	info, err := os.Lstat(x.root.Abs(layout.RunDir))
	if errors.Is(err, fs.ErrNotExist) || err != nil {
		return
	}
	if mode := info.Mode().Perm(); info.IsDir() && mode&0o022 != 0 && permissionsMatter {
		x.fileProblem(layout.RunDir, fmt.Sprintf("is writable by other users (mode %04o)", mode), "run \"chmod go-w "+layout.RunDir+"\"")
	}
}

// checkGrants reports files of one-time permissions that no longer allow a call. The next denial removes
// them.
func (x *examination) checkGrants() {
	if n := grants.Stale(x.root, x.now); n > 0 {
		x.notice("invalid or expired grants in %s: %d; the next denial removes them", grants.Dir, n)
	}
}

// checkLeases reports files that are not valid leases. A lease without work has no effect, and the
// next start of the task replaces it.
func (x *examination) checkLeases() {
	book := leases.Open(x.root)
	_, broken := book.All()
	for _, name := range slices.Sorted(maps.Keys(broken)) {
		x.fileProblem(book.Folder()+"/"+name, "is not a valid task lease: "+broken[name].Error(), "remove the file; the next start of the task creates a new one")
	}
}

// checkExports checks that the exports of sessions are readable and refer to existing files.
func (x *examination) checkExports() {
	for _, name := range x.entries(layout.ExportsDir) {
		file := layout.ExportsDir + "/" + name
		if strings.HasPrefix(name, layout.TempPrefix) {
			continue // reported by leftovers
		}
		e, err := hooks.ReadExport(x.root, name)
		if err != nil {
			x.fileProblem(file, err.Error(), "remove the file; the controller removes it after config.sessionCollectAfter")
			continue
		}
		if gone := e.Missing(x.root.HasObject); len(gone) > 0 {
			x.notice("%s refers to deleted resources: %s", file, strings.Join(gone, ", "))
		}
	}
}
