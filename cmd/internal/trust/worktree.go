package trust

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// read reads the record of a repository. A working tree that git made of a repository
// stands under that one's record until it has its own: the same person's, and what
// governs in it has to be the same, byte for byte, to be trusted.
func (s Store) read(real string) ([]byte, error) {
	data, err := readRecord(s.file(real))
	if err == nil {
		return data, nil
	}
	if main := mainTree(real); main != "" {
		return readRecord(s.file(main))
	}
	return nil, err
}

// mainTree is the repository that a working tree was made of (git worktree add), "" for
// any other folder. Git's folder has to know of the tree: a file .git alone says nothing.
func mainTree(real string) string {
	private, ok := strings.CutPrefix(line(filepath.Join(real, ".git")), "gitdir:")
	private = filepath.FromSlash(strings.TrimSpace(private))
	if !ok || private == "" {
		return ""
	}
	if !filepath.IsAbs(private) {
		private = filepath.Join(real, private)
	}
	private, err := filepath.EvalSymlinks(private)
	if err != nil {
		return ""
	}
	trees := filepath.Dir(private)
	git := filepath.Dir(trees)
	if filepath.Base(trees) != "worktrees" || filepath.Base(git) != ".git" {
		return ""
	}
	back, err := filepath.EvalSymlinks(filepath.FromSlash(line(filepath.Join(private, "gitdir"))))
	if err != nil || back != filepath.Join(real, ".git") {
		return ""
	}
	return filepath.Dir(git)
}

// line is what a small file holds, "" if there is none.
func line(file string) string {
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 32<<10))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}
