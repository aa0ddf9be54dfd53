package githistory

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Files are the files of which git replaces one whenever HEAD moves: HEAD itself, the file
// of the branch that it names now, and that of packed branches. They are named from the
// repository's root and with slashes where git's folder stands there; in a linked worktree,
// and below the top folder of a repository, by their absolute paths with slashes. Some may
// not exist. The log of HEAD is none of them: git writes it before it moves the branch, so
// that who looks when the log has changed looks too early.
func Files(root layout.Root) []string {
	dir, name := layout.GitDir(string(root)), filepath.ToSlash
	if dir == "" || dir == root.Abs(".git") {
		dir = root.Abs(".git")
		name = func(path string) string {
			if rel, inside := root.Rel(path); inside {
				return rel
			}
			return filepath.ToSlash(path)
		}
	}
	shared := layout.CommonDir(dir)
	files := []string{name(filepath.Join(dir, "HEAD")), name(filepath.Join(shared, "packed-refs"))}
	ref, symbolic := strings.CutPrefix(firstLine(filepath.Join(dir, "HEAD")), "ref: ")
	if ref = filepath.FromSlash(ref); symbolic && strings.HasPrefix(filepath.ToSlash(ref), "refs/") && filepath.IsLocal(ref) {
		files = append(files, name(filepath.Join(shared, ref)))
	}
	return files
}

// Head is the commit that HEAD stands at, in hex; "" where there is no git repository, or
// no commit yet. It reads two or three small files and starts no process.
func Head(root layout.Root) string {
	dir := layout.GitDir(string(root))
	if dir == "" {
		return ""
	}
	text := firstLine(filepath.Join(dir, "HEAD"))
	ref, symbolic := strings.CutPrefix(text, "ref: ")
	if !symbolic {
		return hexOf(text)
	}
	if ref = filepath.FromSlash(ref); !filepath.IsLocal(ref) {
		return ""
	}
	shared := layout.CommonDir(dir)
	if id := hexOf(firstLine(filepath.Join(shared, ref))); id != "" {
		return id
	}
	return packed(filepath.Join(shared, "packed-refs"), filepath.ToSlash(ref))
}

// firstLine is the first line of a small regular file; "" if there is none.
func firstLine(path string) string {
	line, _, _ := strings.Cut(string(small(path, 4096)), "\n")
	return strings.TrimSpace(line)
}

// small reads at most so many bytes of a regular file.
func small(path string, most int64) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, most)) // what cannot be read is not there
	return data
}

// packed looks a branch up among those that have no file of their own.
func packed(path, ref string) string {
	for line := range strings.Lines(string(small(path, 16<<20))) {
		if id, name, found := strings.Cut(strings.TrimSpace(line), " "); found && name == ref {
			return hexOf(id)
		}
	}
	return ""
}

// hexOf is text if that is the id of a commit.
func hexOf(text string) string {
	if len(text) != 40 && len(text) != 64 || strings.Trim(text, "0123456789abcdef") != "" {
		return ""
	}
	return text
}
