// Package importer reads files of other tools and writes the converted objects in one transaction.
// The formats are defined by package imports.
package importer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/resources/imports"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Limits of a source: the size of a file in bytes, and the number of files. Real sources have files
// of up to 2 MB, and some thousand of them.
const (
	maxFile  = 64 << 20
	maxFiles = 100_000
)

// Source is a source of one format.
type Source struct {
	Format *imports.Format
	Dir    string // directory that the paths of Files are relative to
	Files  []migrate.File
	// Skipped lists files that were not read, with the reason.
	Skipped    []string
	readFailed bool // a file in Skipped should have been read
}

// Count returns the number of files with its noun.
func (s Source) Count() string { return terminal.Count(len(s.Files), "file") }

// Advice describes the source and the command that converts it.
func (s Source) Advice() string {
	return fmt.Sprintf("%s holds %s of %s: \"idumb migrate\" turns them into objects; --dry-run shows how", s.Format.Folder, s.Count(), s.Format.Title)
}

// Find returns the sources in a repository that have readable files.
func Find(root string, list []*imports.Format) ([]Source, error) {
	found, err := FindAll(root, list)
	return slices.DeleteFunc(found, func(s Source) bool { return len(s.Files) == 0 }), err
}

// FindAll is like Find, but includes sources without a readable file if their files should have been
// read: see Source.Skipped.
func FindAll(root string, list []*imports.Format) ([]Source, error) {
	var found []Source
	for _, f := range list {
		s := Source{Format: f, Dir: filepath.Join(root, f.Folder)}
		switch info, err := os.Lstat(s.Dir); {
		case err != nil:
			continue
		case !info.IsDir():
			s.Skipped, s.readFailed = []string{": it is no folder; links are not followed"}, true
		default:
			if err := s.walk(); err != nil {
				return nil, fmt.Errorf("%s: %w", f.Folder, err)
			}
		}
		if len(s.Files) > 0 || s.readFailed {
			found = append(found, s)
		}
	}
	return found, nil
}

// walk reads the files that the format wants. It follows no links and opens only regular files.
func (s *Source) walk() error {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			s.Skipped = append(s.Skipped, file+": "+reasonOf(err))
			return nil
		case d.IsDir():
			if !s.Format.LeadsTo(file) {
				s.leave(file + "/")
				return fs.SkipDir
			}
			return nil
		}
		return s.take(root, file, d)
	})
}

// take reads a file if the format wants it.
func (s *Source) take(root *os.Root, file string, d fs.DirEntry) error {
	if !s.Format.HasFolder(path.Dir(file)) || path.Base(file)[0] == '.' {
		return nil
	}
	if len(s.Files) >= maxFiles {
		return fmt.Errorf("the source has more than %d files", maxFiles)
	}
	data, err := []byte(nil), errors.New("it is no regular file; links are not followed")
	if d.Type().IsRegular() {
		data, err = readFile(root, file)
	}
	switch wanted := s.Format.Wants(file, data); {
	case err != nil && wanted:
		s.Skipped, s.readFailed = append(s.Skipped, file+": "+reasonOf(err)), true
	case err != nil:
	case wanted:
		s.Files = append(s.Files, migrate.File{Path: file, Data: data})
	default:
		s.leave(file)
	}
	return nil
}

// leave records a file of the tool that is not read. Backups are not recorded.
func (s *Source) leave(file string) {
	if s.Format.Belongs != nil && s.Format.Belongs(file) && !strings.Contains(path.Base(file), ".bak") {
		s.Skipped = append(s.Skipped, file+": there is no rule for it")
	}
}

// readFile reads a file up to the size limit.
func readFile(root *os.Root, file string) ([]byte, error) {
	f, err := root.Open(filepath.FromSlash(file))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readLimited(f)
}

var errTooLarge = fmt.Errorf("it has more than %d MiB", maxFile>>20)

// readLimited reads all data, or returns errTooLarge for more than maxFile bytes.
func readLimited(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err == nil && len(data) > maxFile {
		return nil, errTooLarge
	}
	return data, err
}

// reasonOf returns the text of an error, without the operation and the path of a file.
func reasonOf(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// Open opens a source by name: a file, a directory that contains the file or is the source, or
// standard input for "-".
func Open(f *imports.Format, name string, stdin io.Reader) (Source, error) {
	if name == "-" {
		data, err := readLimited(stdin)
		return Source{Format: f, Files: []migrate.File{{Path: "stdin", Data: data}}}, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return Source{}, err
	}
	if !info.IsDir() {
		return openFile(f, name)
	}
	if f.Find == nil {
		s := Source{Format: f, Dir: rootOf(f, name)}
		if err := s.walk(); err != nil {
			return s, err
		}
		if len(s.Files) == 0 {
			return s, fmt.Errorf("no data of %s found in %s", f.Title, name)
		}
		return s, nil
	}
	for _, place := range f.Find {
		switch found := filesAt(name, place); {
		case len(found) == 1:
			return openFile(f, found[0])
		case len(found) > 1:
			return Source{}, fmt.Errorf("several files in %s may be from %s (%s); name one of them", name, f.Title, strings.Join(basesOf(found), ", "))
		}
	}
	return Source{}, fmt.Errorf("there is no %s in %s; name the file", strings.Join(f.Find, ", "), name)
}

// filesAt returns the regular files in a directory that match a path or pattern.
func filesAt(folder, place string) []string {
	look := os.Stat
	if strings.ContainsRune(place, '*') {
		look = os.Lstat // files of a pattern may not be links
	}
	names, _ := fs.Glob(os.DirFS(folder), place) // unreadable directories match no files
	var found []string
	for _, name := range names {
		at := filepath.Join(folder, filepath.FromSlash(name))
		if info, err := look(at); err == nil && info.Mode().IsRegular() && path.Base(name)[0] != '.' {
			found = append(found, at)
		}
	}
	return found
}

// basesOf returns the quoted names of files without their directories.
func basesOf(files []string) []string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strconv.Quote(filepath.Base(f))
	}
	return names
}

// rootOf returns the directory of the source within a named directory.
func rootOf(f *imports.Format, name string) string {
	for _, inner := range f.Roots {
		if info, err := os.Stat(filepath.Join(name, inner)); err == nil && info.IsDir() {
			return filepath.Join(name, inner)
		}
	}
	return name
}

// openFile returns a source that consists of one file or pipe.
func openFile(f *imports.Format, name string) (Source, error) {
	info, err := os.Stat(name)
	if err != nil {
		return Source{}, err
	}
	if !info.Mode().IsRegular() && info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) == 0 {
		return Source{}, fmt.Errorf("%s is no file", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return Source{}, err
	}
	defer file.Close()
	data, err := readLimited(file)
	if err != nil {
		return Source{}, fmt.Errorf("%s: %w", name, err)
	}
	return Source{Format: f, Dir: filepath.Dir(name), Files: []migrate.File{{Path: filepath.Base(name), Data: data}}}, nil
}
