package githistory

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Files returns the files of which git replaces at least one whenever HEAD
// moves: HEAD itself, the current branch, and packed-refs. Names are relative
// to the repository's root, with slashes, if git's directory is there. In a
// linked worktree, and below the top directory of a repository, they are
// absolute paths with slashes. Some may not exist. The log of HEAD is not
// included, because git writes it before it moves the branch, so a reader would
// look too early.
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

// Head returns the hexadecimal commit ID of HEAD. It returns "" without a git
// repository or a commit. It reads two or three small files and starts no
// process.
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
	for line := range strings.Lines(string(readSmall(filepath.Join(shared, "packed-refs"), 16<<20))) {
		if id, name, found := strings.Cut(strings.TrimSpace(line), " "); found && name == filepath.ToSlash(ref) {
			return hexOf(id)
		}
	}
	return ""
}

// firstLine returns the first line of a small regular file, or "".
func firstLine(path string) string {
	line, _, _ := strings.Cut(string(readSmall(path, 4096)), "\n")
	return strings.TrimSpace(line)
}

// readSmall reads at most most bytes of a regular file. It returns nil for any
// other or unreadable file.
func readSmall(path string, most int64) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, most)) // unreadable files count as missing
	return data
}

// hexOf returns text if it is a commit ID, and "" otherwise.
func hexOf(text string) string {
	if len(text) != 40 && len(text) != 64 || strings.Trim(text, "0123456789abcdef") != "" {
		return ""
	}
	return text
}
